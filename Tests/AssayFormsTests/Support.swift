import Assay
import AssayForms
import Synchronization
import Testing

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

extension Trait where Self == ConditionTrait {
    /// For tests with back references and other patterns without a DFA, repairs with `replace`, or messages of PCRE2.
    /// Builds without the trait SystemPCRE2 skip them.
    static var needsPCRE2: Self { .enabled(if: hasPCRE2, "needs PCRE2") }
}

/// Whether this build has PCRE2.
let hasPCRE2 = EngineInfo.current.pcre2.hasPrefix("10.")
