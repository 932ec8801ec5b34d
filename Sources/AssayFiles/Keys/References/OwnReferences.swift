internal import Assay
package import AssayEvaluation
package import CAssay

/// A value that another record of the table may refer to, or that refers to another record.
package struct KeyLink: BitwiseCopyable, Sendable {
    var hash: assay_key_hash
    /// A ``KeyOrder``: the record, and the column of the value.
    var order: UInt64

    init(hash: assay_key_hash, order: UInt64) { (self.hash, self.order) = (hash, order) }

    package var record: UInt64 { KeyOrder(bits: order).record }

    package init(_ hash: assay_key_hash, record: UInt64, column: Int) {
        self.init(hash: hash, order: KeyOrder(record: record, key: column).bits)
    }
}

/// The columns of a table that refer to other columns of the same table.
package struct OwnReferenceColumns {
    /// The index of the first target column.
    let firstTarget: Int
    let count: Int
    /// The foreign keys.
    let ids: [String]

    package init(_ columns: [KeyColumn]) {
        let ids = columns[columns.foreign].compactMap { column in
            if case .ownForeign = column.role { column.key.key.key.id } else { nil }
        }
        (firstTarget, count, self.ids) = (columns.reportedCount, columns.count, ids)
    }
}

/// Decides which records refer to clean records of their own table.
///
///     record   id   boss            4 is not there: 3 is an orphan, and so then is 2, which refers to it.
///     1        1    ·               1 has no reference, and 5 refers to itself: both are kept.
///     2        2    3
///     3        3    4
///     5        5    5
///
/// The result is the greatest set of records in which each reference has its target: start with all records, and remove
/// orphans until all references have targets. Each reference is examined twice, regardless of the order.
package struct OwnReferences {
    private let links: SpilledList<KeyLink>
    private let columns: OwnReferenceColumns
    private let memory: Int

    /// The distinct targets. The record of each is its number, from 1.
    private let targets: KeySet
    /// For each target: the number of its remaining records. The next property is the last reference to the target.
    private var holders: [UInt32] = []
    private var lastReference: [UInt32] = []
    /// The numbers of the participating records.
    private var records: [UInt64] = []
    /// For each participating record and foreign key: the record's own target, or 0.
    private var ownTargets: [UInt32] = []
    /// The references, from 1: the referring record, the column, and the previous reference to the same target.
    private var references: [(record: UInt32, column: UInt32, before: UInt32)] = [(0, 0, 0)]
    private let keyCount: Int

    init(_ links: SpilledList<KeyLink>, _ columns: OwnReferenceColumns, memory: Int) throws {
        (self.links, self.columns, self.memory) = (links, columns, memory)
        targets = try KeySet(memory: memory)
        keyCount = columns.count - columns.firstTarget
    }

    /// Returns the references of a table in memory without a remaining target.
    ///
    /// - Parameters:
    ///   - links: The links of participating records, in any order.
    ///   - refused: Records that were refused because of other keys, in ascending order.
    /// - Returns: The record and the column of each reference, in order.
    /// - Throws: ``InputError`` if memory runs out.
    package static func orphans(
        of links: [KeyLink], excluding refused: [UInt64], _ columns: OwnReferenceColumns, memory: Int
    ) throws -> [(record: UInt64, column: Int)] {
        var list = SpilledList<KeyLink>(nil)
        for link in links.sorted(by: { $0.order < $1.order }) { try list.append(link) }
        var refusals = SpilledList<KeyEvent>(nil)
        for record in refused {
            try refusals.append(KeyEvent(order: KeyOrder(record: record, key: 0).bits, holder: 0, place: 0))
        }
        var graph = try OwnReferences(list, columns, memory: memory)
        var reader = try graph.orphans(excluding: MergedEvents([refusals]), in: nil).makeReader()
        var found: [(record: UInt64, column: Int)] = []
        while let event = try reader.next() {
            let order = KeyOrder(bits: event.order)
            found.append((order.record, order.key))
        }
        return found
    }

    /// Returns an event for each reference without a remaining target, for records that are not refused. O(links).
    ///
    /// - Parameter refusals: The records that were refused because of other keys.
    /// - Throws: ``InputError`` if memory runs out.
    mutating func orphans(excluding refusals: MergedEvents, in file: ScratchFile?) throws -> SpilledList<KeyEvent> {
        try addTargets(excluding: refusals)
        var found = try addReferences()
        takeOut(&found)
        found.sort { $0.order < $1.order }
        var events = SpilledList<KeyEvent>(file)
        for orphan in found { try events.append(orphan) }
        return events
    }

    private mutating func addTargets(excluding refusals: MergedEvents) throws {
        var refusals = refusals
        var reader = links.makeReader()
        while let link = try reader.next() {
            let order = KeyOrder(bits: link.order)
            while let refused = refusals.first, refused.order >> 16 < order.record { try refusals.removeFirst() }
            if let refused = refusals.first, refused.order >> 16 == order.record { continue }
            if records.last != order.record {
                records.append(order.record)
                ownTargets.append(contentsOf: repeatElement(0, count: keyCount))
            }
            guard order.key >= columns.firstTarget else { continue }
            let target = try number(of: link.hash)
            ownTargets[(records.count - 1) * keyCount + order.key - columns.firstTarget] = target
            holders[Int(target)] += 1
            if records.count & 0xFFF == 0 { try expectRoom() }
        }
    }

    /// Returns the number of a target; adds it if it is new.
    private mutating func number(of hash: assay_key_hash) throws -> UInt32 {
        if let known = targets.find(hash) { return UInt32(known.record) }
        if holders.isEmpty { (holders, lastReference) = ([0], [0]) }
        let target = UInt32(holders.count)
        guard targets.add(assay_key(hash: hash, record: UInt64(target), place: 0)) else { throw noRoom() }
        holders.append(0)
        lastReference.append(0)
        return target
    }

    /// Adds the references, and returns those to missing values.
    private mutating func addReferences() throws -> [KeyEvent] {
        var orphans: [KeyEvent] = []
        var reader = links.makeReader()
        var record = 0
        while let link = try reader.next() {
            let order = KeyOrder(bits: link.order)
            while record < records.count && records[record] < order.record { record += 1 }
            guard record < records.count, records[record] == order.record, order.key < columns.firstTarget
            else { continue }
            guard let target = targets.find(link.hash) else {
                orphans.append(KeyEvent(order: link.order, holder: 0, place: UInt64(record)))
                continue
            }
            references.append((UInt32(record), UInt32(order.key), lastReference[Int(target.record)]))
            lastReference[Int(target.record)] = UInt32(references.count - 1)
            if references.count & 0xFFF == 0 { try expectRoom() }
        }
        return orphans
    }

    /// Removes orphans and the records that refer to removed ones. The place of each event is the index of its record.
    private mutating func takeOut(_ orphans: inout [KeyEvent]) {
        var isOut = Array(repeating: false, count: records.count)
        var next = 0
        while next < orphans.count {
            let record = Int(orphans[next].place)
            next += 1
            if isOut[record] { continue }
            isOut[record] = true
            for key in 0..<keyCount {
                let target = Int(ownTargets[record * keyCount + key])
                if target == 0 { continue }
                holders[target] -= 1
                if holders[target] > 0 { continue }
                var reference = Int(lastReference[target])
                while reference > 0 {
                    let (other, column, before) = references[reference]
                    let order = KeyOrder(record: records[Int(other)], key: Int(column)).bits
                    orphans.append(KeyEvent(order: order, holder: 0, place: UInt64(other)))
                    reference = Int(before)
                }
            }
        }
    }

    private func expectRoom() throws {
        let bytes =
            targets.bytes + 8 * holders.count + (8 + 4 * keyCount) * records.count + 36 * references.count
        if bytes > memory || max(records.count, references.count) > Int(UInt32.max) - 0x2000 { throw noRoom() }
    }

    private func noRoom() -> InputError {
        InputError(
            "\(columns.ids.joined(separator: ", ")) into the table itself has no room in the memory for keys",
            override: .keyMemory)
    }
}
