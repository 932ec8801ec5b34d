package import Assay
package import CAssay

/// The keys of the rows of a slice or chunk that have no other errors, and the rows that are refused because of their
/// keys or because they are out of order.
///
///     row   entry   email.unique   primaryKey
///     0       0      7d…            91…          entry 1 was rejected before, and takes no part;
///     1       2      ·              e0…          entry 2 lacks a part of the first key
///
/// A record gets its keys only if all are free (``KeySet/claim(_:records:each:holders:refused:)``). A foreign key is
/// looked up as soon as its rows are checked, unless it refers to this table. ``TableOrder`` decides sorted columns
/// before any key.
///
/// It has more than twelve properties, because each is a column of the same rows, and the C core fills them together.
package final class RowKeys {
    package let columns: [KeyColumn]
    /// The range of foreign keys. Unique keys are before it.
    private let foreign: Range<Int>
    /// Whether all columns are foreign keys that can be looked up immediately. Only orphans are then added as rows.
    private let addsOnlyOrphans: Bool
    /// Whether all claims are those of unique keys, because foreign keys are looked up immediately and sorted columns
    /// have no claims.
    private let areAllUnique: Bool
    /// The number of columns that findings are about.
    private let reportedCount: Int

    /// The number of rows.
    package private(set) var rows = 0
    /// By row: the entry of the chunk.
    package private(set) var entries: [UInt32] = []
    /// By row: the number of the record.
    package private(set) var records: [UInt64] = []
    /// By row and key. The record is 0 if the row lacks the key.
    package private(set) var claims: [assay_key] = []
    /// By row and key: the place of a finding in the chunk.
    package private(set) var places: [UInt32] = []
    /// Rows that lack a part of the primary key.
    private var incomplete: [UInt64] = []
    /// By foreign key: rows without a target.
    private var orphans: [[UInt64]]
    /// Rows that are excluded from decisions between records, because they lack a part of a key or are orphans.
    private var closed: [UInt64] = []
    /// The values of the sorted columns, and the rows that are out of order, in the order of the rows.
    var sorted: [SortedValues]
    var unsorted: [UnsortedRow] = []
    /// The column that decides which record with a key is kept, and the order keys of its values.
    private let preference: BoundPreference?
    private(set) var preferences = RowValues()
    /// Refused rows: closed rows, and rows with keys that other records hold.
    private var refused: [UInt64] = []
    /// By row and key; valid only for refused rows.
    private var holders: [assay_key] = []

    /// The number of keys per row.
    package var each: Int { columns.count }

    package init(_ columns: [KeyColumn], preference: BoundPreference? = nil) {
        self.columns = columns
        self.preference = preference
        foreign = columns.foreign
        addsOnlyOrphans = columns.allSatisfy { if case .foreign = $0.role { true } else { false } }
        areAllUnique = columns.allSatisfy {
            switch $0.role {
            case .unique, .foreign, .sorted: true
            case .lateForeign, .ownForeign, .target, .exported: false
            }
        }
        reportedCount = columns.reportedCount
        sorted = columns.enumerated().compactMap { number, column in
            column.sortOrder.map { _ in SortedValues(number, column.key) }
        }
        orphans = Array(repeating: [], count: foreign.count)
    }

    /// Begins another slice or chunk.
    ///
    /// - Parameter limit: The maximum number of rows.
    package func begin(rows limit: Int) {
        rows = 0
        incomplete.removeAll(keepingCapacity: true)
        closed.removeAll(keepingCapacity: true)
        for key in orphans.indices { orphans[key].removeAll(keepingCapacity: true) }
        for column in sorted.indices { sorted[column].removeAll() }
        preferences.removeAll()
        makeRoom(limit)
    }

    private func makeRoom(_ limit: Int) {
        guard entries.count < limit else { return }
        let none = assay_key(hash: assay_key_hash(), record: 0, place: 0)
        entries = Array(repeating: 0, count: limit)
        records = Array(repeating: 0, count: limit)
        claims = Array(repeating: none, count: limit * each)
        holders = claims
        places = Array(repeating: 0, count: limit * each)
    }

    /// The rows of a slice as a source of keys.
    package struct Slice {
        package let rows: Int
        package let columns: KeyColumns
        /// Adds the rows of the mask `open` as the rows from `first` on. Returns the number of rows added.
        package let add: (inout assay_key_rows, _ first: Int, _ open: UnsafePointer<UInt64>) -> Int
        /// Sets the places of a key of one column.
        package let place:
            (inout assay_key_rows, _ first: Int, _ key: Int, _ position: Int, _ open: UnsafePointer<UInt64>) -> Void

        package init(
            rows: Int, columns: KeyColumns,
            add: @escaping (inout assay_key_rows, _ first: Int, _ open: UnsafePointer<UInt64>) -> Int,
            place:
                @escaping (
                    inout assay_key_rows, _ first: Int, _ key: Int, _ position: Int, _ open: UnsafePointer<UInt64>
                ) -> Void = { _, _, _, _, _ in }
        ) {
            (self.rows, self.columns, self.add, self.place) = (rows, columns, add, place)
        }
    }

    /// Adds the rows of a slice after its other checks.
    ///
    /// - Parameters:
    ///   - closed: The rows to leave out.
    ///   - visit: Called with the added rows of the slice, and the index of the first one here.
    package func add(
        _ slice: Slice, _ hasher: KeyHasher, closed: (_ word: Int) -> UInt64,
        visit: (_ open: UnsafePointer<UInt64>, _ first: Int) -> Void = { _, _ in }
    ) {
        let first = rows
        let words = maskWords(slice.rows)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: (2 + each) * words) { buffer in
            let (open, present) = (buffer.baseAddress!, buffer.baseAddress! + words)
            for word in 0..<words { open[word] = ~closed(word) & lowBits(slice.rows - 64 * word) }
            let absent = present + words
            if addsOnlyOrphans && !keepOrphans(of: slice, hasher, open, absent: absent) { return }
            withRows { to in
                rows += slice.add(&to, first, open)
                // Without added rows, there are no values to hash.
                for (number, column) in columns.enumerated() where rows > first {
                    if addsOnlyOrphans {
                        addOrphans(absent + number * words, of: number, open, words: words, from: first)
                    } else if column.sortOrder == nil {
                        hashKey(number, of: slice, hasher, open, present, from: first, into: &to)
                    } else {
                        for row in first..<rows { to.keys[row * each + number].record = 0 }
                    }
                    // A finding about a key of several columns has the place of the record.
                    if let position = column.onlyPosition { slice.place(&to, first, number, position, open) }
                }
            }
            if rows > first {
                for column in sorted.indices { addValues(to: column, of: slice, hasher, open, present, from: first) }
                addPreferences(of: slice, hasher, open, present, from: first)
                visit(open, first)
            }
        }
        markIncomplete(from: first)
        close(from: first)
    }

    /// Hashes a key of the rows that have been added.
    ///
    /// - Parameters:
    ///   - open: The rows of the slice that were added as the rows from `first` on.
    ///   - present: Scratch memory.
    private func hashKey(
        _ number: Int, of slice: Slice, _ hasher: KeyHasher, _ open: UnsafePointer<UInt64>,
        _ present: UnsafeMutablePointer<UInt64>, from first: Int, into to: inout assay_key_rows
    ) {
        let (column, words) = (columns[number], maskWords(slice.rows))
        present.update(from: open, count: words)
        let hashes = hasher.hash(column.key, rows: slice.rows, selected: present, in: slice.columns)
        if case .foreign(let held) = column.role {
            held.takeOut(hashes, rows: slice.rows, from: present)
            addOrphans(present, of: number - foreign.lowerBound, open, words: words, from: first)
            present.update(repeating: 0, count: words)
        }
        assay_key_rows_hash(&to, first, number, open, present, slice.rows, hashes)
    }

    /// Copies the values of a sorted column in the rows that have been added.
    private func addValues(
        to column: Int, of slice: Slice, _ hasher: KeyHasher, _ open: UnsafePointer<UInt64>,
        _ present: UnsafeMutablePointer<UInt64>, from first: Int
    ) {
        let known = sorted[column].count
        forEachValue(sorted[column].key, of: slice, hasher, open, present, from: first) { row, value in
            sorted[column].append(value, row: row)
        }
        sorted[column].compare(from: known)
    }

    /// Adds the order keys of the column that decides which record is kept, in the rows that have been added.
    private func addPreferences(
        of slice: Slice, _ hasher: KeyHasher, _ open: UnsafePointer<UInt64>,
        _ present: UnsafeMutablePointer<UInt64>, from first: Int
    ) {
        guard let preference else { return }
        forEachValue(preference.key, of: slice, hasher, open, present, from: first) { row, value in
            preferences.append(row: row) { keys in
                preference.key.key.appendOrderKey(of: value, isDescending: preference.isDescending, to: &keys)
            }
        }
    }

    /// Passes the values of a column in the rows that have been added to `body`, in ascending order of the rows.
    private func forEachValue(
        _ key: BoundKey, of slice: Slice, _ hasher: KeyHasher, _ open: UnsafePointer<UInt64>,
        _ present: UnsafeMutablePointer<UInt64>, from first: Int,
        _ body: (_ row: Int, UnsafeBufferPointer<UInt8>) -> Void
    ) {
        present.update(from: open, count: maskWords(slice.rows))
        // The number of added rows in the words before.
        var (word, before) = (0, first)
        hasher.forEachValue(key, rows: slice.rows, selected: present, in: slice.columns) { row, value in
            while word < row / 64 {
                before += open[word].nonzeroBitCount
                word += 1
            }
            body(before + (open[word] & lowBits(row % 64)).nonzeroBitCount, value)
        }
    }

    /// Passes the order key of each row to `body`, for rows with a value in the column that decides which record is
    /// kept.
    package func forEachPreference<Failure: Error>(
        _ body: (_ row: Int, _ orderKey: ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for value in 0..<preferences.count {
            try body(preferences.row(of: value)!, preferences.text[preferences.range(of: value)])
        }
    }

    /// Keeps only the orphans among the rows of a mask. Returns `false` if there are no orphans.
    ///
    /// - Parameter absent: By foreign key; receives the rows without a target.
    private func keepOrphans(
        of slice: Slice, _ hasher: KeyHasher, _ open: UnsafeMutablePointer<UInt64>,
        absent: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        let words = maskWords(slice.rows)
        for (number, column) in columns.enumerated() {
            guard case .foreign(let held) = column.role else { continue }
            let own = absent + number * words
            own.update(from: open, count: words)
            let hashes = hasher.hash(column.key, rows: slice.rows, selected: own, in: slice.columns)
            held.takeOut(hashes, rows: slice.rows, from: own)
        }
        var isAny = false
        for word in 0..<words {
            open[word] = (0..<each).reduce(0) { $0 | absent[$1 * words + word] }
            isAny = isAny || open[word] != 0
        }
        return isAny
    }

    /// Marks added rows with a foreign key that has no target.
    ///
    /// - Parameters:
    ///   - absent: The rows of the slice without a target.
    ///   - open: The rows of the slice that were added as the rows from `first` on.
    private func addOrphans(
        _ absent: UnsafePointer<UInt64>, of key: Int, _ open: UnsafePointer<UInt64>, words: Int, from first: Int
    ) {
        orphans[key].append(contentsOf: repeatElement(0, count: maskWords(rows) - orphans[key].count))
        var before = first
        for word in 0..<words {
            forEachBit(in: absent[word]) { bit in
                let row = before + (open[word] & (1 << UInt64(bit) - 1)).nonzeroBitCount
                orphans[key][row / 64] |= 1 << UInt64(row % 64)
            }
            before += open[word].nonzeroBitCount
        }
    }

    /// Passes the rows to a C function.
    private func withRows(_ body: (inout assay_key_rows) -> Void) {
        entries.withUnsafeMutableBufferPointer { entries in
            records.withUnsafeMutableBufferPointer { records in
                claims.withUnsafeMutableBufferPointer { claims in
                    places.withUnsafeMutableBufferPointer { places in
                        var rows = assay_key_rows(
                            each: each, entries: entries.baseAddress, records: records.baseAddress,
                            keys: claims.baseAddress, places: places.baseAddress)
                        body(&rows)
                    }
                }
            }
        }
    }

    /// Marks rows that lack a part of the primary key. They must be rejected.
    private func markIncomplete(from first: Int) {
        incomplete.append(contentsOf: repeatElement(0, count: maskWords(rows) - incomplete.count))
        guard let primary = columns.firstIndex(where: { $0.isPrimary }) else { return }
        for row in first..<rows where claims[row * each + primary].record == 0 {
            incomplete[row / 64] |= 1 << UInt64(row % 64)
        }
    }

    /// Closes orphans and rows that lack a part of a key.
    private func close(from first: Int) {
        closed.append(contentsOf: repeatElement(0, count: maskWords(rows) - closed.count))
        for word in first / 64..<closed.count {
            closed[word] |= incomplete[word]
            for orphans in orphans where word < orphans.count { closed[word] |= orphans[word] }
            forEachBit(in: closed[word]) { dropClaims(ofRow: word * 64 + $0) }
        }
    }

    /// Closes the rows that are out of order.
    func closeUnsorted() {
        for unsorted in unsorted {
            let row = Int(unsorted.row)
            closed[row / 64] |= 1 << UInt64(row % 64)
            dropClaims(ofRow: row)
        }
    }

    /// Removes the claims of a row, except references that are looked up later.
    private func dropClaims(ofRow row: Int) {
        for column in 0..<each where !columns[column].isLookedUpLater { claims[row * each + column].record = 0 }
    }

    /// Starts a decision. At first, only the closed rows are refused.
    package func beginDeciding() {
        refused.removeAll(keepingCapacity: true)
        refused.append(contentsOf: closed)
    }

    /// Decides the rows with a set: a record gets its keys only if all are free. Returns `false` if memory runs out.
    package func claim(in set: KeySet) -> Bool {
        beginDeciding()
        if rows == 0 { return true }
        let done = (areAllUnique ? claims : uniqueClaims).withUnsafeBufferPointer { claims in
            refused.withUnsafeMutableBufferPointer { refused in
                holders.withUnsafeMutableBufferPointer { holders in
                    set.claim(
                        claims.baseAddress!, records: rows, each: each, holders: holders.baseAddress!,
                        refused: refused.baseAddress!)
                }
            }
        }
        for word in refused.indices { refused[word] |= closed[word] }
        return done
    }

    /// The claims without those of foreign keys and their targets.
    private var uniqueClaims: [assay_key] {
        var unique = Array(claims[..<(rows * each)])
        for row in 0..<rows { for column in foreign.lowerBound..<each { unique[row * each + column].record = 0 } }
        return unique
    }

    /// The number of refused rows.
    package var refusedRows: Int { refused.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Adds the entries of refused rows to a mask.
    package func addRefused(to mask: inout [UInt64]) {
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let entry = Int(entries[word * 64 + bit])
                mask[entry / 64] |= 1 << UInt64(entry % 64)
            }
        }
    }

    /// Restores the decisions that were made before the chunk was cut and its rows were added again.
    package func decideAsBefore() {
        unsorted.removeAll { $0.row >= rows }
        closeUnsorted()
        let words = maskWords(rows)
        refused.removeLast(refused.count - words)
        if rows % 64 > 0 { refused[words - 1] &= lowBits(rows % 64) }
    }

    /// Passes all keys to `body` in the order of the rows, each with the number of its column.
    package func forEachClaim<Failure: Error>(_ body: (assay_key, _ column: Int) throws(Failure) -> Void)
        throws(Failure)
    {
        for row in 0..<rows {
            for column in 0..<each where claims[row * each + column].record != 0 {
                try body(claims[row * each + column], column)
            }
        }
    }

    /// Refuses a row because another record holds its key. The table must have a single key.
    package func refuse(_ row: Int, holder: assay_key) {
        refused[row / 64] |= 1 << UInt64(row % 64)
        holders[row * each] = holder
    }

    /// Refuses a row for a column, because another record holds the key or a foreign key has no target.
    package func refuse(_ row: Int, column: Int, holder record: UInt64, place: UInt64) {
        let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
        if refused[word] & bit == 0 {
            for other in 0..<each { holders[row * each + other].record = 0 }
        }
        refused[word] |= bit
        if foreign.contains(column) {
            let key = column - foreign.lowerBound
            orphans[key].append(contentsOf: repeatElement(0, count: maskWords(rows) - orphans[key].count))
            orphans[key][word] |= bit
        } else {
            holders[row * each + column] = assay_key(hash: assay_key_hash(), record: record, place: place)
        }
    }

    /// Calls `body` for each reason to refuse a row. `holder` is `nil` if a part of the primary key is missing or a
    /// foreign key has no target. For a sorted column, it is the record that the row does not follow.
    package func forEachRefusal(_ body: (_ row: Int, _ column: Int, _ holder: assay_key?) -> Void) {
        var unsorted = unsorted[...]
        for word in refused.indices {
            forEachBit(in: refused[word]) { bit in
                let row = word * 64 + bit
                let (isIncomplete, isClosed) = (isSet(incomplete, row), isSet(closed, row))
                for column in 0..<reportedCount {
                    if let next = unsorted.first, next.row == row, next.column == column {
                        body(row, column, assay_key(hash: assay_key_hash(), record: next.record, place: next.place))
                        unsorted.removeFirst()
                    } else if column >= foreign.upperBound {
                        continue
                    } else if foreign.contains(column) {
                        if isSet(orphans[column - foreign.lowerBound], row) { body(row, column, nil) }
                    } else if isClosed {
                        if isIncomplete && columns[column].isPrimary { body(row, column, nil) }
                    } else if holders[row * each + column].record != 0 {
                        body(row, column, holders[row * each + column])
                    }
                }
            }
        }
    }

    private func isSet(_ mask: [UInt64], _ row: Int) -> Bool {
        row / 64 < mask.count && mask[row / 64] >> UInt64(row % 64) & 1 != 0
    }
}

/// The state of rows that are decided later.
extension RowKeys {
    /// The rows without their keys.
    package struct State {
        package var entries: [UInt32]
        package var records: [UInt64]
        package var places: [UInt32]
        package var incomplete: [UInt64]
        package var closed: [UInt64]
        package var orphans: [[UInt64]]
        package var unsorted: [UnsortedRow]

        package init(
            entries: [UInt32], records: [UInt64], places: [UInt32], incomplete: [UInt64], closed: [UInt64],
            orphans: [[UInt64]], unsorted: [UnsortedRow]
        ) {
            (self.entries, self.records, self.places) = (entries, records, places)
            (self.incomplete, self.closed, self.orphans, self.unsorted) = (incomplete, closed, orphans, unsorted)
        }
    }

    package var state: State {
        State(
            entries: Array(entries[..<rows]), records: Array(records[..<rows]), places: Array(places[..<(rows * each)]),
            incomplete: incomplete, closed: closed, orphans: orphans, unsorted: unsorted)
    }

    package func restore(_ state: State) {
        begin(rows: state.entries.count)
        rows = state.entries.count
        entries.replaceSubrange(..<rows, with: state.entries)
        records.replaceSubrange(..<rows, with: state.records)
        places.replaceSubrange(..<(rows * each), with: state.places)
        (incomplete, closed, orphans, unsorted) = (state.incomplete, state.closed, state.orphans, state.unsorted)
    }
}
