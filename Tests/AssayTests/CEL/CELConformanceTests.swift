import Assay
import Foundation
import Testing

/// The conformance cases of cel-spec: correct within the subset, rejected with the name of the feature outside of it.
@Suite("CEL: the conformance cases of cel-spec")
struct CELConformanceTests {
    /// Cases that are neither correct nor rejected, with the reason.
    private static let differences: [String: String] = [
        "comparisons/eq_literal/not_eq_double_nan": noInfinity,
        "comparisons/ne_literal/ne_double_nan": noInfinity,
        "comparisons/ne_literal/not_ne_double_nan": noInfinity,
        "fp_math/fp_math/divide_zero": noInfinity,
        "conversions/int/double_big_precision": exact,
        "conversions/int/double_int_max_range": exact,
        "conversions/int/double_int_min_range": exact,
        "fp_math/fp_math/fp_underflow": exact,
    ]
    private static let noInfinity = "numbers are decimals: a division by zero is undecided, no infinity and no NaN"
    private static let exact = "numbers are decimals: exact where a double rounds"

    /// The suite of Tests/Suites, as Scripts/suites.sh unpacks it.
    private static let folder: String = {
        let suites = ProcessInfo.processInfo.environment["ASSAY_SUITES"] ?? ""
        if !suites.isEmpty { return suites + "/cel-spec" }
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).dropFirst().joined(separator: "/")
        return "/\(root)/build/suites/cel-spec"
    }()

    private static let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".textproto") }.sorted()

    @Test(
        "each case is right, refused by name, or a difference that is listed",
        .enabled(if: !files.isEmpty, "no suite in build/suites/cel-spec: run sh Scripts/suites.sh"))
    func conformance() throws {
        var tally: [String: Int] = [:]
        var unlisted: [String] = []
        var differing: Set<String> = []
        for test in try cases() {
            switch verdict(of: test) {
            case .right(let how): tally["right" + how, default: 0] += 1
            case .refused(let feature): tally["refused: \(feature)", default: 0] += 1
            case .different(let what):
                differing.insert(test.id)
                if Self.differences[test.id] == nil { unlisted.append("\(test.id): \(test.expression): \(what)") }
            }
        }
        for (what, count) in tally.sorted(by: { $0.key < $1.key }) { print("cel-spec: \(count) \(what)") }
        print("cel-spec: \(differing.count) different")
        #expect(unlisted == [])
        #expect(Set(Self.differences.keys).subtracting(differing) == [], "listed, and yet right or refused")
    }

    private enum Verdict {
        /// With the method, unless the expression was run.
        case right(String)
        /// With the feature that the message names.
        case refused(String)
        case different(String)
    }

    private func verdict(of test: CELConformanceCase) -> Verdict {
        if test.hasOtherVariables { return .refused("variables of other types") }
        let variables = test.variables.map(\.variable)
        do {
            let program = try CELProgram(compiling: test.expression, variables: variables, mustBe: nil)
            let outcome = program.outcome { test.variables[$0].value }
            switch (test.expectation, outcome) {
            case (.error, .undecided): return .right("")
            case (.value(let expected), .value(let value)) where expected == value: return .right("")
            default: return .different("\(outcome) instead of \(test.expectation)")
            }
        } catch {
            if let feature = error.feature { return .refused(feature) }
            if case .error = test.expectation { return .right(", an error that is found when it is read") }
            if test.isUnchecked { return .refused("what CEL's own type checker refuses") }
            return .different(error.message)
        }
    }

    private func cases() throws -> [CELConformanceCase] {
        var cases: [CELConformanceCase] = []
        var seen: [String: Int] = [:]
        for file in Self.files {
            let data = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + file))
            for section in TextProto.file(Array(data))[all: "section"] {
                for test in section[all: "test"] {
                    let names = [file.replacing(".textproto", with: ""), section["name"]?.text, test["name"]?.text]
                    var id = names.compactMap { $0 }.joined(separator: "/")
                    seen[id, default: 0] += 1
                    if let count = seen[id], count > 1 { id += " \(count)" }
                    cases.append(CELConformanceCase(test, id: id))
                }
            }
        }
        return cases
    }
}

extension CELMistake {
    /// The feature of CEL that, according to the message, row rules lack.
    fileprivate var feature: String? {
        guard let range = message.range(of: "CEL's ") else {
            return message.hasPrefix("the elements of a list need one type") ? "lists of several types" : nil
        }
        let rest = message[range.upperBound...]
        return rest.range(of: " are not").map { String(rest[..<$0.lowerBound]) }
            ?? rest.range(of: " is not").map { String(rest[..<$0.lowerBound]) } ?? String(rest)
    }
}
