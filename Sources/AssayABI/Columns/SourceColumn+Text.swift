internal import CAssay

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
