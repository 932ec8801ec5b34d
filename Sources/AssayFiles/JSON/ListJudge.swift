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

    var tally: RuleTally { judge.tally }

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
    mutating func judge(_ reader: JSONReader, _ chunk: Chunk, into findings: inout ListFindings) {
        guard let elements = reader.elements(column) else { return }
        let most = Slice.mostRows
        reader.withElementMasks(column, count: elements.count) { nulls, wrong in
            for first in stride(from: 0, to: elements.count, by: most) {
                let count = min(most, elements.count - first)
                withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(count)) { broken in
                    broken.update(repeating: 0)
                    judge.judge(rows: count, broken: broken.baseAddress!) { _, cells in
                        cells.update(from: elements.cells + first, count: count)
                        return GatheredCells(
                            bytes: UnsafePointer(chunk.bytes), nulls: nulls + first / 64, wrongTypes: wrong + first / 64)
                    }
                }
                for rule in judge.rulesWithFindings {
                    for (isUndecided, mask) in [(false, judge.failed(byRule: rule)), (true, judge.undecided(byRule: rule))] {
                        for word in 0..<maskWords(count) {
                            forEachBit(in: mask[word]) {
                                add(first + word * 64 + $0, rule, isUndecided, elements, chunk, &findings)
                            }
                        }
                    }
                }
            }
        }
    }

    private func add(
        _ element: Int, _ rule: Int, _ isUndecided: Bool, _ elements: JSONReader.Elements, _ chunk: Chunk,
        _ findings: inout ListFindings
    ) {
        let templates = templates[chunk.input]
        var template = isUndecided ? templates.undecided[rule] : templates.failed[rule]
        let row = Int(elements.rows[element])
        let isReject = template.severity == .reject
        guard findings.add(row: row, isReject: isReject, isUndecided: isUndecided) else { return }
        let cell = elements.cells[element]
        let value = Array(UnsafeBufferPointer(start: chunk.bytes + Int(cell.start), count: Int(cell.length)))
        if !isUndecided, let reasons = templates.reasonTemplates[rule] { template = reasons.template(for: value, judge: judge) }
        findings.append(
            ListFindings.Item(
                row: row, column: column, rule: rule, element: element,
                template: template.of(path(elements.indexes(element)), style: templates.style),
                place: Int(elements.places[element]), value: value))
    }

    /// The name with the indexes of an element: `tags[2]`.
    private func path(_ indexes: [Int?]) -> String {
        var parts = name.split(separator: "[]", omittingEmptySubsequences: false).map(String.init)
        var path = parts.removeFirst()
        for (part, index) in zip(parts, indexes) { path += (index.map { "[\($0)]" } ?? "[]") + part }
        return path
    }
}

/// What was found in the list columns of a slice.
struct ListFindings {
    struct Item {
        let row: Int
        let column: Int
        let rule: Int
        let element: Int
        let template: FindingTemplate
        let place: Int
        let value: [UInt8]
    }

    /// Rows with some, and rows that are rejected for it.
    private(set) var marked: [UInt64] = []
    private(set) var rejects: [UInt64] = []
    private(set) var undecided: [UInt64] = []
    /// All, the ones that are not kept included.
    private(set) var count = 0
    /// The first of each row, in order.
    private(set) var items: [Item] = []
    private var next = 0

    mutating func begin(rows: Int) {
        let none = repeatElement(UInt64(0), count: maskWords(rows))
        marked.removeAll(keepingCapacity: true)
        marked += none
        rejects.removeAll(keepingCapacity: true)
        rejects += none
        undecided.removeAll(keepingCapacity: true)
        undecided += none
        items.removeAll(keepingCapacity: true)
        (count, next) = (0, 0)
    }

    /// Counts one; `false`: there are so many that it is not kept.
    mutating func add(row: Int, isReject: Bool, isUndecided: Bool) -> Bool {
        let bit = UInt64(1) << UInt64(row % 64)
        marked[row / 64] |= bit
        if isReject { rejects[row / 64] |= bit }
        if isUndecided { undecided[row / 64] |= bit }
        count += 1
        return items.count < Self.mostItems
    }

    mutating func append(_ item: Item) { items.append(item) }

    /// Puts them in the order in which they are reported.
    mutating func sort() {
        items.sort { ($0.row, $0.column, $0.element, $0.rule) < ($1.row, $1.column, $1.element, $1.rule) }
    }

    /// Those of the next row that has some, asked in ascending order.
    mutating func items(ofRow row: Int) -> ArraySlice<Item> {
        while next < items.count && items[next].row < row { next += 1 }
        let start = next
        while next < items.count && items[next].row == row { next += 1 }
        return items[start..<next]
    }

    /// A slice may have millions of elements.
    private static let mostItems = 1 << 16
}
