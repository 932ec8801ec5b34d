import AssayForms
import Synchronization

/// A validator of the first family that counts its calls.
final class CountingValidator: Validator {
    let calls = Mutex(0)
    let errorMessage = "Must be even"

    func isValid(value: Int?) -> Bool {
        calls.withLock { $0 += 1 }
        return value.map { $0 % 2 == 0 } ?? false
    }

    var count: Int { calls.withLock { $0 } }
}
