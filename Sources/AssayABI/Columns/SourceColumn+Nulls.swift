internal import Assay

extension SourceColumn {
    /// Sets the bits of the rows without a value.
    func nullRows(_ rows: Range<Int>, into nulls: UnsafeMutablePointer<UInt64>) {
        if case .nothing = values {
            for word in 0..<maskWords(rows.count) { nulls[word] = lowBits(rows.count - 64 * word) }
            return
        }
        if validity.isEmpty {
            nulls.update(repeating: 0, count: maskWords(rows.count))
            return
        }
        for word in 0..<maskWords(rows.count) {
            let count = min(64, rows.count - 64 * word)
            var present: UInt64 = lowBits(count)
            for map in validity { present &= map.word(first: rows.lowerBound + 64 * word, count: count) }
            nulls[word] = lowBits(count) & ~present
        }
    }
}
