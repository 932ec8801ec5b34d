internal import Assay
internal import CAssayABI

extension Block {
    /// Numbers, in memory of the allocator.
    convenience init<Number>(_ numbers: [Number], _ allocator: Allocator) throws(Fault) {
        try self.init(numbers.count * MemoryLayout<Number>.stride, allocator)
        numbers.withUnsafeBytes { if let base = $0.baseAddress { bytes.copyMemory(from: base, byteCount: $0.count) } }
    }
}

extension OutgoingArray {
    /// A boolean for each row: true is clean.
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

    /// For each row, the names of the rules that found something.
    static func reasons(_ table: TableVerdicts, _ allocator: Allocator) throws(Fault) -> OutgoingArray {
        var offsets: [Int32] = [0]
        offsets.reserveCapacity(table.rows + 1)
        var rules: [Int32] = []
        var tooMany = false
        table.forEachFinding { row, rule, _ in
            while offsets.count <= row { offsets.append(Int32(truncatingIfNeeded: rules.count)) }
            tooMany = tooMany || rules.count == Int32.max
            if !tooMany { rules.append(Int32(rule)) }
        }
        if tooMany {
            throw Fault(ASSAY_FAULT_ARGUMENT, "there are 2^31 findings or more", hint: "check smaller batches")
        }
        while offsets.count <= table.rows { offsets.append(Int32(rules.count)) }
        let names = try names(rules, table.rules.map(\.id), allocator)
        return OutgoingArray(length: table.rows, buffers: [nil, try Block(offsets, allocator)], children: [names])
    }

    /// Findings as a record batch, at most `limit` of them.
    static func findings(_ result: CheckResult, limit: Int) throws(Fault) -> OutgoingArray {
        let table = try result.table()
        let allocator = result.allocator
        var records: [UInt64] = []
        // All that is said of any of them, each once, and which of it each finding says.
        var kinds: [FindingKind] = []
        var places: [FindingKind: Int32] = [:]
        var said: [Int32] = []
        var reader = FindingReader(table)
        while records.count < min(limit, Int(Int32.max)), let (row, kind) = reader.next() {
            records.append(UInt64(result.firstRecord + row + 1))
            let place = places[kind] ?? Int32(kinds.count)
            if Int(place) == kinds.count {
                kinds.append(kind)
                places[kind] = place
            }
            said.append(place)
        }
        func column(_ text: (ReportedRule, FindingKind) -> CText) throws(Fault) -> OutgoingArray {
            try names(said, kinds.map { text(table.rules[$0.rule], $0) }, allocator)
        }
        return OutgoingArray(
            length: records.count, buffers: [nil],
            children: [
                OutgoingArray(length: records.count, buffers: [nil, try Block(records, allocator)]),
                try column { rule, _ in rule.column ?? .empty },
                try column { rule, _ in rule.id },
                try column { $0.code($1) },
                try column { rule, _ in rule.severity == .reject ? .reject : .warn },
                try column { $0.message($1) },
            ])
    }

    /// Dictionary-encoded texts. The dictionary has each text once.
    private static func names(_ indices: [Int32], _ texts: [CText], _ allocator: Allocator) throws(Fault)
        -> OutgoingArray
    {
        var places: [ByteEqualString: Int32] = [:]
        var bytes: [UInt8] = []
        var offsets: [Int32] = [0]
        let mapped = try texts.map { (text) throws(Fault) in
            let string = String(cString: text.pointer)
            let place = places[ByteEqualString(string)] ?? Int32(places.count)
            if Int(place) == places.count {
                places[ByteEqualString(string)] = place
                bytes += Array(string.utf8)
                guard let end = Int32(exactly: bytes.count) else {
                    throw Fault(
                        ASSAY_FAULT_ARGUMENT, "what the findings say has 2^31 bytes or more",
                        hint: "check smaller batches")
                }
                offsets.append(end)
            }
            return place
        }
        let values = OutgoingArray(
            length: places.count, buffers: [nil, try Block(offsets, allocator), try Block(bytes, allocator)])
        return OutgoingArray(
            length: indices.count, buffers: [nil, try Block(indices.map { mapped[Int($0)] }, allocator)],
            dictionary: [values])
    }
}

extension OutgoingSchema {
    static let verdicts = OutgoingSchema(format: "b", name: "clean")
    static let nullableVerdicts = OutgoingSchema(format: "b", name: "clean", isNullable: true)
    static let reasons = OutgoingSchema(format: "+l", name: "reasons", children: [names("item")])
    static let findings = OutgoingSchema(
        format: "+s",
        children: [OutgoingSchema(format: "L", name: "record")]
            + ["column", "rule", "code", "severity", "message"].map { names($0) })
}

extension CText {
    fileprivate static let empty = CText("")
    fileprivate static let reject = CText("reject")
    fileprivate static let warn = CText("warn")
}
