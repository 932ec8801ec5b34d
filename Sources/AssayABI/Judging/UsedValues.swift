internal import CAssay

/// The values of a dictionary that some rows have, each once. Used if a batch has fewer rows than its dictionary has
/// values.
///
///     dictionary   a b c d e f       indices   3 1 3        → values   d b     places   _ 1 _ 0 _ _
struct UsedValues {
    /// The index of each value of the dictionary among these values. Undefined for unused values.
    let places: [UInt32]
    private let pointers: [UnsafePointer<UInt8>?]
    private let lengths: [Int]
    private let dictionary: SourceColumn

    /// Returns `nil` if the dictionary is not much larger than the batch, is too large, does not contain texts, or has
    /// an invalid layout, which checking the whole dictionary then reports.
    init?(_ column: SourceColumn, _ indices: Indices, of dictionary: SourceColumn) {
        guard column.count < dictionary.count / 2, dictionary.count <= TableVerdicts.mostRows, dictionary.holdsTexts,
            dictionary.fault == nil, column.hasValidLayout(0..<column.count)
        else { return nil }
        let unused = UInt32.max
        var places = [UInt32](repeating: unused, count: dictionary.count)
        var pointers: [UnsafePointer<UInt8>?] = []
        var lengths: [Int] = []
        indices.forEach(0..<column.count) { _, index in
            // The index of a null is arbitrary.
            guard places.indices.contains(index), places[index] == unused else { return }
            places[index] = UInt32(pointers.count)
            let text = dictionary.text(index)
            pointers.append(text?.baseAddress)
            lengths.append(text?.count ?? 0)
        }
        (self.places, self.pointers, self.lengths, self.dictionary) = (places, pointers, lengths, dictionary)
    }

    var count: Int { pointers.count }

    /// Lends the values as a column.
    func withColumn<Result>(_ body: (SourceColumn) throws -> Result) rethrows -> Result {
        try pointers.withUnsafeBufferPointer { pointers in
            try lengths.withUnsafeBufferPointer { lengths in
                var values = SourceColumn.Values.nothing
                if let pointers = pointers.baseAddress, let lengths = lengths.baseAddress {
                    values = .pointers(pointers, lengths: lengths)
                }
                return try body(
                    SourceColumn(
                        count: count, values: values, path: dictionary.path, faultCode: dictionary.faultCode))
            }
        }
    }
}

extension SourceColumn {
    var holdsTexts: Bool {
        switch values {
        case .offsets32, .offsets64, .views: true
        default: false
        }
    }

    /// The bytes of a value in a valid column, or `nil` for a null.
    func text(_ row: Int) -> UnsafeBufferPointer<UInt8>? {
        guard validity.allSatisfy({ $0.isSet(row) }) else { return nil }
        switch values {
        case .offsets32(let bytes, let offsets): return Self.text(bytes, offsets, row)
        case .offsets64(let bytes, let offsets): return Self.text(bytes, offsets, row)
        case .views(let views, let buffers):
            let view = views[row]
            let inside = (UnsafeRawPointer(views + row) + 4).assumingMemoryBound(to: UInt8.self)
            let isInline = view.length <= StringView.inline
            let start = isInline ? inside : buffers.bases[Int(view.buffer)] + Int(view.offset)
            return UnsafeBufferPointer(start: start, count: Int(view.length))
        case .pointers(let pointers, let lengths):
            return pointers[row].map { UnsafeBufferPointer(start: $0, count: lengths[row]) }
        case .nothing: return nil
        case .written, .dictionary: preconditionFailure("a column that holds no texts of its own")
        }
    }

    private static func text<Offset: FixedWidthInteger>(
        _ bytes: UnsafePointer<UInt8>, _ offsets: UnsafePointer<Offset>, _ row: Int
    ) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(offsets[row]), count: Int(offsets[row + 1] - offsets[row]))
    }
}
