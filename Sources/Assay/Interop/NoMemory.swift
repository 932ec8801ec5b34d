internal import CAssaySystem

/// The system has no memory for a part of a job.
///
/// Only for memory that Assay allocates from the system. If Swift's runtime cannot allocate memory, it ends the
/// process.
public struct NoMemoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requested number of bytes; `nil` if unknown.
    public var bytes: Int?
    /// The purpose of the memory.
    public var purpose: String
    /// A remedy.
    public var hint: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - bytes: The requested number of bytes; `nil` if unknown.
    ///   - purpose: The purpose of the memory, as in "matching patterns".
    ///   - hint: A remedy.
    public init(
        bytes: Int? = nil, for purpose: String,
        hint: String = "let the process have more memory, or lower the limit record-bytes"
    ) {
        self.hint = hint
        self.bytes = bytes
        self.purpose = purpose
    }

    /// The missing memory, as part of a sentence.
    public var message: String {
        "there is no memory for \(purpose)" + (bytes.map { ", which may become \($0) bytes" } ?? "")
    }

    /// The message and the hint in one line.
    public var description: String { "\(message); \(hint)" }

    /// The ``description``, under Foundation's name. `AssayForms` and `AssayFiles` add the conformance to
    /// `LocalizedError`.
    public var localizedDescription: String { description }
}

/// Allocates memory for `count` values, which must be freed with ``release(_:)``. Unlike `allocate`, it throws an error
/// if the system has no memory.
package func reserve<Value>(
    _ count: Int, of type: Value.Type = Value.self, for purpose: @autoclosure () -> String
) throws(NoMemoryError) -> UnsafeMutablePointer<Value> {
    let bytes = max(1, count) * MemoryLayout<Value>.stride
    guard let memory = malloc(bytes) else { throw NoMemoryError(bytes: bytes, for: purpose()) }
    return memory.bindMemory(to: Value.self, capacity: count)
}

package func release<Value>(_ memory: UnsafeMutablePointer<Value>?) { free(memory) }

/// Ends the process if memory runs out in a call that cannot throw an error, such as compiling, or the check of a
/// single value.
///
/// A command may clean up first: see ``endsOutOfMemory``.
package func outOfMemory() -> Never {
    if let end = endsOutOfMemory.withLock({ $0 }) { end() }
    fatalError("out of memory")
}

/// The function that ends a command when memory runs out; `nil`: end with a crash report, as a library must.
package let endsOutOfMemory = Lock<(@Sendable () -> Never)?>(ofProcess: nil)
