internal import Assay
internal import AssayRules
internal import CAssay

/// What is said of findings, decided once for a run.
struct FindingPlan: Sendable {
    /// Whether findings are written out at all, or only counted.
    var isWritten: Bool
    var format: FindingFormat
    var showValues: Bool
    /// The most findings written.
    var most: Int
    /// Findings kept as values, for the summary.
    var kept: Int
    /// Whether the rejects get `_line,_reasons`.
    var annotate: Bool
}

/// A worker that turns a chunk of records into verdicts: which records are rejected, and the findings as text.
///
/// Everything it needs is its own. `judge` overwrites what the chunk before left.
struct ChunkJudge: ~Copyable {
    private let dialect: assay_dialect
    private let columnCount: Int
    private let plan: FindingPlan
    private let templates: FindingTemplates
    private var schema: SchemaJudge

    /// Rejected entries of the chunk, a bit for each.
    private(set) var rejects: [UInt64] = []
    private(set) var rejectedRecords = 0
    /// Findings of the chunk as they are written; `ends[i]` is where finding i ends.
    private(set) var text: [UInt8] = []
    private(set) var ends: [Int] = []
    private(set) var findingCount = 0
    private(set) var kept: [Finding] = []
    /// What to append to each rejected record, in order; only when annotating.
    private(set) var annotations: [Annotation] = []

    private(set) var structure = StructureCounts()
    /// Records with a finding that is undecided.
    private(set) var undecidedRecords = 0
    var tally: RuleTally { schema.tally }

    struct Annotation {
        var line: Int
        var rules: [String]
    }

    init(
        schema: BoundSchema, limits: MatchLimits, dialect: assay_dialect, columnCount: Int, plan: FindingPlan,
        templates: FindingTemplates
    ) {
        self.schema = SchemaJudge(schema, limits: limits)
        self.dialect = dialect
        self.columnCount = columnCount
        self.plan = plan
        self.templates = templates
    }

    /// Judges a chunk.
    ///
    /// - Parameter room: how many more findings may be written.
    mutating func judge(_ chunk: Chunk, room: Int) {
        let entries = chunk.entries
        rejects.removeAll(keepingCapacity: true)
        rejects.append(contentsOf: repeatElement(0, count: maskWords(entries)))
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        annotations.removeAll(keepingCapacity: true)
        findingCount = 0
        rejectedRecords = 0
        var lines = LineCounter(chunk, endsAtCR: dialect.cr_ends)
        var used = UInt32(chunk.count)

        let most = Slice.rowsEach(of: entries)
        for first in stride(from: 0, to: entries, by: most) {
            let rows = min(most, entries - first)
            judgeSlice(chunk, first: first, rows: rows, used: &used, lines: &lines, room: room)
        }
        if chunk.startsWithContinuation { rejectedRecords -= 1 }
    }

    private mutating func judgeSlice(
        _ chunk: Chunk, first: Int, rows: Int, used: inout UInt32, lines: inout LineCounter, room: Int
    ) {
        let slice = Slice(chunk, first: first, rows: rows, columnCount: columnCount)
        slice.withBroken { broken, garbled in
            slice.judge(&schema, broken: broken, dialect: dialect, used: &used)
            for word in 0..<maskWords(rows) {
                let rejected = broken[word] | schema.rejects[word]
                rejects[first / 64 + word] = rejected
                rejectedRecords += rejected.nonzeroBitCount
                forEachBit(in: broken[word] | schema.marked[word]) { bit in
                    let row = word * 64 + bit
                    if broken[word] >> UInt64(bit) & 1 == 0 {
                        reportRules(chunk, entry: first + row, row: row, lines: &lines, room: room)
                    } else {
                        let isGarbled = garbled[word] >> UInt64(bit) & 1 != 0
                        reportBroken(chunk, entry: first + row, isGarbled: isGarbled, lines: &lines, room: room)
                    }
                }
            }
        }
    }

    /// Reports what the rules found in a record.
    private mutating func reportRules(
        _ chunk: Chunk, entry: Int, row: Int, lines: inout LineCounter, room: Int
    ) {
        var isUndecided = false
        var reasons: [String] = []
        // The loop below writes to the outputs while it reads the verdicts: take the one out of the other.
        var found = FoundRules()
        schema.forEachFinding(ofRow: row) { rule, undecided in found.append(rule: rule, isUndecided: undecided) }
        for index in 0..<found.count {
            let (rule, undecided) = found[index]
            var template = undecided ? templates.undecided[rule] : templates.failed[rule]
            isUndecided = isUndecided || undecided
            let field = chunk.fieldRange(entry, template.position - 1)
            if !undecided, isShown(room: room), let flawed = templates.flawed[rule] {
                template = text(of: field, in: chunk, isRecord: false).withUnsafeBufferPointer(flawed.template(for:))
            }
            report(template, chunk, entry: entry, at: field.lowerBound, field: field, lines: &lines, room: room)
            if plan.annotate && template.severity == .reject { reasons.append(template.rule) }
        }
        if isUndecided { undecidedRecords += 1 }
        if plan.annotate && !reasons.isEmpty {
            annotations.append(
                Annotation(line: lines.line(at: Int(chunk.record(entry).start), entry: entry), rules: reasons))
        }
    }

    /// Reports a record that could not be read as one: it has exactly one finding.
    private mutating func reportBroken(
        _ chunk: Chunk, entry: Int, isGarbled: Bool, lines: inout LineCounter, room: Int
    ) {
        let record = chunk.record(entry)
        if record.flags & UInt32(ASSAY_RECORD_CONTINUATION) != 0 {
            if plan.annotate {
                annotations.append(Annotation(line: chunk.overlongLine, rules: [templates.tooLong.rule]))
            }
            return
        }
        let template: FindingTemplate
        if isGarbled {
            structure.encoding += 1
            structure.looksLikeWindows1252 += looksLikeWindows1252(chunk, record) ? 1 : 0
            template = templates.encoding
        } else if record.flags & UInt32(ASSAY_RECORD_TOO_LONG) != 0 {
            structure.tooLong += 1
            template = templates.tooLong
        } else if record.flags & UInt32(ASSAY_RECORD_QUOTE_UNCLOSED) != 0 {
            structure.quote += 1
            template = templates.quoteUnclosed
        } else if record.flags & UInt32(ASSAY_RECORD_QUOTE_TEXT) != 0 {
            structure.quote += 1
            template = templates.quoteText
        } else {
            structure.fields += 1
            template = templates.fields(chunk.fieldCount(entry))
        }
        let start = Int(record.start)
        report(template, chunk, entry: entry, at: start, field: start..<Int(record.end), lines: &lines, room: room)
        if plan.annotate {
            annotations.append(Annotation(line: lines.line(at: start, entry: entry), rules: [template.rule]))
        }
    }

    private mutating func report(
        _ template: FindingTemplate, _ chunk: Chunk, entry: Int, at place: Int, field: Range<Int>,
        lines: inout LineCounter, room: Int
    ) {
        findingCount += 1
        guard isShown(room: room) else { return }
        let isWritten = plan.isWritten && ends.count < room
        let isKept = kept.count < plan.kept
        let record = chunk.recordNumber(entry)
        let line = lines.line(at: place, entry: entry)
        let value: [UInt8]? = plan.showValues ? text(of: field, in: chunk, isRecord: template.position == 0) : nil
        if isWritten {
            if let value {
                value.withUnsafeBufferPointer {
                    template.append(record: record, line: line, offset: chunk.firstOffset + place, value: $0, to: &text)
                }
            } else {
                template.append(record: record, line: line, offset: chunk.firstOffset + place, value: nil, to: &text)
            }
            ends.append(text.count)
        }
        if isKept {
            kept.append(
                template.finding(
                    record: record, line: line, offset: chunk.firstOffset + place,
                    value: value.map { String(decoding: $0, as: UTF8.self) }))
        }
    }

    /// Whether the next finding is read by anybody, or only counted.
    private func isShown(room: Int) -> Bool { (plan.isWritten && ends.count < room) || kept.count < plan.kept }

    /// The text of a cell without its quotes; of a broken record, its bytes without the terminator.
    private func text(of field: Range<Int>, in chunk: Chunk, isRecord: Bool) -> [UInt8] {
        let bytes = Array(UnsafeBufferPointer(start: chunk.bytes + field.lowerBound, count: field.count))
        if isRecord { return splitTerminator(bytes, endsAtCR: dialect.cr_ends).record }
        guard dialect.quoting, bytes.count >= 2, bytes.first == dialect.quote, bytes.last == dialect.quote else {
            return bytes
        }
        var text: [UInt8] = []
        var index = 1
        while index < bytes.count - 1 {
            text.append(bytes[index])
            index += bytes[index] == dialect.quote && index + 2 < bytes.count ? 2 : 1
        }
        return text
    }

    /// Whether the bytes above ASCII are letters and signs of Western European text in Windows-1252.
    private func looksLikeWindows1252(_ chunk: Chunk, _ record: assay_record) -> Bool {
        let bytes = UnsafeBufferPointer(
            start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        let high = bytes.filter { $0 >= 0x80 }
        let likely = high.filter { $0 >= 0xC0 || (0x91...0x97).contains($0) || $0 == 0x80 || $0 == 0xA0 }
        return !high.isEmpty && likely.count * 10 >= high.count * 8
    }
}

/// The rules that found something in one record. A record rarely has more than one, so the first stands in place.
private struct FoundRules {
    private var first: (rule: Int, isUndecided: Bool) = (0, false)
    private var others: [(rule: Int, isUndecided: Bool)] = []
    private(set) var count = 0

    mutating func append(rule: Int, isUndecided: Bool) {
        if count == 0 { first = (rule, isUndecided) } else { others.append((rule, isUndecided)) }
        count += 1
    }

    subscript(index: Int) -> (rule: Int, isUndecided: Bool) { index == 0 ? first : others[index - 1] }
}

/// The physical line of a place in a chunk. Places are asked for in ascending order, so that each byte is looked at once.
struct LineCounter {
    private let chunk: Chunk
    private let endsAtCR: Bool
    private let isOneEach: Bool
    private var place = 0
    private var line: Int

    init(_ chunk: Chunk, endsAtCR: Bool) {
        self.chunk = chunk
        self.endsAtCR = endsAtCR
        // Where every record is one line, the line follows from the number of the record.
        isOneEach =
            Int(chunk.batch.pointee.lines) == chunk.entries && !chunk.startsWithContinuation
            && !chunk.batch.pointee.has_quotes
        line = chunk.linesBefore + 1
    }

    @inline(__always)
    mutating func line(at target: Int, entry: Int) -> Int {
        if isOneEach { return chunk.linesBefore + entry + 1 }
        if target > place {
            line += lines(in: place..<target)
            place = target
        } else if target < place {
            return line - lines(in: target..<place)
        }
        return line
    }

    private func lines(in range: Range<Int>) -> Int {
        let feeds = assay_bytes_count(chunk.bytes + range.lowerBound, range.count, 10)
        if !endsAtCR { return feeds }
        // Where a bare CR ends records, so do LF and CR LF; the latter is one line and not two.
        var lines = feeds + assay_bytes_count(chunk.bytes + range.lowerBound, range.count, 13)
        for index in range where index > 0 && chunk.bytes[index] == 10 && chunk.bytes[index - 1] == 13 { lines -= 1 }
        return lines
    }
}

/// Records that could not be read as such, by kind.
public struct StructureCounts: Hashable, Sendable {
    /// Another number of fields than the header.
    public var fields = 0
    /// A quote that never closes, or text after a closing quote.
    public var quote = 0
    /// Over the field or record limit.
    public var tooLong = 0
    /// Not UTF-8.
    public var encoding = 0
    /// How many of those look like Windows-1252.
    package var looksLikeWindows1252 = 0

    package mutating func add(_ other: StructureCounts) {
        fields += other.fields
        quote += other.quote
        tooLong += other.tooLong
        encoding += other.encoding
        looksLikeWindows1252 += other.looksLikeWindows1252
    }
}

/// The findings of a rule that asks for a built-in type, one for each flaw that a value can have.
struct FlawedTemplates: Sendable {
    private let rule: CompiledRule
    private let plain: FindingTemplate
    private let byFlaw: [FindingTemplate]

    init(_ rule: CompiledRule, plain: FindingTemplate) {
        self.rule = rule
        self.plain = plain
        byFlaw = Flaw.all.map { plain.saying("\(plain.message): \($0.text)") }
    }

    /// The finding of a value that failed.
    func template(for value: UnsafeBufferPointer<UInt8>) -> FindingTemplate {
        rule.flaw(of: value).map { byFlaw[$0] } ?? plain
    }
}

/// The templates of a run, by rule.
struct FindingTemplates: Sendable {
    let failed: [FindingTemplate]
    let undecided: [FindingTemplate]
    /// Of rules that can say what is wrong with a value.
    let flawed: [FlawedTemplates?]
    let encoding: FindingTemplate
    let tooLong: FindingTemplate
    let quoteUnclosed: FindingTemplate
    let quoteText: FindingTemplate
    private let format: FindingFormat
    private let columnCount: Int
    private let fewFields: [FindingTemplate]

    init(_ schema: BoundSchema, format: FindingFormat, columnCount: Int, limits: Limits) {
        func record(_ code: String, _ message: String) -> FindingTemplate {
            FindingTemplate(
                format: format, column: nil, position: 0, rule: code, code: code, severity: .reject, message: message)
        }
        func rules(_ make: (CompiledRule) -> (code: String, message: String)) -> [FindingTemplate] {
            schema.columns.flatMap { column in
                column.rules.map { index in
                    let rule = schema.rules[index]
                    let (code, message) = make(rule)
                    return FindingTemplate(
                        format: format, column: column.name, position: column.position + 1, rule: rule.id, code: code,
                        severity: rule.severity, message: message)
                }
            }
        }
        failed = rules { ($0.code, $0.message) }
        undecided = rules { ("undecided", $0.undecidedMessage) }
        let asked = schema.columns.flatMap { $0.rules.map { schema.rules[$0] } }
        flawed = zip(asked, failed).map { rule, plain in
            rule.hasFlaws ? FlawedTemplates(rule, plain: plain) : nil
        }
        encoding = record("encoding", "is not well-formed UTF-8")
        tooLong = record(
            "structure.too-long",
            "is over \(limits.recordBytes) bytes, or has a field over \(limits.fieldBytes) (--limit)")
        quoteUnclosed = record("structure.quote", "has a quote that is never closed")
        quoteText = record("structure.quote", "has text after a closing quote")
        self.format = format
        self.columnCount = columnCount
        fewFields = (0...min(2 * columnCount, 64)).map { Self.fields($0, expected: columnCount, format) }
    }

    /// The template for a record with this many fields.
    func fields(_ count: Int) -> FindingTemplate {
        count < fewFields.count ? fewFields[count] : Self.fields(count, expected: columnCount, format)
    }

    private static func fields(_ count: Int, expected: Int, _ format: FindingFormat) -> FindingTemplate {
        FindingTemplate(
            format: format, column: nil, position: 0, rule: "structure.fields", code: "structure.fields",
            severity: .reject, message: "has \(count) field\(count == 1 ? "" : "s") where \(expected) are expected")
    }
}
