import CAssay
import Testing

@testable import Assay

/// Row rules must have the same results over columns and row by row.
@Suite("Row rules over columns") struct RowRuleTests {
    private static let fields = [
        Field(name: "a", type: .integer), Field(name: "b", type: .integer), Field(name: "p", type: .number),
        Field(name: "q", type: ValueType(.number, decimalChar: ",")), Field(name: "s"), Field(name: "t"),
        Field(name: "d", type: .date), Field(name: "e", type: .datetime), Field(name: "f", type: .boolean),
        Field(name: "g", type: .duration), Field(name: "y", type: .year),
    ]

    /// Cells of a table, column by column.
    struct Table {
        var columns: [[String]]

        /// Runs rules over the table. Returns the failed and undecided rows of each rule.
        func evaluated(_ rules: [RowRule], now: Timestamp? = nil) throws -> [(failed: [Int], undecided: [Int])] {
            let schema = Schema(fields: RowRuleTests.fields, rows: rules)
            let bound = try BoundSchema(CompiledSchema(schema), header: schema.fields.map(\.name))
            var evaluator = try SchemaEvaluator(bound, limits: MatchLimits())
            evaluator.setNow(now)
            let rows = columns[0].count
            // Preceded by bytes, because engines may read before a value.
            var bytes = Array(repeating: UInt8(ascii: "7"), count: 20)
            var cells: [[assay_cell]] = []
            for column in columns {
                cells.append([])
                for text in column {
                    cells[cells.count - 1].append(
                        assay_cell(start: UInt32(bytes.count), length: UInt32(text.utf8.count)))
                    bytes += Array(text.utf8)
                }
            }
            let broken = [UInt64](repeating: 0, count: maskWords(rows))
            return bytes.withUnsafeBufferPointer { bytes in
                evaluator.evaluate(rows: rows, broken: broken) { position, target in
                    target.update(from: cells[position], count: rows)
                    return GatheredCells(bytes: bytes.baseAddress!)
                }
                return bound.rowRuleRange.map { rule in
                    func set(_ mask: UnsafePointer<UInt64>) -> [Int] {
                        (0..<rows).filter { mask[$0 / 64] >> UInt64($0 % 64) & 1 != 0 }
                    }
                    return (set(evaluator.failed(byRule: rule)), set(evaluator.undecided(byRule: rule)))
                }
            }
        }
    }

    private static let values: [[String]] = [
        ["", "0", "1", "-7", "12", "9223372036854775807", "9223372036854775808", "007"],
        ["", "0", "2", "-3", "100", "-9223372036854775808", "5"],
        ["", "0", "1.50", "-2.25", "1e3", "0.000000000000000001", "123456789012345678901234567890", "12.5"],
        ["", "0", "1,5", "-2,25", "1000", "NaN", "0,1"],
        ["", "x", "ab", "Zürich", "a,b", "DE123"], ["", "x", "b", "ab", "DE"],
        ["", "2026-01-31", "1999-12-31", "2026-02-01", "0001-01-01", "9999-12-31"],
        ["", "2026-01-31T00:00:00", "2026-01-31T12:30:00Z", "1999-12-31T23:59:59.5Z", "2026-02-01T00:00:00+01:00"],
        ["", "true", "false", "1"], ["", "PT1H", "P1D", "P1M", "-PT30M"], ["", "2026", "1999"],
    ]

    private static let expressions = [
        "a < b", "a + b == 12", "a * b > 0", "a / b == 0", "a % b == 1", "-a > b", "a - b >= 0", "p > q",
        "p + q == 3.0",
        "p * 2 > q", "p - q < 0.5", "p == 1.5", "p * q > 1", "p / q > 1", "a > p", "a in [1, 12]", "b in [0, 5, 100]",
        "s == t", "s < t", "s >= t", "s != 'ab'", "s in ['x', 'ab']", "s.startsWith(t)", "s.endsWith(t)",
        "s.contains(t)", "s.matches('^[A-Z]{2}')", "size(s) > 2", "size(s) == size(t)", "d < e", "d == e", "e > d",
        "d > timestamp('2026-01-15T00:00:00Z')", "d.getFullYear() == 2026", "d.getMonth() == 0",
        "d.getDayOfWeek() == 6",
        "e.getHours() > 0", "e - d > duration('1h')", "d + g > e", "f", "!f", "f == true", "f && a > 0", "f || a > 0",
        "has(a)", "has(s) && s == 'x'", "!has(s) || has(t)", "has(a) ? a > 0 : f", "f ? a > b : p > q",
        "b != 0 && a / b > 0", "y == 2026", "y - d.getFullYear() == 0", "f ? p > 1 : q < 0.5", "(f ? a : b) > 3",
        "(f ? p : q) > 1", "string(a) == '12'", "int(p) == 1", "double(a) == p", "a == 9223372036854775807",
        "s + t == 'xx'", "g > duration('30m')", "[a, b].exists(v, v > 10)", "p * p * p * p > 1",
    ]

    @Test("columns agree with single rows, on random cells", arguments: [1, 63, 64, 129])
    func agreement(rows: Int) throws {
        var random = SeededGenerator(seed: UInt64(rows))
        try expectAgreement(Self.expressions, rows: rows, &random)
    }

    private static let clockExpressions = [
        "e < now()", "now() <= e", "e == now()", "e != now()", "now() - e > duration('1h')", "e - now() < g",
        "now() + g > e", "now() - g >= d", "d == today()", "d < today()", "today() - d == g", "now() in [d, e]",
        "(f ? now() : today()) > e", "(f ? now() : now()) > e", "f ? e < now() : d < today()",
        "now().getFullYear() - d.getFullYear() >= 18", "now().getSeconds() > e.getSeconds()",
        "now() in [timestamp('2026-01-31T12:30:00Z'), timestamp('2026-01-31T12:30:00.5Z')]",
        "now() - (now() - e) == e", "e - (e - now()) == now()", "now().getMilliseconds() > 0",
        "[d, e].all(x, x < now())", "string(now()) != s", "now() - duration('400ms') < e",
        "now() + duration('400ms') < e", "now() - today() < g",
    ]

    /// The model has the time as a literal.
    @Test(
        "now() and today() have one value, over columns and row by row",
        arguments: [
            "2026-01-31T00:00:00Z", "2026-01-31T12:30:00Z", "2026-01-31T12:30:00.5Z", "2026-01-31T12:30:00.999999999Z",
            "1999-12-31T23:59:59.5Z", "0001-01-01T00:00:00.25Z", "9999-12-31T23:59:59.75Z", "1969-12-31T23:59:59.1Z",
        ])
    func clock(now: String) throws {
        let time = try #require(Timestamp(now))
        #expect(time.description == now)
        var random = SeededGenerator(seed: UInt64(bitPattern: time.secondsSince1970))
        try expectAgreement(Self.clockExpressions, rows: 130, now: time, &random)
        let expressions = (0..<(runsSlowTests ? 400 : 40)).map { _ in
            Self.expression(of: .bool, depth: 4, hasClock: true, &random)
        }
        try expectAgreement(expressions, rows: 130, now: time, &random)
    }

    @Test("most rules with now() run over columns")
    func clockColumns() throws {
        let schema = Schema(fields: Self.fields, rows: Self.clockExpressions.map { RowRule(id: $0, check: $0) })
        let slow = try CompiledSchema(schema).rowRules.filter { $0.operation == nil }.map(\.program.text)
        #expect(
            slow == [
                "now() in [d, e]", "now().getMilliseconds() > 0", "[d, e].all(x, x < now())", "string(now()) != s",
                "now() - duration('400ms') < e", "now() + duration('400ms') < e",
            ])
        #expect(try CompiledSchema(schema).usesNow)
        #expect(try !CompiledSchema(Schema(fields: Self.fields)).usesNow)
    }

    @Test("an evaluator without a time reads the clock once")
    func clockIsReadOnce() throws {
        let table = Table(columns: Self.fields.map { _ in Array(repeating: "", count: 130) })
        let before = Timestamp.now()
        let rules = ["now() == now()", "timestamp('\(before)') <= now()", "now() - today() < duration('24h')"]
        for found in try table.evaluated(rules.map { RowRule(id: $0, check: $0) }) {
            #expect(found.failed.isEmpty && found.undecided.isEmpty)
        }
    }

    @Test("columns agree with single rows, for random expressions", arguments: 1...(runsSlowTests ? 30 : 3))
    func randomAgreement(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let expressions = (0..<40).map { _ in Self.expression(of: .bool, depth: 4, &random) }
        try expectAgreement(expressions, rows: 130, &random)
    }

    /// An expression that mostly runs over columns.
    private static func expression(
        of type: CELType, depth: Int, hasClock: Bool = false, _ random: inout SeededGenerator
    ) -> String {
        func part(_ type: CELType) -> String {
            expression(of: type, depth: depth - 1, hasClock: hasClock, &random)
        }
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random)! }
        let leaves: [CELType: [String]] = [
            .bool: ["f", "true", "has(a)", "has(s)"], .int: ["a", "b", "y", "0", "-3", "9223372036854775807"],
            .number: ["p", "q", "0.5", "-2.25"], .string: ["s", "t", "'ab'", "''"],
            .timestamp: ["d", "e"] + (hasClock ? ["now()", "now()", "today()"] : []),
            .duration: ["g", "duration('90m')"],
        ]
        if depth == 0 || Int.random(in: 0..<6, using: &random) == 0 { return pick(leaves[type]!) }
        let same = [CELType.bool, .int, .number, .string, .timestamp, .duration].randomElement(using: &random)!
        switch type {
        case .bool:
            return switch Int.random(in: 0..<9, using: &random) {
            case 0: "(\(part(.bool)) && \(part(.bool)))"
            case 1: "(\(part(.bool)) || \(part(.bool)))"
            case 2: "!\(part(.bool))"
            case 3: "(\(part(.bool)) ? \(part(.bool)) : \(part(.bool)))"
            case 4: "\(part(.string)).\(pick(["startsWith", "endsWith", "contains"]))(\(part(.string)))"
            case 5: "(\(part(.int)) in [0, 12, -7])"
            case 6: "(\(part(same)) \(pick(["==", "!="])) \(part(same)))"
            default:
                "(\(part(same == .bool ? .int : same)) \(pick(["<", "<=", ">", ">="])) "
                    + "\(part(same == .bool ? .number : same)))"
            }
        case .int:
            return switch Int.random(in: 0..<5, using: &random) {
            case 0: "size(\(part(.string)))"
            case 1: "\(part(.timestamp)).\(pick(["getFullYear", "getMonth", "getDate", "getDayOfWeek"]))()"
            case 2: "(\(part(.bool)) ? \(part(.int)) : \(part(.int)))"
            default: "(\(part(.int)) \(pick(["+", "-", "*", "/", "%"])) \(part(.int)))"
            }
        case .number:
            return Bool.random(using: &random)
                ? "(\(part(.number)) \(pick(["+", "-", "*"])) \(part(.number)))"
                : "(\(part(.bool)) ? \(part(.number)) : double(\(part(.int))))"
        case .timestamp: return "(\(part(.timestamp)) \(pick(["+", "-"])) \(part(.duration)))"
        case .duration: return "(\(part(.timestamp)) - \(part(.timestamp)))"
        default: return pick(leaves[type]!)
        }
    }

    private func expectAgreement(
        _ expressions: [String], rows: Int, now: Timestamp? = nil, _ random: inout SeededGenerator
    ) throws {
        let table = Table(
            columns: Self.values.map { values in (0..<rows).map { _ in values.randomElement(using: &random)! } })
        let rules = expressions.enumerated().map { RowRule(id: "r\($0.offset)", check: $0.element) }
        let evaluated = try table.evaluated(rules, now: now)
        for (rule, found) in zip(rules, evaluated) {
            var plain = rule
            if let now {
                plain.check = rule.check.replacing("now()", with: "timestamp('\(now)')")
                    .replacing("today()", with: "timestamp('\(now.description.prefix(10))T00:00:00Z')")
            }
            let program = try plain.program(for: Self.fields)
            var (failed, undecided): ([Int], [Int]) = ([], [])
            for row in 0..<rows {
                switch program.outcome({ Self.outcome(table.columns[$0][row], Self.fields[$0].type.kind) }) {
                case .value(.bool(false)): failed.append(row)
                case .undecided: undecided.append(row)
                default: break
                }
            }
            #expect(found.failed == failed, "\(rule.check)")
            #expect(found.undecided == undecided, "\(rule.check)")
        }
    }

    /// The value of a single cell.
    private static func outcome(_ text: String, _ kind: ValueType.Kind) -> CELOutcome {
        if text.isEmpty { return .absent }
        func value(_ conversion: String, _ text: String) -> CELOutcome {
            let program = try! CELProgram(
                compiling: "\(conversion)(text)", variables: [CELVariable("text", .string)], mustBe: nil)
            return program.outcome { _ in .value(.string(text)) }
        }
        switch kind {
        case .integer, .year: return value("int", text)
        case .number:
            return text == "NaN" ? .undecided : value("double", text.split(separator: ",").joined(separator: "."))
        case .date: return value("timestamp", text + "T00:00:00Z")
        case .datetime:
            let hasZone = text.hasSuffix("Z") || text.dropFirst(19).contains("+")
            return value("timestamp", hasZone ? text : text + "Z")
        case .boolean: return .value(.bool(text != "false"))
        case .duration:
            let durations = ["PT1H": "1h", "P1D": "24h", "-PT30M": "-30m"]
            return durations[text].map { value("duration", $0) } ?? .undecided
        default: return .value(.string(text))
        }
    }

    @Test("most rules run over columns")
    func columns() throws {
        let schema = Schema(fields: Self.fields, rows: Self.expressions.map { RowRule(id: $0, check: $0) })
        let slow = try CompiledSchema(schema).rowRules.filter { $0.operation == nil }.map(\.program.text)
        #expect(
            slow == [
                "p / q > 1", "string(a) == '12'", "int(p) == 1", "s + t == 'xx'", "[a, b].exists(v, v > 10)",
            ])
    }

    @Test("a rule does not run for a cell that failed its own checks")
    func failedCells() throws {
        var columns = Self.fields.map { _ in [""] }
        columns[0] = ["abc"]
        columns[1] = ["3"]
        let table = Table(columns: columns)
        let evaluated = try table.evaluated([
            RowRule(id: "x", check: "has(a) && a > b"), RowRule(id: "y", check: "b > 5"),
        ])
        #expect(evaluated[0].failed.isEmpty && evaluated[0].undecided.isEmpty)
        #expect(evaluated[1].failed == [0])
    }
}
