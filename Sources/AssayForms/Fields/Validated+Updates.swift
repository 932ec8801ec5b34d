public import Assay

extension Validated {
    /// The errors after each change of the value, for `for await`; no Combine needed.
    ///
    ///     for await errors in $email.updates { show(errors) }
    ///
    /// As ``publisher``: every change, `[]` included, and nothing before the first. It begins when it is asked for, so that no
    /// change is lost before the loop starts; changes that come faster than the loop wait for it. Validation stops when the task
    /// is cancelled or the sequence let go, and the sequence ends when the field is gone. Each call is a sequence of its own.
    public var updates: AsyncStream<[ValidationError]> {
        let listeners = listeners
        return AsyncStream { stream in
            let ticket = listeners.join(stream)
            stream.onTermination = { _ in listeners.leave(ticket) }
        }
    }
}
