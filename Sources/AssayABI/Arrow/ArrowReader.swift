internal import AssayFiles
internal import CAssayABI

/// An array of a stream, released with the object.
final class OwnedArray {
    private let array: UnsafeMutablePointer<ArrowArray>
    var pointer: UnsafePointer<ArrowArray> { UnsafePointer(array) }

    init(_ array: ArrowArray) {
        self.array = .allocate(capacity: 1)
        self.array.initialize(to: array)
    }

    deinit {
        array.pointee.release?(array)
        array.deallocate()
    }
}

/// A stream that was moved out of the caller's structure, released with the object.
///
/// Its callbacks may call the library again. They get a pointer to memory of its own, because Swift ends the process
/// if a stored property is used while it is passed `inout`.
private final class OwnedStream {
    let pointer: UnsafeMutablePointer<ArrowArrayStream>

    init(_ given: UnsafeMutablePointer<ArrowArrayStream>) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: given.pointee)
        given.pointee.release = nil
    }

    deinit {
        pointer.pointee.release?(pointer)
        pointer.deallocate()
    }
}

/// Reads the arrays of an Arrow stream one by one.
///
/// Not `Sendable`: only one thread at a time may use it.
final class ArrowReader {
    let node: ArrowNode
    private let source: OwnedStream
    private var isAtEnd = false

    /// Takes ownership of the stream, even if it throws.
    init(_ given: UnsafeMutablePointer<ArrowArrayStream>) throws {
        source = OwnedStream(given)
        let stream = source.pointer
        guard let get = stream.pointee.get_schema, stream.pointee.get_next != nil else {
            throw Fault(ASSAY_FAULT_ARROW, "the stream lacks its functions")
        }
        var schema = ArrowSchema()
        let status = get(stream, &schema)
        if status != 0 { throw Self.fault(stream, status, "its schema") }
        defer { schema.release?(&schema) }
        node = try ArrowNode(&schema)
    }

    /// Lends the next array, or returns `nil` at the end.
    func next<Result>(_ body: (UnsafePointer<ArrowArray>) throws -> Result) throws -> Result? {
        guard let array = try nextOwned() else { return nil }
        return try withExtendedLifetime(array) { try body($0.pointer) }
    }

    /// The next array, or `nil` at the end.
    func nextOwned() throws -> OwnedArray? {
        if isAtEnd { return nil }
        var array = ArrowArray()
        let status = source.pointer.pointee.get_next(source.pointer, &array)
        if status != 0 { throw Self.fault(source.pointer, status, "a batch") }
        guard array.release != nil else {
            isAtEnd = true
            return nil
        }
        return OwnedArray(array)
    }

    private static func fault(_ source: UnsafeMutablePointer<ArrowArrayStream>, _ status: Int32, _ what: String)
        -> Fault
    {
        let detail = source.pointee.get_last_error?(source).map { ": " + printable(String(cString: $0)) } ?? ""
        return Fault(ASSAY_FAULT_STREAM, "the stream could not give \(what) (error \(status))\(detail)")
    }
}
