/// Writes what a worker has for one output: as it is, or guarded, encoded and packed, which is done before it is the worker's turn.
///
///     prepare      packs        at any time, by many workers side by side
///     write        writes       in turn
///     write(at:)   writes       to a new file, side by side: only the place is found in turn
struct OutputWriter: ~Copyable {
    private let sink: (any Sink)?
    private var cells: FormulaGuard?
    private var encoder: TextEncoder?
    private var packer: Packer?
    /// Whether escapes, which stand for what could not be decoded, are written as what they were.
    private let keepsEscapes: Bool
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private let file: StagedFile?
    /// How many bytes were prepared, before they were packed.
    private(set) var count = 0

    /// - Throws: ``FileError`` when there is no memory.
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

    /// How many bytes it has to write.
    var size: Int { sink == nil ? 0 : bytes.count }

    /// - Parameters:
    ///   - bytes: stay where they are until they are written, and may be changed.
    ///   - isDecoded: whether bytes may be escaped in them, which become U+FFFD, unless they are encoded back.
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

    /// - Precondition: its sink, if there is one, is a new file.
    func write(at place: Int) throws(FileError) {
        guard sink != nil, !bytes.isEmpty else { return }
        guard let file else { preconditionFailure("only a file has places") }
        try file.write(bytes, at: place)
    }
}

extension Sink {
    /// Writes what stands at the top of an output. A packed one is a packed file also when that is nothing.
    ///
    /// - Parameter isDecoded: whether bytes may be escaped in it, which become U+FFFD, unless they are encoded back.
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

    /// Where its bytes go once they are guarded.
    private var unguarded: any Sink { (self as? Guarded)?.sink ?? self }

    /// The file that takes the bytes in the end, if it is one that gets its name later.
    var stagedFile: StagedFile? {
        let inner = (unguarded as? Encoded)?.sink ?? unguarded
        return ((inner as? Packed)?.sink ?? inner) as? StagedFile
    }
}
