// Looking into text from outside as shells, file systems and parsers do: byte by byte.
//
// `Character` joins a combining mark with what stands before it, so that a quote that U+0301 follows is no quote for `contains`, `split`,
// `hasPrefix` and `first`. Where it is one for who reads the text next, these see it.
//
// Of `String` alone: generic code is not specialized across modules.
extension String {
    /// Whether the text begins with the bytes of another.
    package func begins(withBytesOf start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Whether the text ends with the bytes of another.
    package func ends(withBytesOf end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }

    /// Whether the bytes of another text stand in this one.
    package func contains(bytesOf part: String) -> Bool {
        part.isEmpty || utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
    }

    /// The text cut at each separator; empty pieces stay.
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

    /// The text with another one in the place of each such scalar.
    package func replacingEach(_ scalar: Unicode.Scalar, by text: String) -> String {
        var replaced = String.UnicodeScalarView()
        for each in unicodeScalars {
            if each == scalar { replaced.append(contentsOf: text.unicodeScalars) } else { replaced.append(each) }
        }
        return String(replaced)
    }
}
