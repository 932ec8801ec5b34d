import Assay
import Testing

@testable import AssayRules

/// The rules of a text without mistakes, with the policy of rules in code, so that they can be compared with such
/// rules.
func rules(_ text: String, limits: Limits = Limits(), at location: SourceLocation = #_sourceLocation) throws -> RuleFile
{
    do {
        var file = try RuleFile.parse(Array(text.utf8), name: "rules.yaml", limits: limits)
        #expect(file.policy == (limits.trustsRuleFiles ? .anyFile : .noFiles), sourceLocation: location)
        file.policy = .anyFile
        return file
    } catch {
        Issue.record("\(error)", sourceLocation: location)
        throw error
    }
}

/// The first field of a text without mistakes.
func field(_ text: String, at location: SourceLocation = #_sourceLocation) throws -> Field {
    try #require(rules(text, at: location).schema.fields.first, sourceLocation: location)
}

/// The rendered mistakes of a text; empty if there are no mistakes.
func mistakes(_ text: String, limits: Limits = Limits()) -> String { mistakes(Array(text.utf8), limits: limits) }

func mistakes(_ bytes: [UInt8], limits: Limits = Limits()) -> String {
    do {
        _ = try RuleFile.parse(bytes, name: "rules.yaml", limits: limits)
        return ""
    } catch {
        return error.description
    }
}

/// A seeded generator, so that failing cases can be reproduced.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    // SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests with back references and other patterns without a DFA, repairs with `replace`, or messages of PCRE2.
    /// Builds without the trait SystemPCRE2 skip them.
    static var needsPCRE2: Self { .enabled(if: hasPCRE2, "needs PCRE2") }
}

/// Whether this build has PCRE2.
let hasPCRE2 = EngineInfo.current.pcre2.hasPrefix("10.")
