internal import Assay

/// The places of the records in the order in which they get their keys, counted from 1.
///
///     record   updated     keep: last   {max: updated}
///     1        10:00       2^47 - 1     2
///     2        12:00       2^47 - 2     1
///     3        ·           2^47 - 3     2^47 + 3       without a value: after all other records
///
struct PreferenceOrder {
    /// For each record with a value, in the order of their places. `nil` if the last record is first.
    private var records: GroupHolders?
    /// The places of the records with values, in the order of the records.
    private var places: MergedEvents?

    private static let middle: UInt64 = 1 << 47

    /// The order of `keep: last`.
    static let reversed = PreferenceOrder()

    private init() {}

    /// The order of the values in a column.
    ///
    /// - Parameter memory: The maximum memory, in bytes.
    init(_ runs: inout PreferenceRuns, in file: ScratchFile, memory: Int) throws {
        var records = GroupHolders(file, memory: memory / 2)
        var places = EventRuns(file, memory: memory / 2)
        try runs.forEach { record in
            let place = try records.append(GroupHolders.Holder(record: record))
            try places.append(
                KeyEvent(order: KeyOrder(record: record, key: 0).bits, holder: UInt64(place) + 1, place: 0))
        }
        self.places = try MergedEvents(places.ended())
        self.records = records
    }

    /// The place of a record in a reversed order.
    static func reversedPlace(of record: UInt64) -> UInt64 { middle - record }

    /// Returns the place of a record. Records must be requested in ascending order.
    mutating func place(of record: UInt64) throws(FileError) -> UInt64 {
        if records == nil { return Self.reversedPlace(of: record) }
        while let event = places?.first {
            let other = KeyOrder(bits: event.order).record
            if other == record { return event.holder }
            if other > record { break }
            try places?.removeFirst()
        }
        return Self.middle + record
    }

    /// Returns the record at a place.
    func record(at place: UInt64) throws(FileError) -> UInt64 {
        guard let records else { return Self.middle - place }
        return place > Self.middle ? place - Self.middle : try records.holder(Int(place) - 1).record
    }

    /// Returns events whose records are places as events in the order of their records.
    ///
    /// - Parameter memory: The maximum memory, in bytes.
    func eventsByRecord(
        _ lists: [SpilledList<KeyEvent>], in file: ScratchFile, memory: Int
    ) throws -> [SpilledList<KeyEvent>] {
        var events = EventRuns(file, memory: memory)
        var merged = try MergedEvents(lists)
        while let event = merged.first {
            let order = KeyOrder(bits: event.order)
            try events.append(
                KeyEvent(
                    order: KeyOrder(record: try record(at: order.record), key: order.key).bits,
                    holder: try record(at: event.holder), place: event.place))
            try merged.removeFirst()
        }
        return try events.ended()
    }
}
