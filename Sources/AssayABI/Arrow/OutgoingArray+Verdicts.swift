internal import Assay
internal import AssayEvaluation
internal import CAssayABI

extension Block {
    /// Copies numbers to memory of the allocator.
    convenience init<Number>(_ numbers: [Number], _ allocator: Allocator) throws(Fault) {
        try self.init(numbers.count * MemoryLayout<Number>.stride, allocator)
        numbers.withUnsafeBytes { if let base = $0.baseAddress { bytes.copyMemory(from: base, byteCount: $0.count) } }
    }
}

extension OutgoingArray {
    /// One boolean per row: true for clean rows.
    ///
    /// - Parameter nullable: whether rows without a verdict are null.
    static func verdicts(_ table: TableVerdicts, nullable: Bool, _ allocator: Allocator) throws(Fault) -> OutgoingArray
    {
        let words = maskWords(table.rows)
        let values = try Block(8 * words, allocator)
        for word in 0..<words {
            values.words()[word] = ~table.rejected.words()[word] & lowBits(table.rows - 64 * word)
        }
        guard nullable else { return OutgoingArray(length: table.rows, buffers: [nil, values]) }
        let validity = try Block(8 * words, allocator)
        var nulls = 0
        for word in 0..<words {
            let none = table.missing.words()[word] | table.undecided.words()[word]
            nulls += none.nonzeroBitCount
            validity.words()[word] = ~none & lowBits(table.rows - 64 * word)
        }
        return OutgoingArray(
            length: table.rows, nullCount: nulls, buffers: [nulls > 0 ? validity : nil, values])
    }

    /// The names of the rules with findings, for each row.
    static func reasons(_ table: TableVerdicts, _ allocator: Allocator) throws(Fault) -> OutgoingArray {
        let findings = table.findingCount
        if findings > Int32.max {
            throw Fault(ASSAY_FAULT_ARGUMENT, "there are 2^31 findings or more", hint: "check smaller batches")
        }
        let offsets = try Block(MemoryLayout<Int32>.stride * (table.rows + 1), allocator)
        let rules = try Block(MemoryLayout<Int32>.stride * findings, allocator)
        let (ends, places) = (offsets.numbers(Int32.self), rules.numbers(Int32.self))
        var (count, rows) = (0, 0)
        table.forEachFinding { row, rule, _ in
            while rows < row {
                rows += 1
                ends[rows] = Int32(count)
            }
            places[count] = Int32(rule)
            count += 1
        }
        while rows < table.rows {
            rows += 1
            ends[rows] = Int32(count)
        }
        let names = try names(rules, count, table.rules.map(\.id), allocator)
        return OutgoingArray(length: table.rows, buffers: [nil, offsets], children: [names])
    }

    /// At most `limit` findings as a record batch.
    static func findings(_ result: CheckResult, limit: Int) throws(Fault) -> OutgoingArray {
        let table = try result.table()
        let allocator = result.allocator
        let capacity = min(limit, table.findingCount, Int(Int32.max))
        let records = try Block(MemoryLayout<UInt64>.stride * capacity, allocator)
        let kindPlaces = try Block(MemoryLayout<Int32>.stride * capacity, allocator)
        var count = 0
        // Each kind of finding once, and its index for each finding.
        var kinds: [FindingKind] = []
        var places: [FindingKind: Int32] = [:]
        var reader = FindingReader(table)
        while count < capacity, let (row, kind) = reader.next() {
            records.words()[count] = UInt64(result.firstRecord + row + 1)
            let place = places[kind] ?? Int32(kinds.count)
            if Int(place) == kinds.count {
                kinds.append(kind)
                places[kind] = place
            }
            kindPlaces.numbers(Int32.self)[count] = place
            count += 1
        }
        func column(_ text: (RuleTexts, FindingKind) -> CText?) throws(Fault) -> OutgoingArray {
            try names(kindPlaces, count, kinds.map { text(table.rules[$0.rule], $0) }, allocator)
        }
        return OutgoingArray(
            length: count, buffers: [nil],
            children: [
                OutgoingArray(length: count, buffers: [nil, records]),
                try column { rule, _ in rule.column },
                try column { rule, _ in rule.id },
                try column { $0.code($1) },
                try column { rule, _ in rule.isReject ? .reject : .warn },
                try column { $0.message($1) },
            ])
    }

    /// Dictionary-encoded texts. The dictionary contains each text once.
    ///
    /// - Parameters:
    ///   - indices: the index of each value in `texts`.
    ///   - texts: the texts; `nil` becomes null.
    private static func names(
        _ indices: Block, _ count: Int, _ texts: [CText?], _ allocator: Allocator
    ) throws(Fault) -> OutgoingArray {
        var known: [ByteEqualString: Int32] = [:]
        var bytes: [UInt8] = []
        var offsets: [Int32] = [0]
        let mapped = try texts.map { (text) throws(Fault) -> Int32? in
            guard let text else { return nil }
            let string = String(cString: text.pointer)
            let place = known[ByteEqualString(string)] ?? Int32(known.count)
            if Int(place) == known.count {
                known[ByteEqualString(string)] = place
                bytes += Array(string.utf8)
                guard let end = Int32(exactly: bytes.count) else {
                    throw Fault(
                        ASSAY_FAULT_ARGUMENT, "the texts of the findings have 2^31 bytes or more",
                        hint: "check smaller batches")
                }
                offsets.append(end)
            }
            return place
        }
        let values = OutgoingArray(
            length: known.count, buffers: [nil, try Block(offsets, allocator), try Block(bytes, allocator)])
        let places = try Block(MemoryLayout<Int32>.stride * count, allocator)
        let (from, to) = (indices.numbers(Int32.self), places.numbers(Int32.self))
        let validity = mapped.contains(nil) ? try Block(8 * maskWords(count), allocator) : nil
        var nulls = 0
        for index in 0..<count {
            let place = mapped[Int(from[index])]
            to[index] = place ?? 0
            if let validity, place != nil { validity.words()[index / 64] |= 1 << UInt64(index % 64) }
            if place == nil { nulls += 1 }
        }
        return OutgoingArray(length: count, nullCount: nulls, buffers: [validity, places], dictionary: [values])
    }
}

extension OutgoingSchema {
    static let verdicts = OutgoingSchema(format: "b", name: "clean")
    static let nullableVerdicts = OutgoingSchema(format: "b", name: "clean", isNullable: true)
    static let reasons = OutgoingSchema(format: "+l", name: "reasons", children: [names("item")])
    static let findings = OutgoingSchema(
        format: "+s",
        children: [OutgoingSchema(format: "L", name: "record")]
            + ["column", "rule", "code", "severity", "message"].map { names($0, isNullable: $0 == "column") })
}

extension CText {
    fileprivate static let reject = CText("reject")
    fileprivate static let warn = CText("warn")
}
