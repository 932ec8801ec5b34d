/// The text of a rule file, with places in it.
///
/// Places are byte offsets; lines and columns are found only when a mistake is shown.
struct SourceText {
    let name: String
    /// Without the byte order mark, if there was one.
    let bytes: [UInt8]
    /// Where each line starts. LF, CR LF and a lone CR end lines, as editors count them.
    private let lineStarts: [Int]

    init(name: String, bytes: [UInt8]) {
        self.name = name
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var starts = [0]
        let text = content.span
        for offset in text.indices {
            let isLineFeed = text[offset] == UInt8(ascii: "\n")
            let isLoneReturn =
                text[offset] == UInt8(ascii: "\r")
                && !(offset + 1 < text.count && text[offset + 1] == UInt8(ascii: "\n"))
            if isLineFeed || isLoneReturn { starts.append(offset + 1) }
        }
        self.bytes = content
        lineStarts = starts
    }

    /// The index of the line that holds an offset, from 0. O(log lines).
    func lineIndex(at offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the bytes of a line without its terminator.
    func line(_ index: Int) -> Range<Int> {
        let start = lineStarts[index]
        var end = index + 1 < lineStarts.count ? lineStarts[index + 1] : bytes.count
        while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return start..<end
    }

    /// Returns the text of a range; invalid UTF-8 becomes U+FFFD.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

extension SourceText {
    /// The mistakes as people see them, in order of place.
    ///
    /// - Complexity: O(bytes of the file + mistakes · log mistakes).
    func problems(_ mistakes: [Mistake], kind: RuleProblem.Kind = .error) -> [RuleProblem] {
        // Sorting by index too keeps the order of two mistakes at one place.
        let order = mistakes.indices.sorted {
            (mistakes[$0].range.lowerBound, $0) < (mistakes[$1].range.lowerBound, $1)
        }
        var columns = ColumnCounter(source: self)
        return order.map { index in
            let mistake = mistakes[index]
            // PCRE2 may report an offset inside a character.
            let start = Excerpt.boundary(at: min(mistake.range.lowerBound, bytes.count), in: bytes, from: 0)
            let (line, column) = columns.place(of: start)
            return problem(mistake, kind, line: line, column: column)
        }
    }

    private func problem(_ mistake: Mistake, _ kind: RuleProblem.Kind, line: Int, column: Int) -> RuleProblem {
        let lineRange = self.line(line)
        let start = min(max(mistake.range.lowerBound, lineRange.lowerBound), lineRange.upperBound)
        var end = min(max(mistake.range.upperBound, start), lineRange.upperBound)
        // A block mapping ends at the next item; do not underline the gap.
        while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        let excerpt = Excerpt(bytes: bytes, line: lineRange, marked: start..<end)
        return RuleProblem(
            file: name, line: line + 1, column: column,
            width: max(1, text(start..<min(end, start + 4096)).count),
            sourceLine: excerpt.text, message: mistake.message.visible,
            suggestion: (mistake.remedy?.advice ?? mistake.suggestion).map { advice in
                advice.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
                    .joined(separator: "\n")
            },
            kind: kind, caret: excerpt.caret,
            excerpt: mistake.excerpt.map { inner in
                let bytes = Array(inner.text.utf8)
                let source = SourceText(name: name, bytes: bytes)
                let offset = min(inner.offset, bytes.count)
                let line = source.line(source.lineIndex(at: offset))
                let place = min(offset, line.upperBound)
                let excerpt = Excerpt(bytes: bytes, line: line, marked: place..<place)
                return RuleProblem.Excerpt(text: excerpt.text, caret: excerpt.caret)
            },
            remedy: mistake.remedy)
    }
}

/// Turns ascending offsets into lines and columns without counting a long line repeatedly.
private struct ColumnCounter {
    let source: SourceText
    private var line = 0
    private var offset = 0
    private var column = 1

    init(source: SourceText) { self.source = source }

    /// The line from 0, the column in characters from 1.
    mutating func place(of target: Int) -> (line: Int, column: Int) {
        let targetLine = source.lineIndex(at: target)
        if targetLine != line || target < offset {
            (line, offset, column) = (targetLine, source.line(targetLine).lowerBound, 1)
        }
        column += source.text(offset..<max(offset, target)).count
        offset = max(offset, target)
        return (line, column)
    }
}

/// A line ready for a terminal: tabs as four spaces, hidden characters as escapes, and only the part around the caret
/// if the line is long.
private struct Excerpt {
    var text: String
    /// In columns of a terminal.
    var caret: Range<Int>

    private static let before = 60
    private static let maxColumns = 120

    /// - Parameter marked: the bytes above the caret. A character is marked if one of its bytes is.
    init(bytes: [UInt8], line: Range<Int>, marked: Range<Int>) {
        let first = Self.boundary(at: marked.lowerBound, in: bytes, from: line.lowerBound)
        var last = marked.upperBound
        while last > first, last < line.upperBound, bytes[last] & 0xC0 == 0x80 { last += 1 }
        let marked = first..<max(first, marked.isEmpty ? first : last)
        // Wide characters take three bytes for two columns, so this is nearly always enough to fill the room.
        let reach = Self.maxColumns * 3
        let start = Self.boundary(at: max(line.lowerBound, marked.lowerBound - reach), in: bytes, from: line.lowerBound)
        let end = Self.boundary(
            at: min(line.upperBound, marked.upperBound + reach, marked.lowerBound + 2 * reach), in: bytes,
            from: marked.lowerBound)
        var left = Self.cells(bytes[start..<marked.lowerBound])
        var middle = Self.cells(bytes[marked.lowerBound..<min(marked.upperBound, end)])
        var right = Self.cells(bytes[min(marked.upperBound, end)..<end])

        let isLong =
            start > line.lowerBound || end < line.upperBound || (left + middle + right).columns > Self.maxColumns
        if isLong {
            if start > line.lowerBound || left.columns > Self.before {
                left = [.ellipsis] + left.suffix(columns: Self.before - 1)
            }
            if middle.columns > Self.maxColumns {
                (middle, right) = (middle.prefix(columns: Self.maxColumns), [.ellipsis])
            } else {
                let room = max(20, Self.maxColumns - left.columns - middle.columns)
                if end < line.upperBound || right.columns > room {
                    right = right.prefix(columns: room - 1) + [.ellipsis]
                }
            }
        }
        text = (left + middle + right).map(\.text).joined()
        caret = left.columns..<left.columns + max(1, middle.columns)
    }

    /// The start of the character that has a byte.
    fileprivate static func boundary(at offset: Int, in bytes: [UInt8], from start: Int) -> Int {
        var offset = offset
        while offset > start, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    private static func cells(_ bytes: ArraySlice<UInt8>) -> [Cell] {
        String(decoding: bytes, as: UTF8.self).map { character in
            if character == "\t" { return Cell(text: "    ", width: 4) }
            guard character.unicodeScalars.contains(where: \.isInvisible) else {
                return Cell(text: String(character), width: character.displayWidth)
            }
            let text = String(character).visible
            return Cell(text: text, width: text.count)
        }
    }
}

private struct Cell {
    var text: String
    var width: Int

    static let ellipsis = Cell(text: "…", width: 1)
}

extension [Cell] {
    fileprivate var columns: Int { reduce(0) { $0 + $1.width } }

    /// As many as fit.
    fileprivate func prefix(columns limit: Int) -> [Cell] {
        var columns = 0
        return Array(
            prefix { cell in
                columns += cell.width
                return columns <= limit
            })
    }

    fileprivate func suffix(columns limit: Int) -> [Cell] { reversed().prefix(columns: limit).reversed() }
}
