import Assay
import AssayFiles
import AssayRules
import Synchronization
import Testing

struct CleanerTests {
    static let rules = """
        fields:
          - name: email
            constraints: {required: true, pattern: '[^@]+@[^@]+'}
          - name: age
            type: integer
            constraints: {minimum: 18}
            rules:
              - {id: age.round, pattern: '.*0', severity: warn}
        """

    @Test("good rows and bad rows are split, byte for byte, with the header in both")
    func split() throws {
        let outcome = try clean(
            "id,email,age\n1,a@b,20\r\n2,bad,30\n3,\"c@\nd\",40\n4,,50\n5,e@f,x\n6,g@h,17\n7,i@j,21",
            rules: Self.rules)
        #expect(outcome.cleanText == "id,email,age\n1,a@b,20\r\n3,\"c@\nd\",40\n7,i@j,21")
        #expect(outcome.rejectText == "id,email,age\n2,bad,30\n4,,50\n5,e@f,x\n6,g@h,17\n")
        #expect(
            outcome.findings == """
                {"record":2,"line":3,"offset":25,"column":"email","position":2,"rule":"email.pattern","code":"pattern","severity":"reject","message":"does not match [^@]+@[^@]+"}
                {"record":4,"line":6,"offset":46,"column":"email","position":2,"rule":"email.required","code":"required","severity":"reject","message":"is missing"}
                {"record":5,"line":7,"offset":56,"column":"age","position":3,"rule":"age.type","code":"type","severity":"reject","message":"is not an integer"}
                {"record":6,"line":8,"offset":64,"column":"age","position":3,"rule":"age.minimum","code":"minimum","severity":"reject","message":"is below 18"}
                {"record":6,"line":8,"offset":64,"column":"age","position":3,"rule":"age.round","code":"pattern","severity":"warn","message":"does not match .*0"}
                {"record":7,"line":9,"offset":73,"column":"age","position":3,"rule":"age.round","code":"pattern","severity":"warn","message":"does not match .*0"}

                """)
        #expect(outcome.result.records == 7 && outcome.result.clean == 3 && outcome.result.rejected == 4)
        #expect(outcome.result.columns[0].missing == 1)
        #expect(outcome.result.columns[1].rules.map(\.warned) == [0, 0, 2])
    }

    /// All outputs and counts must be independent of the distribution of the work.
    @Test("any number of threads and any size of pieces give the same bytes", arguments: [1, 2, 3, 8])
    func threadsAgree(count: Int) throws {
        let table = Self.table(rows: 40_000)
        var expected = try clean(table, rules: Self.rules, options: threads(1))
        expected.result.threads = count
        #expect(expected.result.rejected > 1000 && expected.result.structure.fields > 100)
        #expect(try clean(table, rules: Self.rules, options: threads(count)) == expected)
        #expect(try clean(table, rules: Self.rules, piece: 4093, options: threads(count)) == expected)
    }

    @Test("records in = clean + rejected, and every byte of the input is in exactly one output, for any bytes")
    func conservation() throws {
        var random = SeededGenerator(seed: 7)
        let alphabet: [UInt8] = Array("a,,\"\"\n\n\r x".utf8) + [0xFF, 0, 0xC3]
        for _ in 0..<300 {
            let size = Int.random(in: 0..<200, using: &random)
            let body = (0..<size).map { _ in alphabet.randomElement(using: &random)! }
            let header = Array("a,b\n".utf8)
            let outcome = try clean(header + body, options: threads(2)) { limits in
                limits.recordBytes = 40
                limits.fieldBytes = 20
            }
            let (good, bad) = (outcome.clean.dropFirst(4), outcome.rejects.dropFirst(4))
            #expect(good.count + bad.count == body.count)
            #expect((good + bad).sorted() == body.sorted())
            #expect(outcome.result.clean + outcome.result.rejected == outcome.result.records)
        }
    }

    @Test("a byte order mark is kept in both outputs and is no part of the first name")
    func byteOrderMark() throws {
        let outcome = try clean("\u{FEFF}email,age\na@b,20\nx,20\n", rules: Self.rules)
        #expect(outcome.cleanText == "\u{FEFF}email,age\na@b,20\n")
        #expect(outcome.rejectText == "\u{FEFF}email,age\nx,20\n")
    }

    @Test("without a header the fields are matched by position")
    func noHeader() throws {
        let outcome = try clean("a@b,20\nx,20\n", rules: Self.rules, dialect: Dialect(header: false))
        #expect(outcome.cleanText == "a@b,20\n")
        #expect(outcome.rejectText == "x,20\n")
    }

    @Test("a bare CR ends records when the first terminator is one")
    func carriageReturns() throws {
        let outcome = try clean("email,age\ra@b,20\rx,20\rc@d,30", rules: Self.rules)
        #expect(outcome.cleanText == "email,age\ra@b,20\rc@d,30")
        #expect(outcome.findings.contains(#""record":2,"line":3,"offset":17,"#))
        let other = try clean("email,age\nq\r@b,20\n", rules: Self.rules)
        #expect(other.result.records == 1 && other.result.rejected == 0)
    }

    @Test("a runaway quote costs one line, and an overlong line is rejected in pieces")
    func runaways() throws {
        let long = String(repeating: "x", count: 3_000_000)
        let text = "a,b\n1,\"open\n2,y\n" + long + "\n3,z\n"
        let outcome = try clean(text, options: threads(2)) { limits in
            limits.recordBytes = 100_000
            limits.fieldBytes = 100_000
        }
        #expect(outcome.cleanText == "a,b\n2,y\n3,z\n")
        #expect(outcome.rejectText == "a,b\n1,\"open\n" + long + "\n")
        #expect(outcome.result.records == 4)
        #expect(outcome.result.structure.quote == 1 && outcome.result.structure.tooLong == 1)
        #expect(outcome.findings.contains(#""record":4"#) == false)
    }

    @Test("annotated rejects carry their line and their reasons")
    func annotate() throws {
        var options = threads(2)
        options.annotate = true
        let outcome = try clean(
            "email,age\nx,17\na@b,20\n\"y\nz\",20\nshort\nlast,1", rules: Self.rules, options: options)
        #expect(
            outcome.rejectText
                == "email,age,_line,_reasons\nx,17,2,email.pattern;age.minimum\n\"y\nz\",20,4,email.pattern\n"
                + "short,6,structure.fields\nlast,1,7,email.pattern;age.minimum", "the last line break stays missing")
    }

    @Test("an overlong record that passes through in pieces is annotated at its end")
    func annotateOverlong() throws {
        var options = threads(2)
        options.annotate = true
        let long = String(repeating: "x", count: 3_000_000)
        let outcome = try clean("a,b\n1,2\n" + long + "\n3\n", options: options) { limits in
            limits.recordBytes = 100_000
            limits.fieldBytes = 100_000
        }
        #expect(
            outcome.rejectText
                == "a,b,_line,_reasons\n" + long + ",3,structure.too-long\n3,4,structure.fields\n")
    }

    @Test("without a header, the first readable record determines the number of fields")
    func brokenFirstRecord() throws {
        let outcome = try clean("\"a\"b,c\n1,2,3\n4,5,6\n", dialect: Dialect(header: false))
        #expect(outcome.cleanText == "1,2,3\n4,5,6\n")
    }

    @Test("names that look alike but are spelled otherwise are other names")
    func exactNames() throws {
        let rules =
            """
            fields: [{name: "\u{e9}", constraints: {pattern: "\u{e9}"}}, {name: "e\u{301}", constraints: \
            {pattern: "e\u{301}"}}]
            """
        let outcome = try clean("\u{e9},e\u{301}\n\u{e9},e\u{301}\ne\u{301},\u{e9}\n", rules: rules)
        #expect(outcome.result.clean == 1 && outcome.result.findings == 2)
    }

    @Test("limits and options out of their ranges are errors, and no traps")
    func ranges() throws {
        var rules = RuleFile()
        rules.limits.recordBytes = 5 << 30
        #expect(throws: CompileError.self) { try Cleaner(rules: rules) }
        var options = threads(1)
        options.head = -1
        #expect(try clean("a\n1\n", options: options).result.records == 0)
    }

    @Test("the first findings are written and the rest counted, for any number of threads", arguments: [1, 2])
    func maxFindings(count: Int) throws {
        var options = threads(count)
        options.maxFindings = 5
        let rows = (1...60_000).map { "bad\($0),20\n" }.joined()
        let outcome = try clean("email,age\n" + rows, rules: Self.rules, options: options)
        let records = outcome.findings.split(separator: "\n").map { $0.prefix(12) }
        #expect(records == (1...5).map { "{\"record\":\($0)," }.map { $0.prefix(12) })
        #expect(outcome.result.findings == 60_000 && outcome.result.findingsDropped == 59_995)
    }

    @Test("head reads exactly this number of records")
    func head() throws {
        var options = threads(2)
        options.head = 2
        let outcome = try clean("email,age\na@b,20\nx,20\nc@d,20\n", rules: Self.rules, options: options)
        #expect(outcome.result.records == 2)
        #expect(outcome.cleanText == "email,age\na@b,20\n")
    }

    @Test("the head of a table is the same however it is cut up", arguments: [0, 1, 2, 5, 90, 4_000])
    func headInPieces(head: Int) throws {
        var random = SeededGenerator(seed: UInt64(head) + 7)
        let parts = [
            "a", ",", ",", "\n", "\n", "\n", "\r\n", "\r", "\"", "\",", "\n\"", "\"\n", "é", "\u{0}", "x;y", "\"\"",
        ]
        for round in 0..<(runsSlowTests ? 120 : 12) {
            let length = Int.random(in: 0...(round % 3 == 0 ? 9_000 : 60), using: &random)
            let text = (0..<length).map { _ in parts.randomElement(using: &random)! }.joined()
            for header in [true, false] {
                var options = threads(1)
                options.head = head
                var dialect = Dialect()
                dialect.header = header
                func outcome(piece: Int) -> Result<Outcome, InputError> {
                    do {
                        return .success(try clean(text, piece: piece, options: options, dialect: dialect))
                    } catch {
                        return .failure(error as! InputError)
                    }
                }
                let uncut = outcome(piece: .max)
                for piece in [1, 2, 7, 100] where piece > 2 || length < 1_000 {
                    let cut = outcome(piece: piece)
                    switch (uncut, cut) {
                    case (.success(let one), .success(let other)): #expect(one == other, "\(text.debugDescription)")
                    case (.failure(let one), .failure(let other)): #expect(one == other, "\(text.debugDescription)")
                    default: Issue.record("\(uncut) and \(cut) of \(text.debugDescription)")
                    }
                }
            }
        }
    }

    @Test("findings contain no values of the data by default")
    func privacy() throws {
        let table = "email,age\nsecret-value,20\n"
        #expect(try !clean(table, rules: Self.rules).findings.contains("secret"))
        var options = threads(1)
        options.showValues = true
        let outcome = try clean(table, rules: Self.rules, options: options)
        #expect(outcome.findings.contains(#","value":"secret-value"}"#))
        #expect(outcome.result.firstFindings.first?.value == "secret-value")
    }

    @Test("a value that a limit stops is undecided, rejected, and counted as such", .needsPCRE2)
    func undecided() throws {
        let rules = "fields: [{name: a, constraints: {pattern: '(a+)+b\\1{0}'}}]"
        let outcome = try clean("a\n" + String(repeating: "a", count: 60) + "\nab\n", rules: rules)
        #expect(outcome.result.undecided == 1 && outcome.result.rejected == 1)
        #expect(outcome.findings.contains(#""rule":"a.pattern","code":"undecided""#))
    }

    @Test("a full disk ends the run with the system's error, for any number of threads", arguments: [1, 2, 4])
    func fullDisk(count: Int) throws {
        let cleaner = try Cleaner(rules: RuleFile(), options: threads(count))
        #expect(throws: FileError("write", path: "full.csv", code: 28)) {
            try cleaner.run(
                PieceSource(Self.table(rows: 60_000)), to: Outputs(clean: FullSink(room: 500_000)))
        }
    }

    @Test("progress comes to the end, and can cancel")
    func progress() throws {
        let table = Self.table(rows: 60_000)
        let last = Mutex(0)
        let cleaner = try Cleaner(rules: RuleFile(), options: threads(2))
        _ = try cleaner.run(PieceSource(table)) { progress in
            last.withLock { $0 = max($0, progress.bytes) }
            return .proceed
        }
        #expect(last.withLock { $0 } == table.count)
        #expect(throws: RunCancelled.self) { try cleaner.run(PieceSource(table)) { _ in .cancel } }
    }

    @Test("a run in a task has the outputs of a run that blocks, and ends with its task")
    func tasks() async throws {
        let table = Self.table(rows: 60_000)
        let cleaner = try Cleaner(
            rules: RuleFile.parse(Array(Self.rules.utf8), name: "rules.yaml"), options: threads(2))
        // A function that is not asynchronous, because an asynchronous one calls the asynchronous form.
        func blocking(_ outputs: Outputs) throws { _ = try cleaner.run(PieceSource(table), to: outputs) }
        let (clean, expected) = (MemorySink(), MemorySink())
        _ = try await cleaner.run(PieceSource(table), to: Outputs(clean: clean))
        try blocking(Outputs(clean: expected))
        let bytes = clean.take()
        #expect(bytes.count > 1_000_000)
        #expect(bytes == expected.take())
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await cleaner.run(PieceSource(table))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "an unsuitable table is an error with a suggestion",
        arguments: [
            ([0x1F, 0x8B, 8, 0], "gzip: it ends in the middle of a member"),
            ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard: it ends in the middle of a frame"),
            (Array("PK\u{3}\u{4}".utf8), "zip"), (Array("PAR1\u{15}\u{4}".utf8), "Parquet"),
            (Array("BZh91AY&SY".utf8), "bzip2"), (Array("a;b,c\n1;2,3\n".utf8), "may be ',' or ';'"),
            (Array("[{\"a\": 1}]".utf8), "is a JSON array, not CSV"), ([], "empty"), ([0x61, 0xE9, 0x0A], "not UTF-8"),
            (Array("\"a,b\n".utf8), "never closed"),
        ] as [([UInt8], String)])
    func otherFormats(bytes: [UInt8], what: String) {
        #expect { try clean(bytes) } throws: { "\($0)".contains(what) }
    }

    @Test(
        "missing columns are named, with suggestions",
        arguments: [
            ("id,emial,age\n", "no column is named 'email'   did you mean 'emial'?"),
            ("email,age,email\n", "occurs more than once (columns 1, 3)"),
        ])
    func binding(header: String, message: String) {
        #expect { try clean(header, rules: Self.rules) } throws: { "\($0)".contains(message) }
    }

    /// Good and bad rows of all kinds, without quotes that would join rows. At most 60,000 rows, about 1.7 MB: several
    /// chunks.
    static func table(rows: Int) -> [UInt8] { Array(longestTable.bytes[..<longestTable.ends[rows]]) }

    /// The longest table, and the end of each of its rows. Shared, because a build without optimization takes a second
    /// to make it.
    private static let longestTable: (bytes: [UInt8], ends: [Int]) = {
        var random = SeededGenerator(seed: 42)
        var text = "email,age\n"
        var ends = [text.utf8.count]
        for row in 0..<60_000 {
            switch random.next() % 20 {
            case 0: text += "bad\(row),20\n"
            case 1: text += "\"quoted\n\(row)@b\",20\n"
            case 2: text += "a@b,20,extra\n"
            case 3: text += "a@b,\(row % 30)\n"
            case 4: text += "\"doubled \"\"\(row)\"\" @b\",20\r\n"
            default: text += "user\(row)@example.org,\(20 + row % 50)\n"
            }
            ends.append(text.utf8.count)
        }
        return (Array(text.utf8), ends)
    }()
}
