internal import Assay
internal import CAssay

/// The counts of one worker for one column.
final class ProfileColumn {
    // SAFETY: created in `init`, freed in `deinit`, and used by one worker.
    let handle: OpaquePointer
    let plan: ProfilePlan.Column
    /// The result of each candidate type of the plan.
    var tries: [Try]
    /// For JSON: the number of values of each kind.
    var kinds = [Int](repeating: 0, count: 7)
    /// For a column of list elements: the number of values that are not lists.
    var noLists = 0

    /// The result of a candidate.
    struct Try {
        var fits = 0
        /// The number of values that do not fit because they are words for missing values, such as `n/a`.
        var words = 0
        var firstMisfit = Int.max
        var times = assay_profile_no_times()
    }

    // SAFETY: borrowed from the worker, which owns the column.
    private let scratch: OpaquePointer

    /// - Parameter scratch: The scratch memory of the worker.
    init(_ plan: ProfilePlan.Column, scratch: OpaquePointer) throws(NoMemoryError) {
        var options = plan.options
        guard let handle = assay_profile_create(&options) else { throw Self.noMemory }
        assay_profile_defer(handle)
        self.handle = handle
        self.plan = plan
        self.scratch = scratch
        tries = plan.candidates.map { _ in Try() }
        if plan.candidates.isEmpty { return }
        // SAFETY: the column frees the profile before it is deallocated, and calls are synchronous.
        assay_profile_visit_deferred(handle, Unmanaged.passUnretained(self).toOpaque()) { column, values in
            Unmanaged<ProfileColumn>.fromOpaque(column!).takeUnretainedValue().count(values!.pointee)
        }
    }

    deinit { assay_profile_free(handle) }

    private static let noMemory = NoMemoryError(for: "the profile of a column")

    func add(
        _ cells: ProfileCells, record: Int, nonRecords: UnsafePointer<UInt64>?, _ masks: ProfileMasks
    ) throws(NoMemoryError) {
        masks.reserve(cells.count)
        let rows = assay_profile_rows(record: UInt64(record), non_records: nonRecords, row_of: cells.rowOf)
        let status = assay_profile_add(
            handle, cells.bytes, cells.cells, cells.count, cells.skip, cells.nulls, rows, masks.absent, masks.words,
            masks.skipped)
        if status != .ASSAY_OK { throw Self.noMemory }
        if plan.candidates.isEmpty { return }
        var left: UInt64 = 0
        for word in 0..<maskWords(cells.count) {
            masks.skipped[word] |= masks.absent[word]
            left |= ~masks.skipped[word] & lowBits(cells.count - 64 * word)
        }
        if left == 0 { return }
        for index in plan.candidates.indices {
            plan.candidates[index].evaluate(
                cells.bytes, cells.cells, cells.count, skip: masks.skipped, scratch: scratch, failed: masks.failed,
                undecided: masks.undecided)
            count(index, cells, record: record, nonRecords: nonRecords, masks, rows)
        }
    }

    private func count(
        _ index: Int, _ cells: ProfileCells, record: Int, nonRecords: UnsafePointer<UInt64>?, _ masks: ProfileMasks,
        _ rows: assay_profile_rows
    ) {
        for word in 0..<maskWords(cells.count) {
            let there = ~masks.skipped[word] & lowBits(cells.count - 64 * word)
            let failed = masks.failed[word] & there
            tries[index].fits += (there & ~failed).nonzeroBitCount
            tries[index].words += (failed & masks.words[word]).nonzeroBitCount
            let misfits = failed & ~masks.words[word]
            if misfits != 0 {
                let value = 64 * word + misfits.trailingZeroBitCount
                let row = cells.rowOf.map { Int($0[value]) } ?? value
                let before = nonRecords.map { nonRecords in
                    (0..<row).count { nonRecords[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
                }
                tries[index].firstMisfit = min(tries[index].firstMisfit, record + row - (before ?? 0))
            }
            masks.failed[word] |= masks.skipped[word]
        }
        if let times = plan.candidates[index].times {
            assay_profile_add_times(
                &tries[index].times, times, cells.bytes, cells.cells, cells.count, masks.failed, rows)
        }
    }

    /// Tries the candidates on deferred values, each of which may occur in many rows.
    private func count(_ values: assay_profile_deferred) {
        let none = [UInt64](repeating: 0, count: maskWords(values.count))
        var (failed, undecided) = (none, none)
        for (index, type) in plan.candidates.enumerated() {
            type.evaluate(
                values.bytes, values.cells, values.count, skip: none, scratch: scratch, failed: &failed,
                undecided: &undecided)
            for value in 0..<values.count {
                let (rows, first) = (Int(values.rows[value]), values.first_records[value])
                let (word, bit) = (value / 64, UInt64(value % 64))
                if failed[word] >> bit & 1 == 0 {
                    tries[index].fits += rows
                    guard let times = type.times else { continue }
                    var own = assay_profile_no_times()
                    let records = assay_profile_rows(record: first, non_records: nil, row_of: nil)
                    assay_profile_add_times(&own, times, values.bytes, values.cells + value, 1, none, records)
                    assay_profile_merge_times(&tries[index].times, &own, values.rows[value])
                } else if values.words[word] >> bit & 1 == 1 {
                    tries[index].words += rows
                } else {
                    tries[index].firstMisfit = min(tries[index].firstMisfit, Int(first))
                }
            }
        }
    }

    /// Completes the counts after all values were added.
    func finish() throws(NoMemoryError) {
        if assay_profile_settle(handle) != .ASSAY_OK { throw Self.noMemory }
    }

    func merge(_ other: ProfileColumn) throws(NoMemoryError) {
        if assay_profile_merge(handle, other.handle) != .ASSAY_OK { throw Self.noMemory }
        for index in tries.indices {
            tries[index].fits += other.tries[index].fits
            tries[index].words += other.tries[index].words
            tries[index].firstMisfit = min(tries[index].firstMisfit, other.tries[index].firstMisfit)
            assay_profile_merge_times(&tries[index].times, &other.tries[index].times, 1)
        }
        for index in kinds.indices { kinds[index] += other.kinds[index] }
        noLists += other.noLists
    }
}

/// Masks of the values of a column. Scratch memory of one worker.
final class ProfileMasks {
    private var capacity = 0
    private(set) var absent: UnsafeMutablePointer<UInt64>
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var failed: UnsafeMutablePointer<UInt64>
    private(set) var undecided: UnsafeMutablePointer<UInt64>
    /// The values that are missing or deferred.
    private(set) var skipped: UnsafeMutablePointer<UInt64>

    init() {
        capacity = maskWords(Slice.maxRows)
        absent = .allocate(capacity: 5 * capacity)
        (words, failed, undecided) = (absent + capacity, absent + 2 * capacity, absent + 3 * capacity)
        skipped = absent + 4 * capacity
    }

    deinit { absent.deallocate() }

    /// Grows the masks to `count` values, because lists may have any number of elements.
    func reserve(_ count: Int) {
        if maskWords(count) <= capacity { return }
        absent.deallocate()
        capacity = maskWords(count)
        absent = .allocate(capacity: 5 * capacity)
        (words, failed, undecided) = (absent + capacity, absent + 2 * capacity, absent + 3 * capacity)
        skipped = absent + 4 * capacity
    }
}
