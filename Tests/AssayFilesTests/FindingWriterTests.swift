import Assay
import AssayFiles
import AssayRules
import Synchronization
import Testing

/// Compares findings that the C core writes for whole slices with findings that Swift writes one by one, because it
/// needs their values.
struct FindingWriterTests {
    /// Rules that reject, warn and leave values undecided, with ids that need quotes in some dialects, and one that is
    /// a blank.
    static let rules = """
        fields:
          - name: b
            constraints: {required: true}
            rules:
              - {id: 'digits, or "none"', pattern: '[0-9]+'}
              - {id: 'short;no', maxLength: 3}
              - {id: port, type: string, format: port, severity: warn}
              - {id: ' ', pattern: '[^x]*'}
              - {id: dear, pattern: '(a+)+b\\1{0}|[^a]*', severity: warn}
          - name: a
            rules:
              - {id: cheap, pattern: '(a+)+b\\1{0}|[^a]*'}
              - {id: "two\\nlines", not: {pattern: '-.*'}}
          - name: c
            rules:
              - {id: mail, type: string, format: email, severity: warn}
              - {id: account, type: string, format: iban, severity: warn}
        """

    /// The variants of a run: format and number of findings, threads, dialect.
    struct Case: CustomStringConvertible, Sendable {
        var asCSV = false
        var annotate = false
        var limit = 1_000_000
        var threads = 1
        var dialect = Dialect(delimiter: UInt8(ascii: ","))
        var terminator = "\n"
        var description: String {
            """
            CSV: \(asCSV), annotate: \(annotate), most: \(limit), threads: \(threads), \(dialect), \
            \(terminator.utf8.count)
            """
        }
    }

    static let cases: [Case] = {
        let semicolon = UInt8(ascii: ";")
        let dialects = [
            Dialect(delimiter: UInt8(ascii: ",")), Dialect(delimiter: semicolon),
            Dialect(delimiter: UInt8(ascii: ","), quoteChar: UInt8(ascii: "'")),
            Dialect(delimiter: UInt8(ascii: ","), quoteChar: semicolon),
            Dialect(delimiter: UInt8(ascii: "\t"), quoteChar: nil), Dialect(delimiter: semicolon, quoteChar: nil),
            Dialect(delimiter: UInt8(ascii: ","), quoteChar: nil),
        ]
        var cases = dialects.map { Case(annotate: true, threads: 2, dialect: $0, terminator: "\r\n") }
        cases += [
            Case(), Case(asCSV: true), Case(asCSV: true, annotate: true, terminator: "\r"), Case(limit: 0),
            Case(annotate: true, limit: rows / 12),
            Case(asCSV: true, limit: rows / 2 + 1, threads: 2, terminator: "\r"),
            Case(threads: 3),
        ]
        return cases
    }()

    @Test("findings written per slice equal those written one by one", .needsPCRE2, arguments: FindingWriterTests.cases)
    func agree(it: Case) throws {
        let table = Self.table(it)
        let core = try Self.clean(table, it, kept: 0)
        let plain = try Self.clean(table, it, kept: .max)
        #expect(core.findings == plain.findings)
        #expect(core.rejects == plain.rejects)
        #expect(core.clean == plain.clean)
        var result = plain.result
        #expect(result.firstFindings.count == result.findings)
        result.firstFindings = []
        #expect(core.result == result)

        // The comparison covered all kinds of findings.
        let structure = result.structure
        let few = Self.rows / 400
        #expect(
            result.findings > Self.rows / 3 && result.undecided > few && structure.fields > few
                && structure.encoding > few)
        #expect(structure.tooLong == 1 && (structure.quote > few || it.dialect.quoteChar == nil))
        #expect(result.columns.flatMap(\.rules).allSatisfy { $0.failed + $0.warned + $0.undecided > 0 })
    }

    @Test("the summary gets the first written findings", .needsPCRE2, arguments: [1, 2])
    func keptFindings(threads: Int) throws {
        let table = Self.table(Case())
        let all = try Self.clean(table, Case(threads: threads), kept: .max).result.firstFindings
        for kept in [1, 10, Self.rows / 12] {
            #expect(
                try Self.clean(table, Case(threads: threads), kept: kept).result.firstFindings == Array(all[..<kept]))
        }
    }

    /// Values with different failure reasons, or without any reason.
    private static let thirds = [
        "ann@example.org", "ann@localhost", " ann@example.org", "ann.example.org", "DE89370400440532013000",
        "DE88370400440532013000", "de89 3704 0044 0532 0130 00", "some more text",
    ]

    private static func clean(_ table: [UInt8], _ it: Case, kept: Int) throws -> Outcome {
        var options = threads(it.threads)
        (options.keptFindings, options.annotate, options.maxFindings) = (kept, it.annotate, it.limit)
        var file = try RuleFile.parse(Array(rules.utf8), name: "rules.yaml")
        file.dialect = it.dialect
        (file.limits.recordBytes, file.limits.fieldBytes) = (100_000, 100_000)
        let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
        let result = try Cleaner(rules: file, options: options).run(
            PieceSource(table), to: Outputs(clean: good, rejects: bad, findings: findings, findingsAsCSV: it.asCSV))
        return Outcome(good, bad, findings, result)
    }

    /// The number of records. They have about 33 bytes, so that a chunk of 256 KiB ends among them. One in the middle
    /// is longer than a chunk.
    private static let rows = runsSlowTests ? 10_000 : 4_000

    /// The cached table of a dialect.
    private static func table(_ it: Case) -> [UInt8] {
        let key = [it.dialect.separator, it.dialect.quoteChar ?? 0] + Array(it.terminator.utf8)
        if let table = tables.withLock({ $0[key] }) { return table }
        let table = makeTable(it)
        tables.withLock { $0[key] = table }
        return table
    }

    private static let tables = Mutex<[[UInt8]: [UInt8]]>([:])

    /// In the first third, each record is on a separate line.
    private static func makeTable(_ it: Case) -> [UInt8] {
        var random = SeededGenerator(seed: 17)
        let delimiter = String(UnicodeScalar(it.dialect.separator))
        let quote = it.dialect.quoteChar.map { String(UnicodeScalar($0)) }
        let stubborn = String(repeating: "a", count: 40)
        var bytes = Array("a\(delimiter)b\(delimiter)c\(it.terminator)".utf8)
        for row in 0..<rows {
            let spansLines = row > rows / 3 && random.next() % 8 == 0
            var fields = ["row \(row)", "\(row % 1000)", Self.thirds[Int(random.next() % 8)]]
            if let quote, random.next() % 8 == 0 { fields[2] = "\(quote)a\(quote)\(quote)b@example.org\(quote)" }
            switch random.next() % 12 {
            case 0: fields[1] = "x"
            case 1: fields[1] = "12345"
            case 2: fields[1] = ""
            case 3: fields[1] = random.next() % 20 == 0 ? stubborn : "y y y"
            case 4: fields[0] = random.next() % 20 == 0 ? stubborn : "- and x"
            case 5: if let quote { fields[1] = "\(quote)1\(quote)\(quote)x\(quote)" }
            case 6: if spansLines, let quote { fields[0] = "\(quote)two\(it.terminator)lines\(quote)" }
            case 7 where random.next() % 10 == 0: fields.removeLast()
            case 8 where random.next() % 10 == 0: if let quote { fields[1] = "\(quote)1\(quote)2" }
            // More numbers of fields than a call of the C core receives.
            case 9 where row > rows * 2 / 3: fields += repeatElement("more", count: Int(random.next() % 40))
            default: break
            }
            let text = fields.joined(separator: delimiter)
            bytes += Array(text.utf8)
            if random.next() % 100 == 0 { bytes.append(0xE4) }
            if row == rows / 2 { bytes += Array(repeating: UInt8(ascii: "z"), count: 600_000) }
            bytes += Array(it.terminator.utf8)
        }
        // An unclosed quote, with no later quote that could close it.
        if let quote { bytes += Array("open\(delimiter)\(quote)x\(it.terminator)".utf8) }
        return bytes + Array("last\(delimiter)x".utf8)
    }
}
