import Assay
import Foundation
import Testing

/// Whether tests run in their long form, with more generated input: `make test-all` sets ASSAY_SLOW_TESTS.
let runsSlowTests = ProcessInfo.processInfo.environment["ASSAY_SLOW_TESTS"] != nil

extension Trait where Self == ConditionTrait {
    /// For tests with back references and other patterns without a DFA, repairs with `replace`, or messages of PCRE2.
    /// Builds without the trait SystemPCRE2 skip them.
    static var needsPCRE2: Self { .enabled(if: hasPCRE2, "needs PCRE2") }
}

/// Whether this build has PCRE2.
let hasPCRE2 = EngineInfo.current.pcre2.hasPrefix("10.")
