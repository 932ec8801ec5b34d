import CAssay
import Testing

@testable import Assay

/// Checks apply to repaired columns, and all changes are recorded.
@Suite("Judging repaired columns") struct RepairedColumnTests {
    /// A table, column by column; `nil` is a missing value, as in JSON.
    struct Table {
        var columns: [[String?]]

        /// The verdicts and the changes.
        struct Result {
            /// The failed rows of each rule.
            var failed: [String: [Int]] = [:]
            var missing: [Int] = []
            /// `row column value repairs`.
            var changes: [String] = []
        }

        /// - Parameter room: The number of bytes after the cells, or 0 to lend no room.
        func evaluated(by schema: Schema, broken: [Int] = [], room: Int) throws -> Result {
            let bound = try BoundSchema(CompiledSchema(schema), header: schema.fields.map(\.name))
            var evaluator = try SchemaEvaluator(bound, limits: MatchLimits())
            let rows = columns[0].count
            var bytes = Array(repeating: UInt8(ascii: " "), count: 20)
            var cells: [[assay_cell]] = []
            for column in columns {
                cells.append([])
                for text in column {
                    let count = text?.utf8.count ?? 0
                    cells[cells.count - 1].append(assay_cell(start: UInt32(bytes.count), length: UInt32(count)))
                    bytes += Array((text ?? "").utf8) + [UInt8(ascii: ",")]
                }
            }
            let used = bytes.count
            bytes += Array(repeating: 0, count: room)
            func mask(_ rows: [Int]) -> [UInt64] {
                var mask = [UInt64](repeating: 0, count: maskWords(columns[0].count))
                for row in rows { mask[row / 64] |= 1 << UInt64(row % 64) }
                return mask
            }
            let nulls = columns.map { column in
                let nulls = UnsafeMutablePointer<UInt64>.allocate(capacity: maskWords(rows))
                nulls.update(from: mask(column.indices.filter { column[$0] == nil }), count: maskWords(rows))
                return nulls
            }
            defer { for mask in nulls { mask.deallocate() } }
            let brokenMask = mask(broken)
            var result = Result()
            bytes.withUnsafeMutableBufferPointer { bytes in
                let base = bytes.baseAddress!
                evaluator.evaluate(rows: rows, broken: brokenMask) { position, target in
                    target.update(from: cells[position], count: rows)
                    let room = room == 0 ? nil : UnsafeMutableBufferPointer(start: base + used, count: room)
                    return GatheredCells(bytes: base, nulls: nulls[position], room: room)
                }
                for (index, rule) in bound.rules.enumerated() {
                    let failed = evaluator.failed(byRule: index)
                    let found = (0..<rows).filter { failed[$0 / 64] >> UInt64($0 % 64) & 1 != 0 }
                    if !found.isEmpty { result.failed[rule.id] = found }
                }
            }
            result.missing = evaluator.tally.missing
            if let repairer = evaluator.repairer {
                #expect(repairer.failure == nil)
                for repaired in repairer.repairedColumns {
                    let (column, changed) = (bound.columns[repaired.index], repaired.changed(as: 7))
                    #expect(changed.column == 7 && changed.count == rows)
                    for row in 0..<rows where changed.changed[row / 64] >> UInt64(row % 64) & 1 != 0 {
                        let cell = changed.cells[row]
                        let value = UnsafeBufferPointer(
                            start: changed.bytes + Int(cell.start), count: Int(cell.length))
                        let repairs = CompiledRepairs.indices(of: changed.causes[row]).map { column.repairNames[$0] }
                        result.changes.append(
                            "\(row) \(column.name) '\(String(decoding: value, as: UTF8.self))' "
                                + repairs.joined(separator: "+"))
                    }
                }
            }
            return result
        }
    }

    private static let schema = Schema(
        fields: [
            Field(
                name: "email", type: ValueType(.string, format: "email"), isRequired: true,
                repair: [.trim, .missing(["N/A"]), .canonical()]),
            Field(
                name: "born", type: .date,
                repair: [.canonical(Repair.CanonicalOptions(from: ["%d.%m.%Y", "%m/%d/%Y"]))]),
            Field(name: "mark", repair: [.default("none")]),
            Field(name: "plain"),
        ],
        rows: [RowRule(id: "order", check: "born < timestamp(\"2000-01-01T00:00:00Z\")")])

    private static let table = Table(columns: [
        ["anna@example.org", " Bo@EXAMPLE.org ", "N/A", "c", nil, "d@e.fr", "x@y.de"],
        ["1999-12-31", "31.12.1999", "12/31/2001", "31.13.1999", "", "2001-01-01", "1.1.2001"],
        ["a", "", nil, "b", "none", "c", "d"],
        ["1", "2", "3", "4", "5", "6", "7"],
    ])

    @Test(arguments: [0, 3, 1 << 16]) func evaluatedValuesAreRepaired(room: Int) throws {
        var schema = Self.schema
        schema.rows = []
        let result = try Self.table.evaluated(by: schema, broken: [6], room: room)
        #expect(result.failed == ["email.required": [2, 4], "email.format": [3], "born.type": [3]])
        #expect(result.missing == [2, 1, 0, 0])
        #expect(
            result.changes == [
                "1 email 'Bo@example.org' trim+canonical", "2 email '' missing",
                "1 born '1999-12-31' canonical", "2 born '2001-12-31' canonical",
                "1 mark 'none' default", "2 mark 'none' default",
            ])
    }

    @Test(arguments: [0, 1 << 16]) func rulesBetweenColumnsSeeRepairedValues(room: Int) throws {
        var schema = Self.schema
        schema.rows = [RowRule(id: "order", check: "mark == \"none\" || born < timestamp(\"2000-01-01T00:00:00Z\")")]
        let result = try Self.table.evaluated(by: schema, broken: [6], room: room)
        #expect(result.failed["order"] == [5])
    }

    @Test func withoutRepairsThereIsNoRepairer() throws {
        let schema = Self.schema.withoutRepairs
        #expect(schema.fields.allSatisfy { $0.repair.isEmpty })
        var plain = schema
        plain.rows = []
        let result = try Self.table.evaluated(by: plain, room: 0)
        #expect(result.changes.isEmpty)
        #expect(result.failed["email.format"] == [1, 2, 3])
    }
}
