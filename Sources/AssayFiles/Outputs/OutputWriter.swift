/// Writes a worker's bytes for one output. Guarding, encoding and compression run before it is the worker's turn.
///
///     prepare      compresses   at any time, by many workers concurrently
///     write        writes       when it is the worker's turn
///     write(at:)   writes       to a new file, concurrently; only the place depends on the order
struct OutputWriter: ~Copyable {
    private let sink: (any Sink)?
    private var cells: FormulaGuard?
    private var encoder: TextEncoder?
    private var packer: Packer?
    /// Whether escapes for undecodable bytes are written as the original bytes.
    private let keepsEscapes: Bool
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private let file: StagedFile?
    /// The number of prepared bytes before compression.
    private(set) var count = 0

    /// - Throws: ``FileError`` if memory runs out.
    init(_ sink: (any Sink)?) throws(FileError) {
        let guarded = sink as? Guarded
        if let guarded { cells = FormulaGuard(guarded) } else { cells = nil }
        let sink = guarded?.sink ?? sink
        var inner = sink
        if let encoded = sink as? Encoded {
            encoder = try TextEncoder(encoded.encoding, encoded.name)
            inner = encoded.sink
        } else {
            encoder = nil
        }
        keepsEscapes = sink is Encoded
        if let packed = inner as? Packed {
            packer = Packer(packed.compression)
            inner = packed.sink
        } else {
            packer = nil
        }
        self.sink = inner
        file = inner as? StagedFile
    }

    /// The number of bytes to write.
    var size: Int { sink == nil ? 0 : bytes.count }

    /// - Parameters:
    ///   - bytes: Must remain valid until they are written. They may be modified.
    ///   - isDecoded: Whether the bytes may contain escapes. These become U+FFFD unless they are encoded back.
    mutating func prepare(_ bytes: UnsafeRawBufferPointer, isDecoded: Bool = false) throws(FileError) {
        count = bytes.count
        self.bytes = bytes
        guard let sink, !bytes.isEmpty else { return }
        if isDecoded && !keepsEscapes {
            replaceEscapes(UnsafeMutableRawBufferPointer(mutating: bytes).bindMemory(to: UInt8.self))
        }
        if cells != nil { self.bytes = try cells!.guardCells(of: self.bytes) }
        if encoder != nil { self.bytes = try encoder!.encode(self.bytes) }
        if packer != nil { self.bytes = try packer!.pack(self.bytes, for: sink.name) }
    }

    func write() throws(FileError) {
        if !bytes.isEmpty { try sink?.write(bytes) }
    }

    /// - Precondition: The sink, if there is one, is a new file.
    func write(at place: Int) throws(FileError) {
        guard sink != nil, !bytes.isEmpty else { return }
        guard let file else { preconditionFailure("only a file has places") }
        try file.write(bytes, at: place)
    }
}

extension Sink {
    /// Writes the header of an output. A compressed output is a valid compressed file even if the header is empty.
    ///
    /// - Parameter isDecoded: Whether the bytes may contain escapes. These become U+FFFD unless they are encoded back.
    func writeTop(_ bytes: [UInt8], isDecoded: Bool = false) throws(FileError) {
        var bytes = bytes
        let encoded = unguarded as? Encoded
        if bytes.isEmpty && encoded?.mark.isEmpty ?? true {
            if let packed = (encoded?.sink ?? unguarded) as? Packed { try packed.writeEmpty() }
            return
        }
        if isDecoded && encoded == nil { bytes.withUnsafeMutableBufferPointer { replaceEscapes($0) } }
        if let encoded { try encoded.sink.write(encoded.mark) }
        try write(bytes)
    }

    /// The sink that receives the guarded bytes.
    private var unguarded: any Sink { (self as? Guarded)?.sink ?? self }

    /// The file at the end of the chain of sinks, if it gets its name at the end of the run.
    var stagedFile: StagedFile? {
        let inner = (unguarded as? Encoded)?.sink ?? unguarded
        return ((inner as? Packed)?.sink ?? inner) as? StagedFile
    }
}
