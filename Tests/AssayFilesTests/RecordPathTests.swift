import Assay
import AssayFiles
import AssayRules
import Foundation
import Testing

/// Fields are paths into records in the same way for JSON Lines, CSV and records given as a dictionary. Python's tests
/// run the same cases (`Tests/Records/paths.json`) through tables of other libraries.
@Suite("Paths into records") struct RecordPathTests {
    struct Case: CustomTestStringConvertible, @unchecked Sendable {
        // SAFETY: JSON values, which are never mutated.
        let about: String
        let rules: RuleFile
        let records: [[String: Any]]
        let valid: [Bool]

        var testDescription: String { about }

        init(_ object: [String: Any]) throws {
            about = try #require(object["about"] as? String)
            records = try #require(object["records"] as? [[String: Any]])
            valid = try #require(object["valid"] as? [Bool])
            // `types: text`, because texts in JSON Lines must have the same verdicts as in other inputs.
            let described = try #require(object["rules"] as? [String: Any]).merging(["types": "text"]) { $1 }
            rules = try RuleFile.parse(Array(JSONSerialization.data(withJSONObject: described)), name: "rules.json")
        }

        /// The records as rows of a flat table.
        var rows: [[String: String]] { records.map { row($0, []) } }

        private func row(_ record: [String: Any], _ outer: [String]) -> [String: String] {
            var row: [String: String] = [:]
            for (key, value) in record {
                if let inner = value as? [String: Any] {
                    row.merge(self.row(inner, outer + [key])) { first, _ in first }
                } else {
                    row[RecordPath.columnName(outer + [key])] = value as? String ?? ""
                }
            }
            return row
        }
    }

    static let cases: [Case] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Records/paths.json")
        let list = try? JSONSerialization.jsonObject(with: Data(contentsOf: file.standardized)) as? [[String: Any]]
        return (list ?? []).compactMap { try? Case($0) }
    }()

    @Test func thereAreCases() { #expect(Self.cases.count >= 10) }

    private func verdicts(_ one: Case, of table: String, _ format: InputFormat) throws -> [Bool] {
        var options = CleanerOptions()
        options.format = format
        let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
        _ = try Cleaner(rules: one.rules, options: options).run(
            PieceSource(table), to: Outputs(clean: good, rejects: bad, findings: findings))
        let lines = String(decoding: findings.take(), as: UTF8.self).split(separator: "\n")
        let rejected = try lines.map { line in
            let finding = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(finding?["record"] as? Int)
        }
        return (1...one.records.count).map { !rejected.contains($0) }
    }

    @Test(arguments: cases) func jsonLines(_ one: Case) throws {
        let lines = try one.records.map { record in
            String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self) + "\n"
        }
        #expect(try verdicts(one, of: lines.joined(), .jsonLines) == one.valid)
    }

    @Test(arguments: cases) func bodies(_ one: Case) throws {
        let compiled = try one.rules.compiled()
        let verdicts = try one.records.map { record in
            compiled.failures(inJSON: try JSONSerialization.data(withJSONObject: record)).isEmpty
        }
        #expect(verdicts == one.valid)
    }

    @Test(arguments: cases) func csv(_ one: Case) throws {
        let rows = one.rows
        let names = Set(rows.flatMap { $0.filter { !$0.value.isEmpty }.keys }).sorted()
        let lines = [names] + rows.map { row in names.map { row[$0] ?? "" } }
        let table = lines.map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }.joined()
        #expect(try verdicts(one, of: table, .csv) == one.valid)
    }

    @Test(arguments: cases) func dictionaries(_ one: Case) throws {
        let requirement = try Requirement(one.rules.schema)
        #expect(one.rows.map { requirement.evaluate($0).isConfirmed } == one.valid)
    }
}
