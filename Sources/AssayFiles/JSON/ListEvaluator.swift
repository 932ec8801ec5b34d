internal import Assay
internal import CAssay

/// Checks the values of one list column. Each element is a value; a record is rejected if one of its elements is.
struct ListEvaluator: ~Copyable {
    /// The index of the field in the rules.
    let column: Int
    private let name: String
    private var evaluator: SchemaEvaluator
    /// The templates for each file of the table.
    private let templates: [FindingTemplates]

    /// The number of records that are rejected because of an element.
    private var rejectedRecords = 0

    /// The account of the call. `nil` without a budget.
    private var account: BudgetAccount?
    private let masks: ElementMasks
    /// For each block of the slice's elements: whether it has findings. `evaluatedFirst` is the first element of the
    /// block that was checked last.
    private var hasFindings: [Bool] = []
    private var evaluatedFirst = 0
    /// The first element that ``nextElement(ofRow:_:)`` has not passed yet.
    private var next = 0
    /// The number of elements in a block.
    private static let maxCount = Slice.maxRows

    /// Set if memory for repaired values ran out.
    var failure: NoMemoryError? { evaluator.repairer?.failure }

    /// The counts of the chunk: elements by rule, but rejected records, because one record may have many elements.
    var tally: RuleTally {
        var tally = evaluator.tally
        tally.rejected = [rejectedRecords]
        return tally
    }

    /// Resets all counts to 0.
    mutating func resetTally() {
        evaluator.resetTally()
        rejectedRecords = 0
    }

    init(
        _ schema: BoundSchema, column: Int, name: String, limits: MatchLimits, templates: [FindingTemplates]
    ) throws(NoMemoryError) {
        let evaluator = try SchemaEvaluator(schema, limits: limits)
        masks = try ElementMasks()
        self.evaluator = evaluator
        self.column = column
        self.name = name
        self.templates = templates
    }

    /// Sets the account for later work.
    mutating func charge(to account: BudgetAccount) {
        self.account = account
        evaluator.charge(to: account)
    }

    /// Checks the elements of a slice and counts the findings.
    ///
    /// The results are not kept, because a slice may have millions of elements: ``nextElement(ofRow:_:)`` checks them
    /// again.
    ///
    /// - Parameter number: The index of this column among the list columns.
    mutating func evaluate(
        _ slice: Slice, _ reader: JSONReader, number: Int, into findings: inout ListFindings, _ repairs: ChunkRepairs?
    ) throws(NoMemoryError) {
        hasFindings.removeAll(keepingCapacity: true)
        next = 0
        guard let elements = reader.elements(column) else { return }
        defer { rejectedRecords += findings.endList() }
        try reader.mark(column, elements, in: masks)
        for first in stride(from: 0, to: elements.count, by: Self.maxCount) {
            let before = account == nil ? nil : evaluator.tally
            let count = evaluateBlock(at: first, elements, slice.chunk, reader)
            if let before, evaluator.hasOver {
                // A block may be checked again to write its findings, and both results must be equal.
                evaluator.tally = before
                hasFindings.append(false)
                findings.markOver(count, rows: elements.rows + first)
                continue
            }
            try takeRepairs(elements, from: first, slice, number: number, repairs)
            hasFindings.append(!evaluator.rulesWithFindings.isEmpty)
            if evaluator.rulesWithFindings.isEmpty { continue }
            let rows = elements.rows + first
            for rule in evaluator.rulesWithFindings {
                let undecided = evaluator.undecided(byRule: rule)
                let undecidedCount = assay_mask_count(undecided, maskWords(count))
                findings.count += assay_mask_count(evaluator.failed(byRule: rule), maskWords(count)) + undecidedCount
                if undecidedCount > 0 { findings.markUndecided(undecided, count, rows: rows) }
            }
            findings.mark(evaluator.marked, rejects: evaluator.rejects, count, rows: rows)
        }
    }

    /// Checks a block of elements.
    ///
    /// - Returns: The number of elements in the block.
    private mutating func evaluateBlock(
        at first: Int, _ elements: JSONReader.Elements, _ chunk: Chunk, _ reader: JSONReader
    ) -> Int {
        let kinds = reader.areText ? nil : reader.kinds(column)
        let nullValues = reader.hasNullValues ? masks.nullValues + first / 64 : nil
        let (count, word, masks) = (min(Self.maxCount, elements.count - first), first / 64, masks)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(count)) { broken in
            broken.update(repeating: 0)
            evaluator.evaluate(rows: count, broken: broken.baseAddress!) { _, cells in
                cells.update(from: elements.cells + first, count: count)
                return GatheredCells(
                    bytes: UnsafePointer(chunk.bytes), nulls: masks.nulls + word, wrongTypes: masks.wrong + word,
                    unrepaired: masks.unrepaired + word,
                    nullValues: nullValues.map { UnsafePointer($0) }, kinds: kinds.map { $0 + first })
            }
        }
        evaluatedFirst = first
        return count
    }

    /// Returns the next element of a row with findings, or `nil` if there are no more. Callers must pass rows in
    /// ascending order.
    ///
    /// Checks a block with findings again if another block was checked after it. Blocks without findings are skipped.
    mutating func nextElement(ofRow row: Int, _ slice: Slice) -> Int? {
        guard let reader = slice.json, let elements = reader.elements(column) else { return nil }
        while next < elements.count && elements.rows[next] < row { next += 1 }
        while next < elements.count && elements.rows[next] == row {
            let first = next - next % Self.maxCount
            let count = min(Self.maxCount, elements.count - first)
            if hasFindings[first / Self.maxCount] {
                if evaluatedFirst != first { evaluateAgain(at: first, elements, slice.chunk, reader) }
                let element = first + assay_mask_next(evaluator.marked, count, next - first)
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

    /// Checks a block again after all of its findings were counted.
    private mutating func evaluateAgain(
        at first: Int, _ elements: JSONReader.Elements, _ chunk: Chunk, _ reader: JSONReader
    ) {
        let tally = evaluator.tally
        if account != nil { evaluator.charge(to: nil) }
        _ = evaluateBlock(at: first, elements, chunk, reader)
        if let account { evaluator.charge(to: account) }
        evaluator.tally = tally
    }

    /// Calls `body` for every finding of an element, in reported order.
    ///
    /// - Precondition: ``nextElement(ofRow:_:)`` returned the element last.
    func forEachFinding(of element: Int, _ body: (_ rule: Int, _ isUndecided: Bool) -> Void) {
        evaluator.forEachFinding(ofRow: element - evaluatedFirst, body)
    }

    /// Takes the changes to the elements that were checked last.
    private func takeRepairs(
        _ elements: JSONReader.Elements, from first: Int, _ slice: Slice, number: Int, _ repairs: ChunkRepairs?
    ) throws(NoMemoryError) {
        guard let repairer = evaluator.repairer else { return }
        if let failure = repairer.failure { throw failure }
        try repairs?.add(list: number, elements, from: first, of: slice.chunk, first: slice.first, repairer)
    }

    /// Returns the template for an element that a rule failed or left undecided.
    func template(_ rule: Int, _ isUndecided: Bool, input: Int) -> FindingTemplate {
        isUndecided ? templates[input].undecided(rule) : templates[input].failed[rule]
    }

    /// Returns the finding of an element, with its place and value.
    ///
    /// - Precondition: ``nextElement(ofRow:_:)`` returned the element last.
    func finding(of element: Int, _ rule: Int, _ isUndecided: Bool, _ slice: Slice) -> ListFinding {
        let (templates, elements) = (templates[slice.chunk.input], slice.json!.elements(column)!)
        var template = template(rule, isUndecided, input: slice.chunk.input)
        let cell = elements.cells[element]
        let came = UnsafeBufferPointer(start: slice.chunk.bytes + Int(cell.start), count: Int(cell.length))
        let value = Array(evaluator.repairer?.repairedColumns.first?.changedValue(element - evaluatedFirst) ?? came)
        if !isUndecided, let reasons = templates.reasonTemplates[rule] {
            template = reasons.template(for: value, kind: slice.json!.kinds(column)?[element], evaluator: evaluator)
        }
        if template.code == "type", elements.indexes(element).contains(where: { $0 == nil }) {
            template = template.saying("is not a list", style: templates.style)
        }
        return ListFinding(
            template: template.of(path(elements.indexes(element)), style: templates.style),
            place: Int(elements.places[element]), value: value)
    }

    /// Returns the name with the indexes of an element: `tags[2]`.
    private func path(_ indexes: [Int?]) -> String {
        var parts = name.pieces(at: "[]").map(String.init)
        var path = parts.removeFirst()
        // A value that is not a list has no elements below it.
        let known = indexes.prefix { $0 != nil }
        for (place, part) in parts.enumerated() {
            path += (place < known.count ? "[\(known[place]!)]" : "[]") + part
        }
        return path
    }
}

/// One finding about an element.
struct ListFinding {
    let template: FindingTemplate
    let place: Int
    let value: [UInt8]
}

/// The findings in the list columns of a slice, row by row.
struct ListFindings {
    /// Rows with findings. The next masks contain the rejected rows and the undecided rows.
    private(set) var marked: [UInt64] = []
    private(set) var rejects: [UInt64] = []
    private(set) var undecided: [UInt64] = []
    /// Rows with elements that were not checked because the budget was exhausted.
    private(set) var over: [UInt64] = []
    private(set) var hasOver = false
    /// Rows that elements of the current list reject.
    private var rejectsOfList: [UInt64] = []
    /// The number of findings: for each element, the number of rules with a finding.
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
    /// - Parameter rows: The rows of the `count` elements.
    mutating func mark(
        _ elements: UnsafePointer<UInt64>, rejects: UnsafePointer<UInt64>, _ count: Int, rows: UnsafePointer<UInt32>
    ) {
        Self.set(elements, count, rows, in: &marked)
        Self.set(rejects, count, rows, in: &rejectsOfList)
    }

    /// Marks the rows of undecided elements.
    mutating func markUndecided(_ elements: UnsafePointer<UInt64>, _ count: Int, rows: UnsafePointer<UInt32>) {
        Self.set(elements, count, rows, in: &undecided)
    }

    /// Marks the rows of elements that were not checked.
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

    /// Whether a row has findings.
    func has(_ row: Int) -> Bool { count > 0 && marked[row / 64] >> UInt64(row % 64) & 1 != 0 }

    /// Ends a list.
    ///
    /// - Returns: The number of rows that elements of the list reject.
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
