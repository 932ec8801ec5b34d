package import CAssay

/// The values of a slice of JSON Lines, column by column. Scratch memory of one worker.
///
///     {"id":7,"address":{"city":"Köln"}}       id             7       number
///     {"id":null}                      ───►    address.city   Köln    string
///                                                             ·       absent
package final class JSONReader {
    private let paths: JSONPaths
    // SAFETY: This handle and the memory below are created in `init` and freed in `deinit`. Only one worker uses them.
    private let handle: OpaquePointer
    /// Masks of the last gathered column: rows without a value, and rows with a value of another type.
    private let nulls: UnsafeMutablePointer<UInt64>
    private let wrong: UnsafeMutablePointer<UInt64>
    private let unrepaired: UnsafeMutablePointer<UInt64>
    private let nullValueBits: UnsafeMutablePointer<UInt64>
    /// For each malformed line: the offset of the syntax error.
    private let mistakes: UnsafeMutablePointer<UInt32>

    package init(_ paths: JSONPaths) throws(NoMemoryError) {
        guard let handle = assay_json_reader_create(paths.handle) else {
            throw NoMemoryError(for: "the values of JSON Lines")
        }
        self.paths = paths
        self.handle = handle
        nulls = .allocate(capacity: maskWords(Self.maxRows))
        wrong = .allocate(capacity: maskWords(Self.maxRows))
        unrepaired = .allocate(capacity: maskWords(Self.maxRows))
        nullValueBits = .allocate(capacity: maskWords(Self.maxRows))
        mistakes = .allocate(capacity: Self.maxRows)
        nulls.initialize(repeating: 0, count: maskWords(Self.maxRows))
        wrong.initialize(repeating: 0, count: maskWords(Self.maxRows))
        unrepaired.initialize(repeating: 0, count: maskWords(Self.maxRows))
        nullValueBits.initialize(repeating: 0, count: maskWords(Self.maxRows))
        mistakes.initialize(repeating: 0, count: Self.maxRows)
    }

    deinit {
        assay_json_reader_free(handle)
        nulls.deallocate()
        wrong.deallocate()
        unrepaired.deallocate()
        nullValueBits.deallocate()
        mistakes.deallocate()
    }

    /// The maximum number of rows of a slice, a multiple of 64.
    package static let maxRows = min(2048, SchemaEvaluator.sliceRows)

    /// Reads the rows of a slice that are not broken, and adds malformed rows to `broken`.
    ///
    /// - Parameters:
    ///   - used: The used size of the buffer. Strings are unescaped after it.
    ///   - first: The first row of the batch.
    package func read(
        _ batch: UnsafePointer<assay_batch>, _ bytes: UnsafeMutablePointer<UInt8>, first: Int, rows: Int,
        broken: UnsafeMutablePointer<UInt64>, used: inout UInt32
    ) throws(NoMemoryError) {
        let status = assay_json_read(handle, batch, bytes, &used, UInt32(first), UInt32(rows), broken)
        if status != .ASSAY_OK { throw NoMemoryError(for: "the values of JSON Lines") }
        guard let malformed = assay_json_malformed(handle) else { return }
        for word in 0..<maskWords(rows) { broken[word] |= malformed[word] }
    }

    /// The rows with a value that has no path. `nil` if no row was read.
    package var unnamed: UnsafePointer<UInt64>? { assay_json_unnamed(handle) }

    /// Returns the syntax error of a malformed line and its place.
    package func mistake(_ row: Int) -> (code: assay_json_mistake_code, place: Int) {
        let mistake = assay_json_mistake_at(handle, UInt32(row))
        return (mistake.code, Int(mistake.place))
    }

    /// The places of the kept syntax errors, by row.
    package var mistakePlaces: UnsafePointer<UInt32> { UnsafePointer(mistakes) }

    package func keepPlace(ofMistakeIn row: Int) { mistakes[row] = UInt32(mistake(row).place) }

    /// Writes the cells of a plain column, and returns the masks of rows without a value or with another type.
    ///
    /// - Parameter room: The memory for repaired values, after `bytes`.
    package func gather(
        _ column: Int, rows: Int, bytes: UnsafePointer<UInt8>, room: UnsafeMutableBufferPointer<UInt8>? = nil,
        into cells: UnsafeMutablePointer<assay_cell>
    ) -> GatheredCells {
        guard let values = assay_json_cells(handle, column) else {
            // No row was read.
            cells.update(repeating: assay_cell(), count: rows)
            return GatheredCells(bytes: bytes)
        }
        cells.update(from: values, count: rows)
        markKinds(column, nulls, wrong)
        let nullValues = self.nullValues(column)
        let kinds = paths.areText ? nil : assay_json_kinds(handle, column)
        guard let room else {
            return GatheredCells(
                bytes: bytes, nulls: nulls, wrongTypes: wrong, nullValues: nullValues, kinds: kinds)
        }
        // Repairs do not add a missing member, and do not change null if null is a value.
        assay_json_kind_mask(handle, column, JSONPaths.absent | (paths.isNullValue ? JSONPaths.null : 0), unrepaired)
        for word in 0..<maskWords(rows) { unrepaired[word] |= wrong[word] }
        return GatheredCells(
            bytes: bytes, nulls: nulls, wrongTypes: wrong, unrepaired: unrepaired, room: room, nullValues: nullValues,
            kinds: kinds)
    }

    /// Returns the rows with a null value in a column, if null is a value. Valid until the next call.
    package func nullValues(_ column: Int) -> UnsafePointer<UInt64>? { nullValues(column, nullValueBits) }

    /// Marks the values that are null, if null is a value.
    private func nullValues(
        _ column: Int, _ mask: UnsafeMutablePointer<UInt64>
    ) -> UnsafePointer<UInt64>? {
        if !paths.isNullValue { return nil }
        assay_json_kind_mask(handle, column, JSONPaths.null, mask)
        return UnsafePointer(mask)
    }

    private func markKinds(
        _ column: Int, _ nulls: UnsafeMutablePointer<UInt64>, _ wrong: UnsafeMutablePointer<UInt64>
    ) {
        assay_json_kind_mask(handle, column, paths.none, nulls)
        assay_json_kind_mask(handle, column, JSONPaths.all & ~paths.none & ~paths.kinds[column], wrong)
    }

    /// Marks the values of a plain column that have one of the given kinds.
    package func mark(_ column: Int, kinds: UInt32, in mask: UnsafeMutablePointer<UInt64>) {
        assay_json_kind_mask(handle, column, kinds, mask)
    }

    /// Counts the first values of a column by kind.
    ///
    /// - Parameter skip: The bits of values to leave out.
    package func countKinds(_ column: Int, _ count: Int, skip: UnsafePointer<UInt64>, into counts: inout [Int]) {
        guard let kinds = assay_json_kinds(handle, column) else { return }
        for value in 0..<count { counts[Int(kinds[value])] += 1 }
        for word in 0..<maskWords(count) { forEachBit(in: skip[word]) { counts[Int(kinds[64 * word + $0])] -= 1 } }
    }

    /// Records the paths that occur in a row of the slice or in an element of its lists.
    ///
    /// - Complexity: O(paths), and O(rows) for each path that has not occurred before.
    package func notePresent(in present: inout [Bool], rows: Int) {
        if present.isEmpty { present = Array(repeating: false, count: paths.names.count) }
        func note(_ column: Int, count: Int) {
            guard !present[column], let kinds = assay_json_kinds(handle, column) else { return }
            let absent = UInt8(assay_json_kind.ASSAY_JSON_ABSENT.rawValue)
            present[column] = UnsafeBufferPointer(start: kinds, count: count).contains { $0 != absent }
        }
        for column in paths.plain { note(column, count: rows) }
        for column in paths.lists { note(column, count: assay_json_element_count(handle, column)) }
    }

    /// The kind of each value of a column, an `assay_json_kind`. `nil` if no row was read.
    package func kinds(_ column: Int) -> UnsafePointer<UInt8>? { assay_json_kinds(handle, column) }

    package func cell(_ column: Int, _ row: Int) -> assay_cell { assay_json_cells(handle, column)![row] }
    package func cells(_ column: Int) -> UnsafePointer<assay_cell> { assay_json_cells(handle, column)! }
    package func places(_ column: Int) -> UnsafePointer<UInt32> { assay_json_places(handle, column)! }

    // Lists

    /// The values of a list column in all rows of the slice.
    package struct Elements {
        package let count: Int
        package let rows: UnsafePointer<UInt32>
        package let cells: UnsafePointer<assay_cell>
        package let places: UnsafePointer<UInt32>
        fileprivate let indexes: UnsafePointer<UInt32>

        /// Whether a value other than a list is in the place of one of the element's lists.
        package func isNoList(_ element: Int, depth: Int) -> Bool {
            (0..<depth).contains { indexes[element * Int(ASSAY_JSON_LISTS) + $0] == UInt32.max }
        }

        /// Returns the index of an element in each of its lists, from 0; `nil` if the value is not in a list.
        package func indexes(_ element: Int) -> [Int?] {
            (0..<Int(ASSAY_JSON_LISTS)).map {
                let index = indexes[element * Int(ASSAY_JSON_LISTS) + $0]
                return index == UInt32.max ? nil : Int(index)
            }
        }
    }

    /// Returns `nil` if the column has no elements in the slice.
    package func elements(_ column: Int) -> Elements? {
        let count = assay_json_element_count(handle, column)
        if count == 0 { return nil }
        return Elements(
            count: count, rows: assay_json_element_rows(handle, column), cells: cells(column), places: places(column),
            indexes: assay_json_element_indexes(handle, column))
    }

    /// Whether null is a value.
    package var hasNullValues: Bool { paths.isNullValue }

    /// Whether values are checked as text.
    package var areText: Bool { paths.areText }

    /// Marks the elements of a list column that have no value, that have another type, that are in the place of a list,
    /// and that no repair changes.
    package func mark(_ column: Int, _ elements: Elements, in masks: ElementMasks) throws(NoMemoryError) {
        let words = maskWords(elements.count)
        try masks.makeRoom(for: words)
        markKinds(column, masks.nulls, masks.wrong)
        // A value in the place of a list is wrong even if it has the type of an element.
        masks.noLists.update(repeating: 0, count: words)
        let depth = Int(assay_json_paths_depth(paths.handle, column))
        for element in 0..<elements.count where elements.isNoList(element, depth: depth) {
            masks.noLists[element / 64] |= 1 << UInt64(element % 64)
        }
        for word in 0..<words { masks.wrong[word] |= masks.noLists[word] }
        // See `gather`.
        assay_json_kind_mask(
            handle, column, JSONPaths.absent | (paths.isNullValue ? JSONPaths.null : 0), masks.unrepaired)
        for word in 0..<words { masks.unrepaired[word] |= masks.wrong[word] }
        _ = nullValues(column, masks.nullValues)
    }
}

/// Masks over the elements of a list column. A slice may have any number of elements.
package final class ElementMasks {
    // SAFETY: Freed in `deinit`. Only one worker uses them.
    package private(set) var nulls: UnsafeMutablePointer<UInt64>
    private var words = 32

    package init() throws(NoMemoryError) { nulls = try Self.allocate(words) }

    deinit { release(nulls) }

    package var wrong: UnsafeMutablePointer<UInt64> { nulls + words }
    package var unrepaired: UnsafeMutablePointer<UInt64> { nulls + 2 * words }
    package var noLists: UnsafeMutablePointer<UInt64> { nulls + 3 * words }
    package var nullValues: UnsafeMutablePointer<UInt64> { nulls + 4 * words }

    /// Grows the masks to at least `words` words. Discards their content.
    package func makeRoom(for words: Int) throws(NoMemoryError) {
        if words <= self.words { return }
        let larger = try Self.allocate(words)
        release(nulls)
        (nulls, self.words) = (larger, words)
    }

    private static func allocate(_ words: Int) throws(NoMemoryError) -> UnsafeMutablePointer<UInt64> {
        try reserve(5 * words, for: "the values of JSON Lines")
    }
}
