public import Assay

extension Validated {
    /// An asynchronous sequence of the errors after each change of the value. It does not need Combine.
    ///
    ///     for await errors in $email.updates { show(errors) }
    ///
    /// Like ``publisher``, it has an element for every change, including `[]`, but no element for the current value. It
    /// collects changes from the call on, so that no change is lost before the loop starts or in a slow loop. It stops
    /// listening when the task is cancelled or the sequence is deallocated. It ends when the field is deallocated. Each
    /// call returns a new sequence.
    public var updates: AsyncStream<[ValidationError]> {
        let listeners = listeners
        return AsyncStream { stream in
            let ticket = listeners.join(stream)
            stream.onTermination = { _ in listeners.leave(ticket) }
        }
    }
}
