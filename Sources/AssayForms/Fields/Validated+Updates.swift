public import Assay

extension Validated {
    /// An asynchronous sequence of the errors after each change of the value. It does not need Combine.
    ///
    ///     for await errors in $email.updates { show(errors) }
    ///
    /// Like ``publisher``, it has an element for every change, including `[]`, but no element for the current value. It
    /// starts with the call, so that no change is lost before the loop starts, and changes are buffered for a slow
    /// loop. Validation stops when the task is cancelled or the sequence is deallocated, and the sequence ends when the
    /// field is deallocated. Each call returns a new sequence.
    public var updates: AsyncStream<[ValidationError]> {
        let listeners = listeners
        return AsyncStream { stream in
            let ticket = listeners.join(stream)
            stream.onTermination = { _ in listeners.leave(ticket) }
        }
    }
}
