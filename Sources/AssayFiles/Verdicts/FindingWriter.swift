internal import Assay
internal import AssayRules
internal import CAssay

/// The output of findings, decided once for a run.
struct FindingPlan: Sendable {
    /// Whether findings are written, or only counted.
    var isWritten: Bool
    var showValues: Bool
    /// The maximum number of written findings.
    var limit: Int
    /// The maximum number of findings to keep as values for the summary.
    var kept: Int
    /// Whether the rejects get `_line,_reasons`.
    var annotate: Bool
}

/// The number of findings that are still wanted, written and kept as values.
struct FindingRoom {
    var written: Int
    var kept: Int
}

/// The findings of a worker's chunk: as text, as values, and as notes of its rejected records.
///
///                 failed, undecided            the C core, for whole slices ─┐
///     slice ────► a mask for each rule ───────►                              ├──► text, notes
///                 broken records               one by one, in Swift ─────────┘    kept
///
/// Findings that must be kept as values or must show a value are added one by one, because the C core supports only
/// text without values. A test compares both ways.
///
/// It has more than twelve properties, because it keeps the memory of all its intermediate lists for the next chunk.
struct FindingWriter: ~Copyable {
    let plan: FindingPlan
    /// The templates by file of the table, and those of the chunk's file.
    private let allTemplates: [FindingTemplates]
    private(set) var templates: FindingTemplates
    private var input = 0
    private var dialect: assay_dialect
    var endsAtCR: Bool { dialect.cr_ends }
    let delimiterBytes: Int
    let handle: UnsafeMutablePointer<assay_findings>
    private(set) var room = FindingRoom(written: 0, kept: 0)
    /// The findings of the slice for the C core; kept to reuse the memory.
    private var kinds: [assay_finding_kind] = []
    private var reasonMasks = ReasonMasks(rows: Slice.maxRows)
    /// The kinds of broken records, each with the mask of its rows.
    private var brokenKinds: [(template: ObjectIdentifier, rows: UnsafeMutablePointer<UInt64>)] = []
    private var brokenTemplates: [FindingTemplate] = []
    private var brokenRows = ReasonMasks(rows: Slice.maxRows)
    /// The maximum number of such kinds per call of the C core. Each record with invalid UTF-8 is a kind.
    private static let maxBrokenKinds = 16
    /// The templates for records with a wrong field count up to ``StructureTemplates/fewFields``, by field count.
    private var fewFields: [FindingTemplate?]
    /// The last template for a record with a larger field count, because the next such record usually has the same
    /// count.
    private var manyFields: (count: Int, template: FindingTemplate)?
    /// A finding or a note for the C core; kept to reuse the memory.
    var piece: [UInt8] = []

    /// Findings of the chunk, written or not.
    var count = 0
    /// The first findings as values.
    var kept: [Finding] = []
    /// Malformed records of the chunk.
    private(set) var structure = RunResult.Structure()
    /// Set if memory for findings ran out. The written findings are then incomplete.
    private(set) var failure: NoMemoryError?
    /// A sample of the chunk's records that are not UTF-8.
    var misencodedSample: [UInt8] = []
    /// The first findings of each rule in all chunks so far.
    var firsts = FirstFindings()
    /// The line numbers of malformed records, which are requested in ascending order.
    private var brokenLines = assay_lines()
    /// The maximum size of the sample of records that are not UTF-8, in bytes.
    static let misencodedBytes = 1 << 16
    /// Records of the chunk with an undecided finding.
    var undecidedRecords = 0

    /// The text of the chunk's findings. Valid until the next chunk.
    var text: UnsafePointer<assay_pieces> { UnsafePointer(handle.pointer(to: \.text)!) }
    /// Returns at most `limit` of the chunk's first findings as text. Valid until the next chunk.
    func written(atMost limit: Int) -> (bytes: UnsafeRawBufferPointer, count: Int) {
        let text = text.pointee
        let count = min(limit, text.count)
        let bytes = UnsafeRawBufferPointer(start: text.bytes, count: count == 0 ? 0 : text.ends[count - 1])
        return (bytes, count)
    }
    /// The notes to append to the rejected records, in order; only when annotating. Valid until the next chunk.
    var notes: UnsafePointer<assay_pieces> { UnsafePointer(handle.pointer(to: \.notes)!) }

    init(_ plan: FindingPlan, _ allTemplates: [FindingTemplates], dialect: assay_dialect) throws(NoMemoryError) {
        let templates = allTemplates[0]
        var form = templates.style.form
        guard let handle = assay_findings_create(&form) else { throw Self.noMemory }
        self.plan = plan
        self.templates = templates
        self.allTemplates = allTemplates
        fewFields = Array(repeating: nil, count: templates.structure.fewFields + 1)
        self.dialect = dialect
        delimiterBytes = withUnsafePointer(to: dialect) { Int(assay_dialect_delimiter_bytes($0)) }
        self.handle = handle
    }

    deinit { assay_findings_free(handle) }

    /// Begins a chunk.
    mutating func begin(_ chunk: Chunk, room: FindingRoom) {
        self.room = room
        if chunk.input != input {
            input = chunk.input
            templates = allTemplates[input]
            for index in fewFields.indices { fewFields[index] = nil }
            manyFields = nil
        }
        count = 0
        structure = RunResult.Structure()
        undecidedRecords = 0
        kept.removeAll(keepingCapacity: true)
        misencodedSample.removeAll(keepingCapacity: true)
        brokenLines = chunk.lines(endsAtCR: dialect.cr_ends)
        assay_findings_begin(
            handle, chunk.batch, chunk.bytes, dialect.cr_ends, UInt64(chunk.recordNumber(0)),
            UInt64(chunk.linesBefore + 1), UInt64(chunk.firstOffset), plan.isWritten ? room.written : 0)
    }

    /// Adds the findings of a slice, record by record.
    ///
    /// - Parameters:
    ///   - broken: Rows that are not records or not UTF-8. They have no other findings.
    ///   - misencoded: The broken rows that are not UTF-8.
    mutating func add(
        _ slice: Slice, _ schema: borrowing SchemaEvaluator, _ lists: inout ListEvaluators,
        broken: UnsafePointer<UInt64>,
        misencoded: UnsafePointer<UInt64>
    ) {
        countFindings(slice, schema, lists.findings, words: maskWords(slice.rows))
        keepFirsts(slice, schema)
        var row = 0
        while row < slice.rows && isOneByOne {
            row = min(
                assay_mask_next(schema.marked, slice.rows, row), assay_mask_next(broken, slice.rows, row),
                lists.findings.nextRow(of: slice, from: row))
            if row == slice.rows { return }
            if isSet(broken, row) {
                addBroken(slice, row: row, isMisencoded: isSet(misencoded, row))
            } else {
                add(slice, schema, &lists, row: row)
            }
            row += 1
        }
        while row < slice.rows {
            let inList = lists.findings.nextRow(of: slice, from: row)
            addRows(slice, row..<inList, broken: broken, misencoded: misencoded)
            // Rows with findings in lists are added one by one.
            if inList < slice.rows && (plan.annotate || isWriting) {
                add(slice, schema, &lists, row: inList)
            }
            row = inList + 1
        }
    }

    /// Adds the findings of rules in a range of rows, and its broken records.
    private mutating func addRows(
        _ slice: Slice, _ rows: Range<Int>, broken: UnsafePointer<UInt64>, misencoded: UnsafePointer<UInt64>
    ) {
        let kindsOfRules = kinds.count
        var row = rows.lowerBound
        while row < rows.upperBound {
            let end = listBroken(slice, row..<rows.upperBound, broken: broken, misencoded: misencoded)
            if !kinds.isEmpty && (plan.annotate || isWriting) {
                expectMemory(
                    assay_findings_add_rows(
                        handle, kinds, kinds.count, UInt32(slice.first), UInt32(row), UInt32(end), plan.annotate))
            }
            kinds.removeLast(kinds.count - kindsOfRules)
            row = end
        }
    }

    /// Whether findings are still written.
    var isWriting: Bool { plan.isWritten && handle.pointee.text.count < room.written }

    /// Whether all findings are added one by one because they need features that the C core lacks. `isOneByOne` also
    /// covers temporary reasons.
    private var isAlwaysOneByOne: Bool { plan.showValues || (plan.annotate && !templates.style.canJoinReasons) }
    private var isOneByOne: Bool { isAlwaysOneByOne || kept.count < room.kept }

    /// Counts the findings of rules, and lists their kinds in reported order.
    private mutating func countFindings(
        _ slice: Slice, _ schema: borrowing SchemaEvaluator, _ lists: ListFindings, words: Int
    ) {
        kinds.removeAll(keepingCapacity: true)
        reasonMasks.removeAll()
        count += lists.count
        if schema.rulesWithFindings.isEmpty && lists.count == 0 && !schema.hasOver { return }
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { undecidedRows in
            undecidedRows.update(repeating: 0)
            for (word, rows) in lists.undecided.enumerated() { undecidedRows[word] = rows }
            for rule in schema.rulesWithFindings {
                let (failed, undecided) = (schema.failed(byRule: rule), schema.undecided(byRule: rule))
                let failedCount = assay_mask_count(failed, words)
                if failedCount > 0 {
                    if let reasonTemplates = templates.reasonTemplates[rule], isWriting, !isAlwaysOneByOne {
                        // A value has one failure reason, so that the order of the rules is kept.
                        reasonTemplates.forEachTemplate(
                            in: slice, evaluator: schema, dialect: dialect, masks: &reasonMasks
                        ) {
                            kinds.append($0.kind(rows: $1, places: slice.places(position: $0.position - 1)))
                        }
                    } else {
                        let template = templates.failed[rule]
                        kinds.append(
                            template.kind(rows: failed, places: slice.places(position: template.position - 1)))
                    }
                }
                count += failedCount
                if assay_mask_merge(undecidedRows.baseAddress!, undecided, words) {
                    listUndecided(rule, undecided, schema.exhaustedRows(byRule: rule), slice)
                    count += assay_mask_count(undecided, words)
                }
            }
            if schema.hasOver {
                assay_mask_merge(undecidedRows.baseAddress!, schema.over, words)
                kinds.append(templates.budget.kind(rows: schema.over))
                count += assay_mask_count(schema.over, words)
            }
            undecidedRecords += assay_mask_count(undecidedRows.baseAddress!, words)
        }
    }

    /// Lists the kinds of findings for rows that a rule left undecided. Each row has one kind, so that the order of the
    /// rules is kept.
    private mutating func listUndecided(
        _ rule: Int, _ rows: UnsafePointer<UInt64>, _ exhausted: [Int: CELResource], _ slice: Slice
    ) {
        let places = slice.places(position: templates.undecided(rule).position - 1)
        if exhausted.isEmpty { return kinds.append(templates.undecided(rule).kind(rows: rows, places: places)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.rows) { kindOfRow in
            kindOfRow.initialize(repeating: 0)
            for (row, resource) in exhausted { kindOfRow[row] = UInt8(1 + resource.rawValue) }
            reasonMasks.part(
                rows, rows: slice.rows, by: kindOfRow.baseAddress!, kinds: 1 + CELResource.allCases.count
            ) { kind, rows in
                let resource = kind == 0 ? nil : CELResource(rawValue: kind - 1)
                kinds.append(templates.undecided(rule, resource).kind(rows: rows, places: places))
            }
        }
    }

    /// Adds the findings of rules in a record and in its lists, one by one.
    private mutating func add(
        _ slice: Slice, _ schema: borrowing SchemaEvaluator, _ lists: inout ListEvaluators, row: Int
    ) {
        let entry = slice.first + row
        var reasons: [String] = []
        var list = lists.findings.has(row) ? 0 : lists.count
        schema.forEachFinding(ofRow: row) { rule, undecided in
            var template =
                undecided
                ? templates.undecided(rule, schema.exhaustedRows(byRule: rule)[row]) : templates.failed[rule]
            let column = template.position == 0 ? .max : template.position - 1
            addLists(before: column, slice, row: row, &lists, next: &list, to: &reasons)
            let place = slice.place(entry, position: template.position - 1, delimiterBytes: delimiterBytes)
            if !undecided, isWriting || kept.count < room.kept, let reasonTemplates = templates.reasonTemplates[rule] {
                template = reasonTemplates.template(
                    for: text(of: slice, entry: entry, position: template.position),
                    kind: slice.json?.kinds(template.position - 1)?[row], evaluator: schema)
            }
            add(template, slice, entry: entry, at: place)
            if plan.annotate && template.severity == .reject { reasons.append(template.rule) }
        }
        addLists(before: .max, slice, row: row, &lists, next: &list, to: &reasons)
        if schema.hasOver && isSet(schema.over, row) {
            add(templates.budget, slice, entry: entry, at: Int(slice.chunk.record(entry).start))
            if plan.annotate { reasons.append(templates.budget.rule) }
        }
        if !reasons.isEmpty { addNote(slice.chunk, entry: entry, reasons) }
    }

    /// Adds the findings in the lists of a row that precede a column. After the limit on written findings, only the
    /// rules count, each once.
    private mutating func addLists(
        before column: Int, _ slice: Slice, row: Int, _ lists: inout ListEvaluators, next list: inout Int,
        to reasons: inout [String]
    ) {
        while list < lists.count && lists.column(list) < column {
            var seen: Set<Int> = []
            while plan.annotate || isWriting || kept.count < room.kept,
                let element = lists.nextElement(list, ofRow: row, slice)
            {
                lists.forEachFinding(list, of: element) { rule, isUndecided in
                    let template = lists.template(list, rule, isUndecided, input: slice.chunk.input)
                    if plan.annotate && template.severity == .reject && seen.insert(rule).inserted {
                        reasons.append(template.rule)
                    }
                    if isWriting || kept.count < room.kept {
                        let found = lists.finding(list, of: element, rule, isUndecided, slice)
                        add(found.template, slice, entry: slice.first + row, at: found.place, value: found.value)
                    }
                }
            }
            list += 1
        }
    }

    /// Counts a malformed record and returns the template of its only finding. Returns `nil` if the finding was already
    /// reported at the start of the record.
    private mutating func brokenTemplate(_ slice: Slice, row: Int, _ isMisencoded: Bool) -> FindingTemplate? {
        let (chunk, entry) = (slice.chunk, slice.first + row)
        let record = chunk.record(entry)
        if record.flags & UInt32(ASSAY_RECORD_COMMENT) != 0 { return nil }
        if let sample = slice.sample, !sample.contains(chunk.recordNumber(entry)) { return nil }
        if record.flags & UInt32(ASSAY_RECORD_CONTINUATION) != 0 {
            addNote(
                chunk, entry, line: chunk.overlongLine,
                slice.json != nil ? [] : [templates.structure.tooLongRecord.rule])
            return nil
        }
        count += 1
        if isMisencoded {
            structure.encoding += 1
            if templates.structure.hasControls(chunk, record) { structure.controls += 1 }
            keepMisencoded(chunk, record)
            // A custom message costs more than the rest of the finding.
            let isShown =
                isWriting || kept.count < room.kept || firsts.lacksStructure(templates.structure.encoding.code)
            return isShown
                ? templates.structure.misencoded(chunk, entry, delimiterBytes: delimiterBytes)
                : templates.structure.encoding
        } else if record.flags & UInt32(ASSAY_RECORD_TOO_LONG) != 0 {
            structure.tooLong += 1
            let isContinued = record.flags & UInt32(ASSAY_RECORD_CONTINUED) != 0
            let isRecord = isContinued || Int(record.end - record.start) > templates.structure.limits.recordBytes
            let lines = chunk.linesAfterFirst(entry, endsAtCR: dialect.cr_ends)
            return naming(
                isRecord ? templates.structure.tooLongRecord : templates.structure.tooLongField, lines: lines, entry,
                chunk)
        } else if record.flags & UInt32(ASSAY_RECORD_QUOTE_UNCLOSED) != 0 {
            structure.quote += 1
            return naming(templates.structure.quoteUnclosed, lines: chunk.linesRead(entry), entry, chunk)
        } else if record.flags & UInt32(ASSAY_RECORD_QUOTE_TEXT) != 0 {
            structure.quote += 1
            return templates.structure.quoteText
        } else if let json = slice.json {
            let mistake = json.mistake(row)
            if mistake.code == .ASSAY_JSON_BLANK { structure.blank += 1 } else { structure.json += 1 }
            return templates.structure.mistake(mistake.code)
        } else if chunk.isBlank(entry) {
            structure.blank += 1
            return templates.structure.blank
        } else {
            structure.fields += 1
            let template = fieldsTemplate(chunk.fieldCount(entry))
            if brokenLines.is_regular { return template }
            return naming(template, lines: chunk.linesAfterFirst(entry, endsAtCR: dialect.cr_ends), entry, chunk)
        }
    }

    /// Returns a template that names the lines of a malformed record, if it has several and the finding is shown.
    ///
    /// - Parameter lines: The number of lines after the first one.
    private mutating func naming(
        _ template: FindingTemplate, lines: Int, _ entry: Int, _ chunk: Chunk
    ) -> FindingTemplate {
        let isShown = isWriting || kept.count < room.kept || firsts.lacksStructure(template.code)
        if lines == 0 || !isShown { return template }
        let first = Int(assay_lines_at(&brokenLines, Int(chunk.record(entry).start), UInt32(entry)))
        return template.saying(
            FindingText.reading(template.message, lines: first...first + lines), style: templates.style)
    }

    private mutating func fieldsTemplate(_ count: Int) -> FindingTemplate {
        let known =
            count < fewFields.count ? fewFields[count] : manyFields.flatMap { $0.count == count ? $0.template : nil }
        if let known { return known }
        let template = templates.structure.fields(count)
        if count < fewFields.count { fewFields[count] = template } else { manyFields = (count, template) }
        return template
    }

    /// Counts the broken records in a range of rows, and lists their kinds after those of the rules.
    ///
    /// - Returns: The end of the range, or the row at which the maximum number of kinds was reached.
    private mutating func listBroken(
        _ slice: Slice, _ rows: Range<Int>, broken: UnsafePointer<UInt64>, misencoded: UnsafePointer<UInt64>
    ) -> Int {
        brokenKinds.removeAll(keepingCapacity: true)
        brokenTemplates.removeAll(keepingCapacity: true)
        brokenRows.removeAll()
        var row = assay_mask_next(broken, rows.upperBound, rows.lowerBound)
        while row < rows.upperBound && brokenKinds.count < Self.maxBrokenKinds {
            if let template = brokenTemplate(slice, row: row, isSet(misencoded, row)) {
                let identity = ObjectIdentifier(template)
                let known = brokenKinds.first { $0.template == identity }
                let mask = known?.rows ?? addKind(of: template, slice, row: row)
                mask[row / 64] |= 1 << UInt64(row % 64)
                if slice.json != nil { slice.json!.keepPlace(ofMistakeIn: row) }
            }
            row = assay_mask_next(broken, rows.upperBound, row + 1)
        }
        return row
    }

    /// Lists a kind of broken records that begins at a row. Returns the mask for its rows.
    private mutating func addKind(
        of template: FindingTemplate, _ slice: Slice, row: Int
    ) -> UnsafeMutablePointer<UInt64> {
        keepFirst(template, slice, row: row)
        let mask = brokenRows.next()
        brokenKinds.append((ObjectIdentifier(template), mask))
        brokenTemplates.append(template)
        kinds.append(template.kind(rows: mask, places: isMistake(template, slice) ? slice.json!.mistakePlaces : nil))
        return mask
    }

    /// Whether the template is about a syntax error at a place inside a line of JSON.
    private func isMistake(_ template: FindingTemplate, _ slice: Slice) -> Bool {
        slice.json != nil && template.code.hasPrefix("structure.") && template.code != "structure.too-long"
    }

    private func place(of template: FindingTemplate, _ slice: Slice, row: Int) -> Int {
        isMistake(template, slice) ? slice.json!.mistake(row).place : Int(slice.chunk.record(slice.first + row).start)
    }

    /// Keeps the finding of a broken record if it is the first of its kind.
    private mutating func keepFirst(_ template: FindingTemplate, _ slice: Slice, row: Int) {
        guard firsts.lacksStructure(template.code) else { return }
        let place = place(of: template, slice, row: row)
        firsts.structure.append(finding(template, slice, entry: slice.first + row, at: place, value: nil))
    }

    /// Counts a broken record and adds its finding without the C core.
    private mutating func addBroken(_ slice: Slice, row: Int, isMisencoded: Bool) {
        guard let template = brokenTemplate(slice, row: row, isMisencoded) else { return }
        keepFirst(template, slice, row: row)
        let entry = slice.first + row
        add(template, slice, entry: entry, at: place(of: template, slice, row: row))
        let isOpen = slice.chunk.record(entry).flags & UInt32(ASSAY_RECORD_QUOTE_UNCLOSED) != 0
        addNote(slice.chunk, entry: entry, slice.json != nil ? [] : [template.rule], closesQuote: isOpen)
    }

    private mutating func add(
        _ template: FindingTemplate, _ slice: Slice, entry: Int, at place: Int, value known: [UInt8]? = nil
    ) {
        let chunk = slice.chunk
        let isWritten = isWriting
        let isKept = kept.count < room.kept
        guard isWritten || isKept else { return }
        let record = chunk.recordNumber(entry)
        let line = line(at: place, entry: entry)
        let offset = chunk.firstOffset + place
        let value = plan.showValues ? known ?? text(of: slice, entry: entry, position: template.position) : nil
        if isWritten {
            piece.removeAll(keepingCapacity: true)
            template.append(record: record, line: line, offset: offset, value: value, to: &piece)
            expectMemory(assay_findings_add_text(handle, piece, piece.count))
        }
        if isKept {
            kept.append(
                template.finding(
                    record: record, line: line, offset: offset, character: character(at: place, in: chunk),
                    value: value.map { String(decoding: $0, as: UTF8.self) }))
        }
    }

    mutating func addNote(
        _ chunk: Chunk, entry: Int, _ reasons: [String], closesQuote: Bool = false
    ) {
        guard plan.annotate else { return }
        let record = chunk.record(entry)
        // An object that already has such members would get duplicates.
        let bytes = UnsafeBufferPointer(
            start: chunk.bytes + Int(record.start), count: Int(record.end - record.start))
        let isTaken = templates.style.isJSON && ["\"_line\"", "\"_reasons\""].contains { bytes.holds(Array($0.utf8)) }
        addNote(
            chunk, entry, line: line(at: Int(record.start), entry: entry), isTaken ? [] : reasons,
            closesQuote: closesQuote)
    }

    private mutating func addNote(
        _ chunk: Chunk, _ entry: Int, line: Int, _ reasons: [String], closesQuote: Bool = false
    ) {
        guard plan.annotate else { return }
        let record = templates.style.looksAtEnds ? chunk.text(entry, endsAtCR: dialect.cr_ends) : []
        piece.removeAll(keepingCapacity: true)
        templates.style.appendNote(
            to: record, line: line, reasons: reasons, closesQuote: closesQuote, in: &piece)
        expectMemory(assay_findings_add_note(handle, piece, piece.count))
    }

    func line(at place: Int, entry: Int) -> Int {
        Int(assay_lines_at(&handle.pointee.lines, place, UInt32(entry)))
    }

    /// Restarts the line numbers of a chunk, because their lookup is fast only in ascending order.
    func restartLines(_ chunk: Chunk) { handle.pointee.lines = chunk.lines(endsAtCR: dialect.cr_ends) }

    mutating func expectMemory(_ status: assay_status) {
        if status != .ASSAY_OK { failure = Self.noMemory }
    }

    private static var noMemory: NoMemoryError { NoMemoryError(for: "the findings of a thread") }

    /// Returns the text of a cell without its quotes, or for position 0 the bytes of the record without the terminator.
    func text(of slice: Slice, entry: Int, position: Int) -> [UInt8] {
        let chunk = slice.chunk
        if position > 0, let repaired = slice.repairer?.cells(at: position - 1) {
            let cell = repaired.cells[entry - slice.first]
            return Array(UnsafeBufferPointer(start: repaired.bytes + Int(cell.start), count: Int(cell.length)))
        }
        if position > 0, let json = slice.json {
            let cell = json.cell(position - 1, entry - slice.first)
            return Array(UnsafeBufferPointer(start: chunk.bytes + Int(cell.start), count: Int(cell.length)))
        }
        if position == 0 { return chunk.text(entry, endsAtCR: dialect.cr_ends) }
        // Reuse the buffer behind the records, because the evaluator no longer needs its content.
        var (dialect, used, cell) = (dialect, chunk.freeStart, assay_cell())
        assay_batch_gather(
            chunk.batch, &dialect, chunk.bytes, &used, UInt32(position - 1), UInt32(entry), 1, nil, &cell)
        return Array(UnsafeBufferPointer(start: chunk.bytes + Int(cell.start), count: Int(cell.length)))
    }

    /// Keeps some of the records that are not UTF-8, to guess their encoding later.
    private mutating func keepMisencoded(_ chunk: Chunk, _ record: assay_record) {
        guard misencodedSample.count < Self.misencodedBytes else { return }
        if misencodedSample.isEmpty { misencodedSample += chunk.wellFormedWords }
        misencodedSample += UnsafeBufferPointer(
            start: chunk.bytes + Int(record.start), count: min(Int(record.end - record.start), Self.misencodedBytes))
    }
}

extension Chunk {
    /// Text of the chunk with well-formed UTF-8 above ASCII, each piece on its own line. Together with records that are
    /// not UTF-8, it allows ``EncodingGuess`` to decide whether the file is UTF-8 in spite of the invalid records.
    ///
    /// - Complexity: O(bytes of the chunk).
    var wellFormedWords: [UInt8] {
        let limit = 1 << 10
        var words: [UInt8] = []
        for entry in 0..<entries where words.count < limit {
            let record = record(entry)
            let bytes = UnsafeBufferPointer(
                start: self.bytes + Int(record.start), count: Int(record.end - record.start))
            guard bytes.contains(where: { $0 >= 0x80 }), String(validating: bytes, as: UTF8.self) != nil else {
                continue
            }
            words += bytes.prefix(limit) + [0x0A]
        }
        return words
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the buffer contains the given bytes.
    fileprivate func holds(_ bytes: [UInt8]) -> Bool {
        indices.contains { self[$0] == bytes[0] && self[$0...].starts(with: bytes) }
    }
}

private func isSet(_ mask: UnsafePointer<UInt64>, _ row: Int) -> Bool { mask[row / 64] >> UInt64(row % 64) & 1 != 0 }

extension ListFindings {
    /// Returns the first row from `row` on with findings, or the end of the slice.
    fileprivate func nextRow(of slice: Slice, from row: Int) -> Int {
        count == 0 ? slice.rows : assay_mask_next(marked, slice.rows, row)
    }
}
