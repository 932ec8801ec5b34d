internal import Observation

/// Tells Observation of reads and changes of a field's value.
///
/// A class of its own, that is not generic: its key path is made once for the program. One of `Validated<Value>` would be
/// made anew for each read, which takes longer than to validate most values.
final class Observed: Observable {
    private let registrar = ObservationRegistrar()
    private var value: Void { () }

    func wasRead() { registrar.access(self, keyPath: \.value) }

    func willChange(_ change: () -> Void) { registrar.withMutation(of: self, keyPath: \.value, change) }
}
