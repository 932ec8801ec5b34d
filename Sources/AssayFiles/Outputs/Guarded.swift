internal import AssayRules
internal import CAssaySystem
internal import Synchronization

/// A sink that puts an apostrophe before CSV cells that a spreadsheet would compute as formulas, so that they become
/// text.
///
///     =HYPERLINK("http://x")   ──►   '=HYPERLINK("http://x")
///     -5, +3.2                 ──►   unchanged: numbers
///
/// Sources: OWASP, CSV Injection (https://owasp.org/www-community/attacks/CSV_Injection); OWASP ASVS 5.0, 1.2.10, which
/// adds NUL.
package struct Guarded: Sink {
    /// The sink that receives the bytes. It may be ``Encoded`` or ``Packed``.
    let sink: any Sink
    let form: FormulaForm
    private let counter = Counter()

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    init(_ sink: any Sink, _ form: FormulaForm) { (self.sink, self.form) = (sink, form) }

    package var name: String { sink.name }

    /// The number of cells that got an apostrophe.
    var guarded: Int { counter.count.load(ordering: .relaxed) }

    func add(_ count: Int) { counter.count.wrappingAdd(count, ordering: .relaxed) }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var cells = FormulaGuard(self)
        try sink.write(cells.guardCells(of: bytes))
    }
}

/// Guards cells for one thread.
struct FormulaGuard: ~Copyable {
    private let output: Guarded
    private var memory: UnsafeMutableRawBufferPointer?

    init(_ output: Guarded) { self.output = output }

    deinit { free(memory?.baseAddress) }

    /// Returns the bytes with apostrophes added. The bytes must begin at a record. Valid until the next call.
    mutating func guardCells(of bytes: UnsafeRawBufferPointer) throws(FileError) -> UnsafeRawBufferPointer {
        // Each guarded cell is followed by a delimiter or the end, so at most every second byte adds an apostrophe.
        let room = bytes.count + bytes.count / 2 + 1
        if memory.map({ $0.count < room }) ?? true {
            free(memory?.baseAddress)
            memory = nil
            guard let new = malloc(room) else { throw FileError("write", path: output.name, code: ENOMEM) }
            memory = UnsafeMutableRawBufferPointer(start: new, count: room)
        }
        let count = output.form.guardCells(of: bytes, into: memory!)
        output.add(count - bytes.count)
        return UnsafeRawBufferPointer(rebasing: memory![..<count])
    }
}

/// Finds the starts of cells, and the cells that are formulas.
struct FormulaForm: Sendable {
    private let delimiter: UInt8
    private let delimiter2: UInt8?
    private let quote: UInt8?
    private let skipsSpace: Bool
    /// Whether a cell may begin after every delimiter and line end, even within quotes, and after quotes.
    private let isEverywhere: Bool

    /// - Parameter isMalformed: Whether the records are malformed. It is then unknown which quotes a reader honors. The
    ///   same holds if the dialect is not the one that spreadsheets read, or if a comment may contain an unclosed
    ///   quote.
    init(_ dialect: Dialect, isMalformed: Bool) {
        (delimiter, delimiter2, quote) = (dialect.separator, dialect.secondDelimiter, dialect.quoteChar)
        skipsSpace = dialect.skipInitialSpace
        isEverywhere =
            isMalformed || skipsSpace || quote != Self.usualQuote || delimiter2 != nil || dialect.escapeChar != nil
            || dialect.commentChar != nil || dialect.skip > 0
    }

    private static let usualQuote = UInt8(ascii: "\"")

    /// The form of findings and changes.
    static let usual = FormulaForm(Dialect(), isMalformed: false)

    /// Copies bytes that begin at a record, adds apostrophes and returns the new size. Rejects may also begin and end
    /// within an overlong record; a potential start of a formula there is treated as one.
    ///
    /// - Complexity: O(bytes).
    func guardCells(of bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int {
        // A byte order mark is not part of the first cell.
        var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let delimiter2, bytes.first == delimiter2, !bytes.starts(with: [delimiter, delimiter2]) {
            place = 1  // after a delimiter with its first byte in the previous piece
        }
        var (copied, count) = (0, 0)
        func copy(upTo end: Int) {
            UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[copied..<end]))
            count += end - copied
            copied = end
        }
        while place < bytes.count {
            while skipsSpace, place < bytes.count, bytes[place] == 32 || bytes[place] == 9 && delimiter != 9 {
                place += 1
            }
            guard place < bytes.count else { break }
            let quotes = quotes(bytes, at: place)
            let text = place + quotes
            if isFormula(bytes, at: text, quotes: quotes) {
                copy(upTo: text)
                output[count] = UInt8(ascii: "'")
                count += 1
            }
            place = nextCell(bytes, from: text, isQuoted: quotes > 0)
        }
        copy(upTo: bytes.count)
        return count
    }

    /// Returns the number of quotes at the start of a cell. In a well-formed cell only the first quote opens; a second
    /// one closes the cell or is data.
    private func quotes(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        if !isEverywhere { return bytes[start] == quote ? 1 : 0 }
        let end = bytes[start...].firstIndex { $0 != quote && $0 != Self.usualQuote } ?? bytes.count
        return end - start
    }

    /// Returns the start of the next cell.
    private func nextCell(_ bytes: UnsafeRawBufferPointer, from start: Int, isQuoted: Bool) -> Int {
        let mayBeQuoted = isQuoted && !isEverywhere
        var (place, isQuoted) = (start, mayBeQuoted)
        while place < bytes.count {
            let byte = bytes[place]
            if isQuoted {
                // The second quote of a pair opens again.
                if byte == quote { isQuoted = false }
            } else if byte == 10 || byte == 13 {
                return place + 1
            } else if byte == delimiter {
                guard let delimiter2 else { return place + 1 }
                if place + 1 < bytes.count, bytes[place + 1] == delimiter2 { return place + 2 }
            } else if mayBeQuoted, byte == quote, place > start, bytes[place - 1] == quote {
                isQuoted = true
            }
            place += 1
        }
        return bytes.count
    }

    /// Whether a spreadsheet would compute the text at `start`.
    private func isFormula(_ bytes: UnsafeRawBufferPointer, at start: Int, quotes: Int) -> Bool {
        guard start < bytes.count else { return false }
        switch bytes[start] {
        case UInt8(ascii: "="), UInt8(ascii: "@"), 0: return true
        case UInt8(ascii: "\t"): return quotes > 0 || delimiter != UInt8(ascii: "\t")
        case 10, 13: return quotes > 0
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return !isNumber(bytes, from: start + 1, quotes: quotes)
        case 0xEF:
            // The full-width forms: ＝, ＋, － and ＠.
            return [0x9D, 0x8B, 0x8D, 0xA0].contains { bytes[start...].starts(with: [0xEF, 0xBC, $0]) }
        default: return false
        }
    }

    /// Whether the text up to the end of the cell is a number: digits with points or commas between them, an exponent,
    /// a `%`.
    private func isNumber(_ bytes: UnsafeRawBufferPointer, from start: Int, quotes: Int) -> Bool {
        func isDigit(_ place: Int) -> Bool { place < bytes.count && (48...57).contains(bytes[place]) }
        var place = start
        var digits = 0
        while isDigit(place) || isMark(bytes, place, isQuoted: quotes > 0) && isDigit(place + 1) {
            if isDigit(place) { digits += 1 }
            place += 1
        }
        if digits == 0 { return false }
        if place < bytes.count, bytes[place] | 32 == UInt8(ascii: "e") {
            var exponent = place + 1
            if exponent < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[exponent]) {
                exponent += 1
            }
            guard isDigit(exponent) else { return false }
            while isDigit(exponent) { exponent += 1 }
            place = exponent
        }
        if place < bytes.count, bytes[place] == UInt8(ascii: "%") { place += 1 }
        switch quotes {
        case 0: return isEnd(bytes, place)
        case 1: return place < bytes.count && bytes[place] == quote && isEnd(bytes, place + 1)
        default: return false
        }
    }

    /// Whether a cell ends at `place`. With `isEverywhere`, the end of the bytes does not count, because the cell may
    /// continue.
    private func isEnd(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        guard place < bytes.count else { return !isEverywhere }
        let byte = bytes[place]
        if byte == 10 || byte == 13 { return true }
        guard byte == delimiter, let delimiter2 else { return byte == delimiter }
        return place + 1 < bytes.count && bytes[place + 1] == delimiter2
    }

    private func isMark(_ bytes: UnsafeRawBufferPointer, _ place: Int, isQuoted: Bool) -> Bool {
        guard place < bytes.count else { return false }
        let byte = bytes[place]
        return byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") && (isQuoted || delimiter != byte)
    }
}
