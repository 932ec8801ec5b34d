internal import Observation

/// The connection of a field's value to Observation.
///
/// A separate class that is not generic, so that its key path is created once for the program. A key path of
/// `Validated<Value>` would be created for each read, which takes longer than most validations.
final class Observed: Observable {
    private let registrar = ObservationRegistrar()
    private var value: Void { () }

    func wasRead() { registrar.access(self, keyPath: \.value) }

    func willChange(_ change: () -> Void) { registrar.withMutation(of: self, keyPath: \.value, change) }
}
