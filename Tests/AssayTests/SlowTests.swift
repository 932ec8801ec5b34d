import Foundation

/// Whether tests run in their long form, with more generated input: `make test-all` sets ASSAY_SLOW_TESTS.
let runsSlowTests = ProcessInfo.processInfo.environment["ASSAY_SLOW_TESTS"] != nil
