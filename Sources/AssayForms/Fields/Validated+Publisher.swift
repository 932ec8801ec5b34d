public import Assay

#if canImport(Combine)
    public import Combine
#else
    public import OpenCombineShim
    #if !Forms
        #error("AssayForms needs OpenCombine: enable the trait 'Forms' of the package")
    #endif
#endif

extension Validated {
    /// A publisher of the errors after each change of the value.
    ///
    ///     $email.publisher
    ///         .map { $0.map(\.localizedDescription).joined(separator: ", ") }
    ///         .sink { emailErrorLabel.text = $0 }
    ///
    /// It sends after every change, including `[]` for valid values, but not on subscription. The validators run once
    /// for each change, regardless of the number of subscribers, and do not run after the last subscription is
    /// cancelled. It sends on the thread that changes the value, and finishes when the field is deallocated. From
    /// Combine, or from OpenCombine on systems without Combine.
    public var publisher: AnyPublisher<[ValidationError], Never> {
        let (subject, listeners) = (subject, listeners)
        return Deferred {
            let ticket = listeners.join()
            return subject.handleEvents(receiveCancel: { listeners.leave(ticket) })
        }
        .eraseToAnyPublisher()
    }
}
