/// Writes what a worker has for one output: as it is, or packed, which is done before it is the worker's turn.
///
///     prepare   packs        at any time, by many workers side by side
///     write     writes       in turn
struct OutputWriter: ~Copyable {
    private let sink: (any Sink)?
    private var packer: Packer?
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    /// How many bytes were prepared, before they were packed.
    private(set) var count = 0

    init(_ sink: (any Sink)?) {
        if let packed = sink as? Packed {
            self.sink = packed.sink
            packer = Packer(packed.compression)
        } else {
            self.sink = sink
            packer = nil
        }
    }

    /// - Parameter bytes: stay where they are until they are written.
    mutating func prepare(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        count = bytes.count
        self.bytes = bytes
        guard let sink, !bytes.isEmpty, packer != nil else { return }
        self.bytes = try packer!.pack(bytes, for: sink.name)
    }

    mutating func prepare(_ findings: (bytes: UnsafeRawBufferPointer, count: Int)) throws(FileError) {
        try prepare(findings.bytes)
    }

    func write() throws(FileError) {
        if !bytes.isEmpty { try sink?.write(bytes) }
    }
}

extension Sink {
    /// Writes what stands at the top of an output. A packed one is a packed file also when that is nothing.
    func writeTop(_ bytes: [UInt8]) throws(FileError) {
        if bytes.isEmpty, let packed = self as? Packed { return try packed.writeEmpty() }
        try write(bytes)
    }

    /// The file that takes the bytes in the end, if it is one that gets its name later.
    var stagedFile: StagedFile? { ((self as? Packed)?.sink ?? self) as? StagedFile }
}

extension Outputs {
    /// Whether some output is packed.
    var arePacked: Bool { [clean, rejects, findings].contains { $0 is Packed } }
}
