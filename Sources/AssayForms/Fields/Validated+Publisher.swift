public import Assay

#if canImport(Combine)
    public import Combine
#else
    public import OpenCombineShim
#endif

extension Validated {
    /// The errors after each change of the value.
    ///
    ///     $email.publisher
    ///         .map { $0.map(\.localizedDescription).joined(separator: ", ") }
    ///         .sink { emailErrorLabel.text = $0 }
    ///
    /// Every change sends, and sends `[]` when the value is valid; subscribing sends nothing. The validators run once for each
    /// change however many subscribe, and not at all when nobody does: they stop when the last subscription is cancelled. Sends
    /// on the thread that changes the value, and finishes when the field is gone. From Combine, or from OpenCombine where the
    /// system has none.
    public var publisher: AnyPublisher<[ValidationError], Never> {
        let (subject, listeners) = (subject, listeners)
        return Deferred {
            let ticket = listeners.join()
            return subject.handleEvents(receiveCancel: { listeners.leave(ticket) })
        }
        .eraseToAnyPublisher()
    }
}
