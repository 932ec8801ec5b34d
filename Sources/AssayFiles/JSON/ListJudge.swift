internal import Assay
internal import CAssay

/// Judges the values of one list column: each element is a value, and a record is rejected if one of them is.
struct ListJudge: ~Copyable {
    /// Which field it is, by its place in the rules.
    let column: Int
    private let name: String
    private var judge: SchemaJudge
    /// By file of the table.
    private let templates: [FindingTemplates]

    /// Records that some element makes rejected.
    private var rejectedRecords = 0

    /// The account of the call; `nil`: no budget.
    private var account: BudgetAccount?
    private let masks: ElementMasks
    /// Which blocks of the elements of the slice have findings, and where that block begins whose verdicts the judge has.
    private var hasFindings: [Bool] = []
    private var judged = 0
    /// The first element that nobody has asked for.
    private var next = 0
    /// Elements in a block.
    private static let most = Slice.mostRows

    /// There was no memory for repaired values.
    var failure: NoMemoryError? { judge.repairer?.failure }

    /// What was counted of the chunk: elements by rule, but rejected records, of which one may have many elements.
    var tally: RuleTally {
        var tally = judge.tally
        tally.rejected = [rejectedRecords]
        return tally
    }

    /// Begins to count anew.
    mutating func resetTally() {
        judge.resetTally()
        rejectedRecords = 0
    }

    init(
        _ schema: BoundSchema, column: Int, name: String, limits: MatchLimits, templates: [FindingTemplates]
    ) throws(NoMemoryError) {
        let judge = try SchemaJudge(schema, limits: limits)
        masks = try ElementMasks()
        self.judge = judge
        self.column = column
        self.name = name
        self.templates = templates
    }

    /// Sets the account that later work is charged to.
    mutating func charge(to account: BudgetAccount) {
        self.account = account
        judge.charge(to: account)
    }

    /// Judges the elements of a slice and counts what was found.
    ///
    /// What it was is not kept, since a slice may have millions of elements: ``nextElement(ofRow:_:)`` goes through them again.
    ///
    /// - Parameter number: which of the list columns this is.
    mutating func judge(
        _ slice: Slice, _ reader: JSONReader, number: Int, into findings: inout ListFindings, _ repairs: ChunkRepairs?
    ) throws(NoMemoryError) {
        hasFindings.removeAll(keepingCapacity: true)
        next = 0
        guard let elements = reader.elements(column) else { return }
        defer { rejectedRecords += findings.endList() }
        try reader.mark(column, elements, in: masks)
        for first in stride(from: 0, to: elements.count, by: Self.most) {
            let before = account == nil ? nil : judge.tally
            let count = judgeBlock(at: first, elements, slice.chunk, reader)
            if let before, judge.hasOver {
                // A block may be judged again to write its findings, and both results must be equal.
                judge.tally = before
                hasFindings.append(false)
                findings.markOver(count, rows: elements.rows + first)
                continue
            }
            try takeRepairs(elements, from: first, slice, number: number, repairs)
            hasFindings.append(!judge.rulesWithFindings.isEmpty)
            if judge.rulesWithFindings.isEmpty { continue }
            let rows = elements.rows + first
            for rule in judge.rulesWithFindings {
                let undecided = judge.undecided(byRule: rule)
                let undecidedCount = assay_mask_count(undecided, maskWords(count))
                findings.count += assay_mask_count(judge.failed(byRule: rule), maskWords(count)) + undecidedCount
                if undecidedCount > 0 { findings.markUndecided(undecided, count, rows: rows) }
            }
            findings.mark(judge.marked, rejects: judge.rejects, count, rows: rows)
        }
    }

    /// Judges a block of elements.
    ///
    /// - Returns: how many it has.
    private mutating func judgeBlock(
        at first: Int, _ elements: JSONReader.Elements, _ chunk: Chunk, _ reader: JSONReader
    ) -> Int {
        let kinds = reader.areText ? nil : reader.kinds(column)
        let nullValues = reader.hasNullValues ? masks.nullValues + first / 64 : nil
        let (count, word, masks) = (min(Self.most, elements.count - first), first / 64, masks)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(count)) { broken in
            broken.update(repeating: 0)
            judge.judge(rows: count, broken: broken.baseAddress!) { _, cells in
                cells.update(from: elements.cells + first, count: count)
                return GatheredCells(
                    bytes: UnsafePointer(chunk.bytes), nulls: masks.nulls + word, wrongTypes: masks.wrong + word,
                    unrepaired: masks.unrepaired + word,
                    nullValues: nullValues.map { UnsafePointer($0) }, kinds: kinds.map { $0 + first })
            }
        }
        judged = first
        return count
    }

    /// The next element of a row with findings; `nil`: there are no more. Rows are asked in ascending order.
    ///
    /// A block that was judged before another one is judged anew: with findings that costs time, and without them nothing.
    mutating func nextElement(ofRow row: Int, _ slice: Slice) -> Int? {
        guard let reader = slice.json, let elements = reader.elements(column) else { return nil }
        while next < elements.count && elements.rows[next] < row { next += 1 }
        while next < elements.count && elements.rows[next] == row {
            let first = next - next % Self.most
            let count = min(Self.most, elements.count - first)
            if hasFindings[first / Self.most] {
                if judged != first { judgeAgain(at: first, elements, slice.chunk, reader) }
                let element = first + assay_mask_next(judge.marked, count, next - first)
                next = element
                if element < first + count {
                    if elements.rows[element] != row { return nil }
                    next += 1
                    return element
                }
            } else {
                next = first + count
            }
        }
        return nil
    }

    /// Judges a block of which everything was counted.
    private mutating func judgeAgain(
        at first: Int, _ elements: JSONReader.Elements, _ chunk: Chunk, _ reader: JSONReader
    ) {
        let tally = judge.tally
        if account != nil { judge.charge(to: nil) }
        _ = judgeBlock(at: first, elements, chunk, reader)
        if let account { judge.charge(to: account) }
        judge.tally = tally
    }

    /// Calls `body` for every finding of an element, in reported order.
    ///
    /// - Precondition: it is the one that ``nextElement(ofRow:_:)`` said last.
    func forEachFinding(of element: Int, _ body: (_ rule: Int, _ isUndecided: Bool) -> Void) {
        judge.forEachFinding(ofRow: element - judged, body)
    }

    /// Takes what was changed in the elements that were judged last.
    private func takeRepairs(
        _ elements: JSONReader.Elements, from first: Int, _ slice: Slice, number: Int, _ repairs: ChunkRepairs?
    ) throws(NoMemoryError) {
        guard let repairer = judge.repairer else { return }
        if let failure = repairer.failure { throw failure }
        try repairs?.add(list: number, elements, from: first, of: slice.chunk, first: slice.first, repairer)
    }

    /// What is said of any element that a rule failed or left undecided.
    func template(_ rule: Int, _ isUndecided: Bool, input: Int) -> FindingTemplate {
        isUndecided ? templates[input].undecided(rule) : templates[input].failed[rule]
    }

    /// What is said of an element, where it stands, and its value.
    ///
    /// - Precondition: it is the one that ``nextElement(ofRow:_:)`` said last.
    func finding(of element: Int, _ rule: Int, _ isUndecided: Bool, _ slice: Slice) -> ListFinding {
        let (templates, elements) = (templates[slice.chunk.input], slice.json!.elements(column)!)
        var template = template(rule, isUndecided, input: slice.chunk.input)
        let cell = elements.cells[element]
        let came = UnsafeBufferPointer(start: slice.chunk.bytes + Int(cell.start), count: Int(cell.length))
        let value = Array(judge.repairer?.repairedColumns.first?.changedValue(element - judged) ?? came)
        if !isUndecided, let reasons = templates.reasonTemplates[rule] {
            template = reasons.template(for: value, kind: slice.json!.kinds(column)?[element], judge: judge)
        }
        if template.code == "type", elements.indexes(element).contains(where: { $0 == nil }) {
            template = template.saying("is not a list", style: templates.style)
        }
        return ListFinding(
            template: template.of(path(elements.indexes(element)), style: templates.style),
            place: Int(elements.places[element]), value: value)
    }

    /// The name with the indexes of an element: `tags[2]`.
    private func path(_ indexes: [Int?]) -> String {
        var parts = name.pieces(at: "[]").map(String.init)
        var path = parts.removeFirst()
        // Below what is no list there are no elements.
        let known = indexes.prefix { $0 != nil }
        for (place, part) in parts.enumerated() {
            path += (place < known.count ? "[\(known[place]!)]" : "[]") + part
        }
        return path
    }
}

/// One thing that is wrong with an element.
struct ListFinding {
    let template: FindingTemplate
    let place: Int
    let value: [UInt8]
}

/// What was found in the list columns of a slice, row by row.
struct ListFindings {
    /// Rows with some, rows that are rejected for it, and rows of which something is undecided.
    private(set) var marked: [UInt64] = []
    private(set) var rejects: [UInt64] = []
    private(set) var undecided: [UInt64] = []
    /// Rows with elements that the budget left unjudged.
    private(set) var over: [UInt64] = []
    private(set) var hasOver = false
    /// Rows that elements of the list that is being judged make rejected.
    private var rejectsOfList: [UInt64] = []
    /// How many they are: of each element, as many as rules found something.
    var count = 0

    mutating func begin(rows: Int) {
        let none = repeatElement(UInt64(0), count: maskWords(rows))
        marked.removeAll(keepingCapacity: true)
        marked += none
        rejects.removeAll(keepingCapacity: true)
        rejects += none
        undecided.removeAll(keepingCapacity: true)
        undecided += none
        if hasOver || over.count != undecided.count {
            over.removeAll(keepingCapacity: true)
            over += none
            hasOver = false
        }
        rejectsOfList.removeAll(keepingCapacity: true)
        rejectsOfList += none
        count = 0
    }

    /// Marks the rows of elements with findings.
    ///
    /// - Parameter rows: of each of `count` elements.
    mutating func mark(
        _ elements: UnsafePointer<UInt64>, rejects: UnsafePointer<UInt64>, _ count: Int, rows: UnsafePointer<UInt32>
    ) {
        Self.set(elements, count, rows, in: &marked)
        Self.set(rejects, count, rows, in: &rejectsOfList)
    }

    /// Marks the rows of elements of which something is undecided.
    mutating func markUndecided(_ elements: UnsafePointer<UInt64>, _ count: Int, rows: UnsafePointer<UInt32>) {
        Self.set(elements, count, rows, in: &undecided)
    }

    /// Marks the rows of elements that were not judged.
    mutating func markOver(_ count: Int, rows: UnsafePointer<UInt32>) {
        hasOver = true
        for element in 0..<count { over[Int(rows[element] / 64)] |= 1 << UInt64(rows[element] % 64) }
    }

    private static func set(
        _ elements: UnsafePointer<UInt64>, _ count: Int, _ rows: UnsafePointer<UInt32>, in mask: inout [UInt64]
    ) {
        for word in 0..<maskWords(count) {
            forEachBit(in: elements[word]) { bit in
                let row = rows[word * 64 + bit]
                mask[Int(row / 64)] |= 1 << UInt64(row % 64)
            }
        }
    }

    /// Whether a row has some.
    func has(_ row: Int) -> Bool { count > 0 && marked[row / 64] >> UInt64(row % 64) & 1 != 0 }

    /// Ends a list.
    ///
    /// - Returns: how many rows its elements make rejected.
    mutating func endList() -> Int {
        var count = 0
        for (word, rows) in rejectsOfList.enumerated() where rows != 0 {
            count += rows.nonzeroBitCount
            rejects[word] |= rows
            rejectsOfList[word] = 0
        }
        return count
    }
}
