public import CAssayABI

/// A structure of the interface that begins with its size.
///
/// A program with an older header passes a smaller structure, and one with a newer header a larger one:
///
///     older   size │ fields ┊                  missing fields are 0
///     same    size │ fields │ fields ┊
///     newer   size │ fields │ fields │ 0 0 0   unknown fields must be 0
///
/// As for `copy_struct_from_user` of Linux.
protocol SizedStructure {
    /// The name in C.
    static var cName: String { get }
    /// The size in the first version of the interface.
    static var firstSize: Int { get }

    var size: Int { get }
    init()
}

extension SizedStructure {
    /// The size in C, which includes the padding at the end.
    private static var knownSize: Int { MemoryLayout<Self>.stride }
    /// A larger size is not that of a structure, but uninitialized memory.
    private static var maxSize: Int { 4096 }

    /// Reads a structure that the caller filled in. Fields that the program does not have are 0.
    ///
    /// - Parameter path: the name of the structure in messages.
    /// - Throws: a fault for a size that the structure cannot have, and for unknown fields that are not 0.
    init(reading given: UnsafePointer<Self>, _ path: String = Self.cName) throws(Fault) {
        let bytes = UnsafeRawPointer(given)
        let size = bytes.loadUnaligned(as: Int.self)
        guard size >= Self.firstSize, size <= Self.maxSize, size % MemoryLayout<Self>.alignment == 0 else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "\(path).size is \(UInt(bitPattern: size)), which is no size of \(Self.cName)",
                hint: "set it to sizeof(\(Self.cName))")
        }
        if let unknown = (min(Self.knownSize, size)..<size).first(where: {
            bytes.load(fromByteOffset: $0, as: UInt8.self) != 0
        }) {
            throw Fault(
                ASSAY_FAULT_ARGUMENT,
                "\(path) has a field at byte \(unknown) that is not 0 and that this version of libassay does not know",
                hint: "use the version of libassay that the header belongs to, or set unused fields to 0")
        }
        self.init()
        withUnsafeMutableBytes(of: &self) { own in
            own.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(size, own.count)))
        }
    }

    /// Reads an array of structures, in which the size of the first is the distance of all.
    static func array(_ given: UnsafePointer<Self>, _ count: Int, _ path: String) throws(Fault) -> [Self] {
        guard count > 0 else { return [] }
        let first = try Self(reading: given, "\(path)[0]")
        var all = [first]
        for index in 1..<count {
            let place = UnsafeRawPointer(given) + index * first.size
            let size = place.loadUnaligned(as: Int.self)
            guard size == first.size else {
                throw Fault(
                    ASSAY_FAULT_ARGUMENT,
                    "\(path)[\(index)].size is \(UInt(bitPattern: size)), and \(path)[0].size is \(first.size)",
                    hint: "set the size of each element to sizeof(\(Self.cName))")
            }
            all.append(try Self(reading: place.assumingMemoryBound(to: Self.self), "\(path)[\(index)]"))
        }
        return all
    }
}

/// Writes a structure to memory of the caller, where it has `size` bytes. The bytes after the fields of this version
/// become 0; fields that the caller does not have are left out.
func write<Structure: BitwiseCopyable>(_ value: Structure, to memory: UnsafeMutableRawPointer?, size: Int) {
    guard let memory, size > 0 else { return }
    withUnsafeBytes(of: value) { bytes in
        let known = min(size, bytes.count)
        memory.copyMemory(from: bytes.baseAddress!, byteCount: known)
        if size > known { (memory + known).initializeMemory(as: UInt8.self, repeating: 0, count: size - known) }
    }
}

extension assay_allocator: SizedStructure {
    static let cName = "assay_allocator"
    static let firstSize = MemoryLayout<assay_allocator>.stride
}

extension assay_options: SizedStructure {
    static let cName = "assay_options"
    static let firstSize = MemoryLayout<assay_options>.offset(of: \.key_memory)!
}

extension assay_column: SizedStructure {
    static let cName = "assay_column"
    static let firstSize = MemoryLayout<assay_column>.stride
}

extension assay_outputs: SizedStructure {
    static let cName = "assay_outputs"
    static let firstSize = MemoryLayout<assay_outputs>.offset(of: \.changes)!
}

extension assay_table: SizedStructure {
    static let cName = "assay_table"
    static let firstSize = MemoryLayout<assay_table>.stride
}
