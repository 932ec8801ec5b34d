// Searches in text byte by byte, as shells, file systems and parsers do.
//
// `Character` combines a combining mark with the preceding scalar, so `contains`, `split`, `hasPrefix` and `first` do
// not find a quote that U+0301 follows. If the next reader of the text treats it as a quote, these functions must find
// it.
//
// Only for `String`, because generic code is not specialized across modules.
extension String {
    /// Whether the text begins with the bytes of another.
    package func begins(withBytesOf start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Whether the text ends with the bytes of another.
    package func ends(withBytesOf end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }

    /// Whether the text contains the bytes of another.
    package func contains(bytesOf part: String) -> Bool {
        part.isEmpty || utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
    }

    /// The text, split at each separator; includes empty pieces.
    package func pieces(at separator: String) -> [Substring] {
        var pieces: [Substring] = []
        var (start, place) = (startIndex, startIndex)
        while place < endIndex {
            guard utf8[place...].starts(with: separator.utf8) else {
                utf8.formIndex(after: &place)
                continue
            }
            pieces.append(self[start..<place])
            place = utf8.index(place, offsetBy: separator.utf8.count)
            start = place
        }
        return pieces + [self[start...]]
    }

    /// The text with each occurrence of a scalar replaced by another text.
    package func replacingEach(_ scalar: Unicode.Scalar, by text: String) -> String {
        var replaced = String.UnicodeScalarView()
        for each in unicodeScalars {
            if each == scalar { replaced.append(contentsOf: text.unicodeScalars) } else { replaced.append(each) }
        }
        return String(replaced)
    }
}
