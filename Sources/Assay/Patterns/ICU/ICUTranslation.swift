/// A pattern in ICU's words, in those of PCRE2.
///
///     ICU       a.\d{2}
///     PCRE2     a[^\n\x0b\f\r\x{85}\x{2028}\x{2029}]\p{Nd}{2}
///
/// Every piece of the result remembers where it comes from, so that what PCRE2 has to say of it can be said of the text
/// that somebody wrote.
struct ICUTranslation {
    /// The longest result, in bytes. PCRE2 compiles nothing larger than 64 KiB anyway; word boundaries are by far the longest
    /// translation, and of those PCRE2 takes some 20.
    static let maxBytes = 1 << 20

    private(set) var text = ""

    /// Where pieces begin: `result` in ``text``, `source` in the pattern as it was written, in bytes, both ascending.
    private var marks: [(result: Int, source: Int)] = [(0, 0)]

    /// Appends the translation of what stands at `source`.
    mutating func append(_ piece: String, for source: Range<Int>) {
        marks.append((text.utf8.count, source.lowerBound))
        text += piece
        marks.append((text.utf8.count, source.upperBound))
    }

    /// The place in the pattern as it was written that belongs to a place in the result.
    ///
    /// Inside a piece that was copied the bytes correspond one by one; inside one that was expanded the place is that of
    /// its end.
    func sourceOffset(ofResult offset: Int) -> Int {
        let next = marks.firstIndex { $0.result > offset } ?? marks.endIndex
        let mark = marks[next - 1]
        let inside = mark.source + offset - mark.result
        return next < marks.endIndex ? min(inside, marks[next].source) : inside
    }
}

extension ICUTranslation {
    /// - Throws: ``CompileError`` for what ICU refuses too, and for what PCRE2 cannot judge as ICU does.
    init(of source: String, options: Pattern.Options) throws(CompileError) {
        var translator = ICUTranslator(source, options: options)
        self = try translator.translate()
    }
}
