import Foundation
import Testing

@testable import Assay

/// The tables of the article "From NSPredicate and NSRegularExpression", verified line by line with both engines.
struct ICUDifferencesTests {
    /// A line of a table: the documented verdict of each engine for a pattern and a value.
    struct Difference: CustomTestStringConvertible, Sendable {
        var line: Int
        var pattern: String
        var value: String
        var icu: Answer
        var pcre2: Answer
        var compatible: Answer

        var testDescription: String { "line \(line): \(pattern)" }
    }

    /// `yes`, `no`, `error` or `refused`, and the version of PCRE2, if the verdict depends on it.
    struct Answer: Equatable, Sendable {
        var verdict: String
        var version: String?

        init(_ cell: String) {
            let parts = cell.split(separator: " ", maxSplits: 1)
            verdict = parts[0] == "refused" ? "error" : String(parts[0])
            version = parts.count > 1 ? parts[1].trimmingCharacters(in: ["(", ")"]) : nil
        }

        var holdsHere: Bool { version.map { EngineInfo.current.pcre2.hasPrefix($0 + " ") } ?? true }
    }

    @Test("a line of the tables", .needsPCRE2, arguments: try differences())
    func holds(_ difference: Difference) {
        let icu = ICUEngine(difference.pattern).map { $0.matches(difference.value) }
        #expect(word(icu) == difference.icu.verdict, "ICU")
        if difference.pcre2.holdsHere {
            #expect(
                word(try? Pattern(difference.pattern).matches(difference.value)) == difference.pcre2.verdict, "PCRE2")
        }
        if difference.compatible.holdsHere {
            let pattern = try? Pattern(difference.pattern, dialect: .icu)
            #expect(word(pattern?.matches(difference.value)) == difference.compatible.verdict, "icuCompatible")
        }
    }

    @Test("each line is a difference, and the switch agrees with ICU or refuses, unless versions differ")
    func claims() throws {
        let differences = try Self.differences()
        #expect(differences.count > 70)
        for difference in differences {
            #expect(difference.icu.verdict != difference.pcre2.verdict, "\(difference.testDescription)")
            if difference.compatible.version == nil {
                #expect(
                    [difference.icu.verdict, "error"].contains(difference.compatible.verdict),
                    "\(difference.testDescription)")
            }
        }
    }

    private func word(_ matches: Bool?) -> String { matches.map { $0 ? "yes" : "no" } ?? "error" }

    private static func differences() throws -> [Difference] {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Sources/Assay/Assay.docc/FromNSPredicate.md").standardizedFileURL
        let lines = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n")
        var differences: [Difference] = []
        var isInTable = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("| pattern | value | ICU |") {
                isInTable = true
            } else if !line.hasPrefix("|") {
                isInTable = false
            } else if isInTable, !line.hasPrefix("|---") {
                // Inside a table a | is written \|.
                let cells = line.replacingOccurrences(of: #"\|"#, with: "\u{0}").components(separatedBy: "|")
                    .map { $0.replacingOccurrences(of: "\u{0}", with: "|").trimmingCharacters(in: [" "]) }
                differences.append(
                    Difference(
                        line: index + 1, pattern: code(cells[1]),
                        value: unescaped(String(code(cells[2]).dropFirst().dropLast())),
                        icu: Answer(cells[3]), pcre2: Answer(cells[4]), compatible: Answer(cells[5])))
            }
        }
        return differences
    }

    /// The text between backticks; empty for `*nothing*`.
    private static func code(_ cell: String) -> String {
        cell.hasPrefix("`") ? String(cell.dropFirst().dropLast()) : ""
    }

    /// The value of a Swift literal with `\n`, `\r` and `\u{…}`.
    private static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "\\") {
            result += rest[..<start]
            rest = rest[start...].dropFirst()
            switch rest.popFirst() {
            case "n": result += "\n"
            case "r": result += "\r"
            default:
                let end = rest.firstIndex(of: "}")!
                let value = UInt32(rest[..<end].dropFirst(), radix: 16)!
                result.unicodeScalars.append(Unicode.Scalar(value)!)
                rest = rest[end...].dropFirst()
            }
        }
        return result + rest
    }
}
