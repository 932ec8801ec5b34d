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

/// Reads the arrays of an Arrow stream one by one.
///
/// Not `Sendable`: only one thread at a time may use it.
final class ArrowReader {
    let node: ArrowNode
    private var source: ArrowArrayStream
    private var isAtEnd = false

    /// Takes ownership of the stream, even if it throws.
    init(_ given: UnsafeMutablePointer<ArrowArrayStream>) throws {
        var source = given.pointee
        given.pointee.release = nil
        var schema = ArrowSchema()
        do {
            guard let get = source.get_schema, source.get_next != nil else {
                throw Fault(ASSAY_FAULT_ARROW, "the stream lacks its functions")
            }
            let status = get(&source, &schema)
            if status != 0 { throw Self.fault(&source, status, "its schema") }
            defer { schema.release?(&schema) }
            node = try ArrowNode(&schema)
        } catch {
            source.release?(&source)
            throw error
        }
        self.source = source
    }

    deinit { if source.release != nil { source.release(&source) } }

    /// Lends the next array, or returns `nil` at the end.
    func next<Result>(_ body: (UnsafePointer<ArrowArray>) throws -> Result) throws -> Result? {
        guard let array = try nextOwned() else { return nil }
        return try withExtendedLifetime(array) { try body($0.pointer) }
    }

    /// The next array, or `nil` at the end.
    func nextOwned() throws -> OwnedArray? {
        if isAtEnd { return nil }
        var array = ArrowArray()
        let status = source.get_next(&source, &array)
        if status != 0 { throw Self.fault(&source, status, "a batch") }
        guard array.release != nil else {
            isAtEnd = true
            return nil
        }
        return OwnedArray(array)
    }

    private static func fault(_ source: inout ArrowArrayStream, _ status: Int32, _ what: String) -> Fault {
        let detail = source.get_last_error?(&source).map { ": " + printable(String(cString: $0)) } ?? ""
        return Fault(ASSAY_FAULT_STREAM, "the stream could not give \(what) (error \(status))\(detail)")
    }
}
