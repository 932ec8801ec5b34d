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
        self.judge = judge
        self.column = column
        self.name = name
        self.templates = templates
    }

    /// Judges the elements of a slice and adds what was found to its list findings.
    ///
    /// - Parameter number: which of the list columns this is.
    mutating func judge(
        _ slice: Slice, _ reader: JSONReader, number: Int, into findings: inout ListFindings, _ repairs: ChunkRepairs?
    ) throws(NoMemoryError) {
        guard let elements = reader.elements(column) else { return }
        let chunk = slice.chunk
        defer { rejectedRecords += findings.endList() }
        let most = Slice.mostRows
        var failure: NoMemoryError?
        reader.withElementMasks(column, elements) { nulls, wrong, unrepaired in
            for first in stride(from: 0, to: elements.count, by: most) {
                let count = min(most, elements.count - first)
                withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(count)) { broken in
                    broken.update(repeating: 0)
                    judge.judge(rows: count, broken: broken.baseAddress!) { _, cells in
                        cells.update(from: elements.cells + first, count: count)
                        return GatheredCells(
                            bytes: UnsafePointer(chunk.bytes), nulls: nulls + first / 64,
                            wrongTypes: wrong + first / 64, unrepaired: unrepaired + first / 64)
                    }
                }
                do throws(NoMemoryError) {
                    try takeRepairs(elements, from: first, slice, number: number, repairs)
                } catch {
                    failure = error
                    return
                }
                let repaired = judge.repairer?.repairedColumns.first
                for rule in judge.rulesWithFindings {
                    let isReject = templates[0].failed[rule].severity == .reject
                    for (isUndecided, mask) in [
                        (false, judge.failed(byRule: rule)), (true, judge.undecided(byRule: rule)),
                    ] {
                        for word in 0..<maskWords(count) {
                            forEachBit(in: mask[word]) { bit in
                                let element = first + word * 64 + bit
                                findings.add(
                                    ListFindings.Item(
                                        row: elements.rows[element], element: UInt32(element), list: UInt16(number),
                                        isUndecided: isUndecided, rule: UInt32(rule)),
                                    repaired: repaired?.changedValue(element - first), isReject: isReject)
                            }
                        }
                    }
                }
            }
        }
        if let failure = failure ?? findings.failure { throw failure }
    }

    /// Takes what was changed in the elements that were judged last.
    private func takeRepairs(
        _ elements: JSONReader.Elements, from first: Int, _ slice: Slice, number: Int, _ repairs: ChunkRepairs?
    ) throws(NoMemoryError) {
        guard let repairer = judge.repairer else { return }
        if let failure = repairer.failure { throw failure }
        try repairs?.add(list: number, elements, from: first, of: slice.chunk, first: slice.first, repairer)
    }

    /// What is said of an item of this list, where it stands, and its value.
    ///
    /// - Parameter repaired: what repairs have made of the value; `nil`: it is as it came.
    func finding(
        _ item: ListFindings.Item, _ slice: Slice, _ repaired: ArraySlice<UInt8>?, isSaid: Bool
    ) -> ListFinding {
        let (templates, rule, element) = (templates[slice.chunk.input], Int(item.rule), Int(item.element))
        var template = item.isUndecided ? templates.undecided[rule] : templates.failed[rule]
        guard isSaid, let elements = slice.json?.elements(column) else {
            return ListFinding(column: column, template: template, place: 0, value: [])
        }
        let cell = elements.cells[element]
        let came = UnsafeBufferPointer(start: slice.chunk.bytes + Int(cell.start), count: Int(cell.length))
        let value = repaired.map { Array($0) } ?? Array(came)
        if !item.isUndecided, let reasons = templates.reasonTemplates[rule] {
            template = reasons.template(for: value, judge: judge)
        }
        if template.code == "type", elements.indexes(element).contains(where: { $0 == nil }) {
            template = template.saying("is not a list", style: templates.style)
        }
        return ListFinding(
            column: column, template: template.of(path(elements.indexes(element)), style: templates.style),
            place: Int(elements.places[element]), value: value)
    }

    /// The name with the indexes of an element: `tags[2]`.
    private func path(_ indexes: [Int?]) -> String {
        var parts = name.split(separator: "[]", omittingEmptySubsequences: false).map(String.init)
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
    let column: Int
    let template: FindingTemplate
    let place: Int
    let value: [UInt8]
}

/// What was found in the list columns of a slice.
struct ListFindings {
    struct Item {
        let row: UInt32
        let element: UInt32
        /// Which of the list columns.
        let list: UInt16
        let isUndecided: Bool
        let rule: UInt32
        /// Where its repaired value is among those of the findings; empty at 0: it was not repaired.
        fileprivate(set) var valueStart: UInt32 = 0
        fileprivate(set) var valueEnd: UInt32 = 0
    }

    /// Rows with some, rows that are rejected for it, and rows of which something is undecided.
    private(set) var marked: [UInt64] = []
    private(set) var rejects: [UInt64] = []
    private(set) var undecided: [UInt64] = []
    /// Rows that elements of the list that is being judged make rejected.
    private var rejectsOfList: [UInt64] = []
    private var items: [Item] = []
    /// The repaired values of items, behind one byte that is none.
    private var values: [UInt8] = []
    /// They have more bytes than are allowed.
    private(set) var failure: NoMemoryError?
    private static let mostBytes = 1 << 28
    private var next = 0

    var count: Int { items.count }

    mutating func begin(rows: Int) {
        let none = repeatElement(UInt64(0), count: maskWords(rows))
        marked.removeAll(keepingCapacity: true)
        marked += none
        rejects.removeAll(keepingCapacity: true)
        rejects += none
        undecided.removeAll(keepingCapacity: true)
        undecided += none
        rejectsOfList.removeAll(keepingCapacity: true)
        rejectsOfList += none
        items.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        next = 0
    }

    /// Adds an item.
    ///
    /// - Parameter repaired: what repairs have made of its value, which is copied; `nil`: it is as it came.
    mutating func add(_ item: Item, repaired: UnsafeBufferPointer<UInt8>?, isReject: Bool) {
        var item = item
        if let repaired {
            if values.isEmpty { values.append(0) }
            if values.count + repaired.count > Self.mostBytes {
                failure = .repairedValues
                return
            }
            item.valueStart = UInt32(values.count)
            values.append(contentsOf: repaired)
            item.valueEnd = UInt32(values.count)
        }
        let (word, bit) = (Int(item.row / 64), UInt64(1) << UInt64(item.row % 64))
        marked[word] |= bit
        if isReject { rejectsOfList[word] |= bit }
        if item.isUndecided { undecided[word] |= bit }
        items.append(item)
    }

    /// The repaired value of an item; `nil`: it is as it came.
    func value(of item: Item) -> ArraySlice<UInt8>? {
        item.valueStart == 0 ? nil : values[Int(item.valueStart)..<Int(item.valueEnd)]
    }

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

    /// Puts them in the order in which they are reported: the lists stand in the order of the fields.
    mutating func sort() {
        items.sort { ($0.row, $0.list, $0.element, $0.rule) < ($1.row, $1.list, $1.element, $1.rule) }
    }

    /// Those of the next row that has some, asked in ascending order.
    mutating func items(ofRow row: Int) -> ArraySlice<Item> {
        while next < items.count && items[next].row < row { next += 1 }
        let start = next
        while next < items.count && items[next].row == row { next += 1 }
        return items[start..<next]
    }
}
