internal import CAssay
internal import CAssayABI

extension SourceColumn {
    /// Returns whether the views and indices of some rows are in bounds. Offsets are validated when they become cells.
    func hasValidLayout(_ rows: Range<Int>) -> Bool {
        switch values {
        case .views(let views, let buffers): areInside(views, buffers.limits, rows)
        case .pointers(_, let lengths): rows.allSatisfy { lengths[$0] >= 0 }
        case .dictionary(let indices, let values): areInside(indices, values.count, rows)
        case .offsets32, .offsets64, .written, .nothing: true
        }
    }

    /// The fault for a column with an invalid layout. It names the first invalid row, even if a check of later rows
    /// failed earlier.
    var fault: Fault? {
        let rows = 0..<count
        switch values {
        case .offsets32(_, let offsets): return fault("has an offset that is negative or descends", firstWrong(offsets))
        case .offsets64(_, let offsets): return fault("has an offset that is negative or descends", firstWrong(offsets))
        case .views:
            return fault("has a view that points outside its buffers", rows.first { !hasValidLayout($0..<$0 + 1) })
        case .pointers: return fault("has a length beyond any memory", rows.first { !hasValidLayout($0..<$0 + 1) })
        case .dictionary:
            return fault("has an index outside its dictionary", rows.first { !hasValidLayout($0..<$0 + 1) })
        case .written, .nothing: return nil
        }
    }

    private func fault(_ what: String, _ row: Int?) -> Fault? {
        row.map { Fault(faultCode, "\(path) \(what), at row \($0)") }
    }

    private func firstWrong<Offset: FixedWidthInteger>(_ offsets: UnsafePointer<Offset>) -> Int? {
        (0...count).first { offsets[$0] < ($0 == 0 ? 0 : offsets[$0 - 1]) }
    }

    // Invalid layouts are rare, so the checks read all rows without branches. Values of nulls are excluded, because
    // they are never read.

    private func areInside(_ views: UnsafePointer<StringView>, _ limits: [Int], _ rows: Range<Int>) -> Bool {
        limits.withUnsafeBufferPointer { limits in
            func isWrong(_ view: StringView) -> Bool {
                let buffer = Int(min(UInt32(bitPattern: view.buffer), UInt32(limits.count - 1)))
                let isOutside = view.offset < 0 || Int(view.offset) + Int(view.length) > limits[buffer]
                return view.length < 0 || view.length > StringView.inline && isOutside
            }
            var anyIsWrong = false
            for row in rows { anyIsWrong = isWrong(views[row]) || anyIsWrong }
            return !anyIsWrong || !rows.contains { row in isWrong(views[row]) && hasValue(row) }
        }
    }

    private func areInside(_ indices: Indices, _ count: Int, _ rows: Range<Int>) -> Bool {
        if case .bits = indices.width { return true }
        var anyIsWrong = false
        indices.forEach(rows) { _, index in
            anyIsWrong = UInt(bitPattern: index) >= UInt(bitPattern: count) || anyIsWrong
        }
        guard anyIsWrong else { return true }
        var hasValidLayout = true
        indices.forEach(rows) { row, index in
            if (index < 0 || index >= count) && hasValue(row) { hasValidLayout = false }
        }
        return hasValidLayout
    }

    private func hasValue(_ row: Int) -> Bool { validity.allSatisfy { $0.isSet(row) } }
}
