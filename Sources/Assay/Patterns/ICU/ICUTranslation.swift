/// The PCRE2 translation of a pattern in ICU syntax.
///
///     ICU       a.\d{2}
///     PCRE2     a[^\n\x0b\f\r\x{85}\x{2028}\x{2029}]\p{Nd}{2}
///
/// Every piece of the result has its source position, so that PCRE2's errors can be reported at positions of the
/// original pattern.
struct ICUTranslation {
    /// The maximum size of a result, in bytes. A compiled pattern of PCRE2 has at most 64 KiB in any case. Word
    /// boundaries have by far the longest translation, and PCRE2 compiles about 20 in one pattern.
    static let maxBytes = 1 << 20

    private(set) var text = ""

    /// The starts of pieces, in bytes: `result` in ``text`` and `source` in the original pattern, both ascending.
    private var marks: [(result: Int, source: Int)] = [(0, 0)]

    /// Appends the translation of the text at `source`.
    mutating func append(_ piece: String, for source: Range<Int>) {
        marks.append((text.utf8.count, source.lowerBound))
        text += piece
        marks.append((text.utf8.count, source.upperBound))
    }

    /// The position in the original pattern for a position in the result.
    ///
    /// Inside a copied piece, bytes correspond one by one. Inside an expanded piece, the result is the end of its
    /// source.
    func sourceOffset(ofResult offset: Int) -> Int {
        let next = marks.firstIndex { $0.result > offset } ?? marks.endIndex
        let mark = marks[next - 1]
        let inside = mark.source + offset - mark.result
        return next < marks.endIndex ? min(inside, marks[next].source) : inside
    }
}

extension ICUTranslation {
    /// - Throws: ``CompileError`` for patterns that ICU rejects, and for those that PCRE2 cannot match as ICU does.
    init(of source: String, options: Pattern.Options) throws(CompileError) {
        var translator = ICUTranslator(source, options: options)
        self = try translator.translate()
    }
}
