#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The system gives no memory for something that a job needs.
///
/// Only for memory that Assay itself asks the system for. Where Swift's runtime gets none, it ends the process.
public struct NoMemoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How much was asked for; `nil`: not known.
    public var bytes: Int?
    /// What it was for.
    public var purpose: String
    /// What to do about it.
    public var hint: String

    /// An error.
    ///
    /// - Parameters:
    ///   - bytes: how much was asked for; `nil`: not known.
    ///   - purpose: what the memory was for, as in "matching patterns".
    ///   - hint: what to do about it.
    public init(
        bytes: Int? = nil, for purpose: String,
        hint: String = "let the process have more memory, or lower the limit record-bytes"
    ) {
        self.hint = hint
        self.bytes = bytes
        self.purpose = purpose
    }

    /// What could not be had, as part of a sentence.
    public var message: String {
        "there is no memory for \(purpose)" + (bytes.map { ", which may become \($0) bytes" } ?? "")
    }

    /// One line.
    public var description: String { "\(message); \(hint)" }

    /// The ``description``, as Foundation calls what people read. The `AssayForms` library makes it a `LocalizedError`.
    public var localizedDescription: String { description }
}

/// Memory from the system for `count` values, to be freed with ``release(_:)``. Unlike `allocate` it says so when there is
/// none.
package func reserve<Value>(
    _ count: Int, of type: Value.Type = Value.self, for purpose: @autoclosure () -> String
) throws(NoMemoryError) -> UnsafeMutablePointer<Value> {
    let bytes = max(1, count) * MemoryLayout<Value>.stride
    guard let memory = malloc(bytes) else { throw NoMemoryError(bytes: bytes, for: purpose()) }
    return memory.bindMemory(to: Value.self, capacity: count)
}

package func release<Value>(_ memory: UnsafeMutablePointer<Value>?) { free(memory) }

/// Ends the process where no error can be thrown for want of memory: in calls that judge a single value, or compile.
///
/// A command may want to clean up first: see ``endsOutOfMemory``.
package func outOfMemory() -> Never {
    if let end = endsOutOfMemory.withLock({ $0 }) { end() }
    fatalError("out of memory")
}

/// How a command ends when it has no memory left; `nil`: with a crash report, as a library must.
package let endsOutOfMemory = Lock<(@Sendable () -> Never)?>(nil)
