/// A search for a part of a text.
///
/// Source: Knuth, Morris, Pratt, "Fast pattern matching in strings".
struct ByteSearch {
    private let part: UnsafeBufferPointer<UInt8>
    /// For each prefix of the part, the length of its longest proper prefix that is also its suffix.
    private var borders: [Int] = [0]
    /// The number of bytes of the part that precede `position`.
    private var matched = 0
    /// The offset of the next byte of the text.
    private var position = 0

    /// - Parameter part: Must not be changed or freed during the search.
    /// - Complexity: O(*n*) for a part of *n* bytes.
    init(_ part: UnsafeBufferPointer<UInt8>) {
        self.part = part
        borders.reserveCapacity(part.count)
        var matched = 0
        for byte in part.dropFirst() {
            while matched > 0 && part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            borders.append(matched)
        }
    }

    /// The offset of the next occurrence; `nil` after the last one. The part must not be empty.
    ///
    /// - Parameters:
    ///   - text: The same text in all calls.
    ///   - start: The minimum offset, which must not be less than the end of the previous occurrence; `nil` for the
    ///     next occurrence, which may overlap the previous one.
    /// - Complexity: O(*n*) for all calls together, for a text of *n* bytes.
    mutating func next(in text: UnsafeBufferPointer<UInt8>, from start: Int? = nil) -> Int? {
        if let start { (position, matched) = (start, 0) }
        while position < text.count {
            let byte = text[position]
            while matched > 0 && part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            position += 1
            if matched == part.count {
                matched = borders[matched - 1]
                return position - part.count
            }
        }
        return nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the buffer contains these bytes.
    ///
    /// - Complexity: O(*n* + *m*).
    package func contains(bytes part: UnsafeBufferPointer<UInt8>) -> Bool {
        if part.isEmpty { return true }
        if part.count > count { return false }
        var search = ByteSearch(part)
        return search.next(in: self, from: 0) != nil
    }
}
