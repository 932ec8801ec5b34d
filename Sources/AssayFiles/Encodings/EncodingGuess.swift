internal import Assay
internal import CAssay
internal import CUchardet

extension TextEncoding {
    /// The advice for records that are not UTF-8, and seem to be in this encoding.
    package var hint: String { hint(inPackage: false) }

    /// - Parameter inPackage: whether the descriptor of a Data Package names encodings, and no option does.
    package func hint(inPackage: Bool) -> String {
        "by \(plural(words, "different word")) these look like \(name). If the whole file is in it: "
            + (inPackage ? "\"encoding\": \"\(name)\" in its resource" : "--encoding \(name)")
    }
}

/// The encoding that some text seems to be in.
///
/// The evidence is the different words of the text that have bytes above ASCII, because 2,000 rows of one name tell no more
/// than one row. A guess must not turn good letters into others, so it follows these rules:
///
/// - If more than a few of the words are well-formed UTF-8, the text is UTF-8, and its other records are from another source.
/// - Words in which Latin letters surround single bytes above ASCII are compared with the alphabets of languages
///   (``LatinCodePage``). They are in windows-1252 if one of its frequent languages has the letters of nearly all words (19 of 20),
///   and otherwise in the code page with a language that has them, if there is only one such code page.
/// - Other words, and those of DOS and of the Macintosh, are decided by the frequencies of characters (uchardet, after Mozilla's
///   detector).
/// - Of an encoding of ISO 8859 the guess is the Windows code page, which has characters in place of control characters, if the
///   words have the same letters in both, or more letters in the code page.
/// - Words with quotes inside, or with capitals after small letters, are in no code page of Windows: `Andr‚` and `RenŽ` are `André`
///   and `René` in a code page of DOS and of the Macintosh. Words whose bytes above ASCII are all from 80 to 9F, where those have
///   letters, are no evidence for a code page of Windows.
/// - Words whose only letter above ASCII is â may be Latvian words with ā in windows-1257, so a guess needs other words.
/// - A guess must decode the letters of all words as letters. If no encoding does, there is no guess.
struct EncodingGuess: Hashable, Sendable {
    /// A name that ``Decoded`` takes.
    let name: String
    /// The number of bytes above ASCII in the sample.
    let evidence: Int
    /// The number of different words that have such bytes.
    let words: Int

    /// How many bytes are looked at, at most.
    static let sampleBytes = 1 << 20

    var encoding: TextEncoding { TextEncoding(name, .guess, evidence: evidence, words: words) }

    /// Fewer different words than these do not tell one code page of Latin letters from another.
    private static let manyWords = 25
    /// Fewer do not tell one East Asian encoding from another.
    private static let fewEastAsian = 10

    /// Returns `nil` if the text is ASCII, if it is UTF-8 with other records in it, or if no encoding is certain enough.
    ///
    /// - Complexity: O(bytes).
    init?(_ bytes: [UInt8]) {
        let words = SampleWords(bytes)
        guard !words.others.isEmpty, !words.areMostlyUTF8, let name = Self.name(of: words, in: bytes) else {
            return nil
        }
        self.name = name
        evidence = bytes.count { $0 >= 0x80 }
        self.words = words.others.count
    }

    /// Whether the text is UTF-8 with some words of other encodings in it.
    static func isMixed(_ bytes: [UInt8]) -> Bool {
        let words = SampleWords(bytes)
        return !words.others.isEmpty && words.areMostlyUTF8
    }

    /// The number of different words that contradict a single-byte encoding: they are well-formed UTF-8, and are no words in that
    /// encoding, as `JosÃ©`; `nil`: too few do, or too many words are not UTF-8.
    static func contradiction(of name: String, by bytes: ArraySlice<UInt8>) -> Int? {
        let words = SampleWords(Array(bytes))
        let count = words.utf8Words(notIn: name)
        if count == 0 { return nil }
        return words.others.isEmpty || (count >= 2 && words.others.count * 2 <= count) ? count : nil
    }

    /// Whether all bytes have characters in an encoding.
    static func decodes(_ bytes: [UInt8], from name: String) -> Bool {
        guard let decoder = assay_decoder_create(name) else { return false }
        defer { assay_decoder_free(decoder) }
        var decoded = [UInt8](repeating: 0, count: bytes.count * 12 + 64)
        let coded = assay_decoder_step(decoder, bytes, bytes.count, true, &decoded, decoded.count)
        // The bytes without a character are escaped, and the escapes are no UTF-8.
        return coded.consumed == bytes.count
            && String(validating: decoded.prefix(Int(coded.produced)), as: UTF8.self) != nil
    }

    private static func name(of words: SampleWords, in bytes: [UInt8]) -> String? {
        if words.areLatin {
            if let page = words.latinPage { return page }
            // The code pages of DOS and of the Macintosh have letters from 80 on, so few words tell them from noise only.
            if words.others.count < manyWords { return nil }
        }
        guard var found = detected(words.areLatin ? words.text : bytes) else { return nil }
        if let windows = WindowsPage.names[found], words.areAsGood(in: windows, as: found) { found = windows }
        // Nearly any bytes can be read in several East Asian encodings.
        return assay_encoding_unit(found) == 1
            ? words.areLetters(in: found) ? found : nil : words.others.count >= fewEastAsian ? found : nil
    }

    /// The usual name of the encoding that the detector finds; `nil`: it finds none, or ASCII.
    private static func detected(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let status = bytes.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.baseAddress, bytes.count)
        }
        guard status == 0 else { return nil }
        uchardet_data_end(detector)
        let found = String(cString: uchardet_get_charset(detector))
        let name = Encodings.canonicalName(found)
        return name == "US-ASCII" || name == "UTF-8" ? nil : name
    }
}

/// The different words of a sample that have bytes above ASCII. A word is a row of such bytes and of ASCII letters.
private struct SampleWords {
    /// Those that are well-formed UTF-8.
    private(set) var utf8: Set<[UInt8]> = []
    /// The others.
    private(set) var others: Set<[UInt8]> = []
    /// The number of `others` in which each row of bytes above ASCII has one or two bytes, beside an ASCII letter.
    private var latin = 0

    private static let most = 20_000

    init(_ bytes: [UInt8]) {
        var word: [UInt8] = []
        for byte in bytes {
            if byte >= 0x80 || Self.isLetter(byte) {
                word.append(byte)
            } else if !word.isEmpty {
                add(word)
                word.removeAll(keepingCapacity: true)
            }
        }
        add(word)
    }

    private mutating func add(_ word: [UInt8]) {
        guard word.contains(where: { $0 >= 0x80 }), utf8.count + others.count < Self.most else { return }
        if String(validating: word, as: UTF8.self) != nil {
            utf8.insert(word)
        } else if others.insert(word).inserted, Self.isLatin(word) {
            latin += 1
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isLatin(_ word: [UInt8]) -> Bool {
        let longest = word.split(whereSeparator: { $0 < 0x80 }).map(\.count).max() ?? 0
        return longest <= 2 && word.contains(where: isLetter)
    }

    /// Whether so many words are well-formed UTF-8 that they cannot be so by chance: of words in East Asian encodings, less
    /// than one in a hundred is.
    var areMostlyUTF8: Bool { utf8.count * 10 >= others.count }

    /// The number of words that are UTF-8, and not words in a single-byte encoding. `เขต` in windows-874 is well-formed UTF-8, so of
    /// words with letters only those with at least three sequences count.
    func utf8Words(notIn name: String) -> Int {
        let page = LatinCodePage.named(WindowsPage.names[name] ?? name)
        let characters = LatinCodePage.characters(of: name)
        return utf8.count { word in
            if word.count(where: { $0 >= 0xC2 }) >= 3 { return true }
            if !Self.isUsualUTF8(word) { return false }
            if let page { return !page.covers(page.letters(of: word)) }
            return word.contains { $0 >= 0x80 && !(characters?[Int($0) - 0x80]?.properties.isAlphabetic ?? false) }
        }
    }

    /// Whether a word of UTF-8 has a usual letter above ASCII: beside letters of ASCII those of Latin-1 and Latin Extended-A. `NESTLÉ®` in
    /// windows-1252 would be `NESTLɮ`, and `5В»` in windows-1251 would be `5»`.
    private static func isUsualUTF8(_ word: [UInt8]) -> Bool {
        let hasASCII = word.contains { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        return String(decoding: word, as: UTF8.self).unicodeScalars.contains { scalar in
            guard scalar.value >= 0xC0, scalar.properties.isAlphabetic else { return false }
            return scalar.value <= 0x17F || (scalar.value >= 0x370 && !hasASCII)
        }
    }

    /// Whether most of the words are Latin letters with single bytes above ASCII among them.
    var areLatin: Bool { latin * 2 > others.count }

    /// The words, each once.
    var text: [UInt8] { Array(others.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x0A])) }

    /// The code page of Latin letters; `nil` if the words are no evidence, or if no code page is certain.
    var latinPage: String? {
        guard let name = pageByAlphabets, let page = LatinCodePage.named(name), areEvidence(for: page) else {
            return nil
        }
        return name
    }

    /// Whether some words are evidence for a code page, and those that code pages of DOS and of the Macintosh explain as well are
    /// not more.
    private func areEvidence(for page: LatinCodePage) -> Bool {
        let weights = others.map(page.weight)
        let (evidence, doubtful) = (weights.count { $0 == .evidence }, weights.count { $0 == .doubtful })
        return doubtful <= evidence && (evidence > 0 || LatinCodePage.areQuoted(others))
    }

    /// The code page of which a language has the letters; `nil` if the letters of nearly all words are in no code page, or in several.
    private var pageByAlphabets: String? {
        guard let western = LatinCodePage.western else { return nil }
        let words = Array(others)
        let here = words.map(western.letters)
        if Self.isNearlyAll(western.bestCover(of: here, onlyFrequent: true), of: words.count) {
            return words.allSatisfy(LatinCodePage.mayBeLatvian) ? nil : western.name
        }
        let readings = LatinCodePage.others.map { (page: $0, letters: words.map($0.letters)) }
            .filter { Self.isNearlyAll($0.page.bestCover(of: $0.letters), of: words.count) && $0.letters != here }
        // Þahin is Icelandic, and Şahin in windows-1254.
        if Self.isNearlyAll(western.bestCover(of: here), of: words.count) {
            return readings.isEmpty ? western.name : nil
        }
        let certain = readings.filter { page, letters in
            // Words that are alike in both pages are no evidence.
            let different = zip(here, letters).filter { $0 != $1 }.map(\.1)
            return different.count >= Self.fewDifferent
                && Self.isNearlyAll(page.bestCover(of: different), of: different.count)
        }
        if let first = certain.first {
            return certain.allSatisfy { $0.letters == first.letters } ? first.page.name : nil
        }
        let covered = zip(words, here).count { word, letters in
            western.covers(letters, onlyFrequent: true)
                || western.covers(letters)
                    && !LatinCodePage.others.contains {
                        $0.letters(of: word) != letters && $0.covers($0.letters(of: word))
                    }
        }
        return Self.isNearlyAll(covered, of: words.count) ? western.name : nil
    }

    private static let fewDifferent = 2

    /// At least 19 of 20.
    private static func isNearlyAll(_ count: Int, of all: Int) -> Bool { count * 20 >= all * 19 }

    /// Whether the bytes above ASCII are the same letters in two single-byte encodings, or more letters in the first one.
    func areAsGood(in name: String, as other: String) -> Bool {
        guard let here = LatinCodePage.characters(of: name), let there = LatinCodePage.characters(of: other) else {
            return false
        }
        func isLetter(_ character: Unicode.Scalar?) -> Bool { character?.properties.isAlphabetic ?? false }
        let places = others.joined().filter { $0 >= 0x80 }.map { Int($0) - 0x80 }
        let different = places.filter { here[$0] != there[$0] && (isLetter(here[$0]) || isLetter(there[$0])) }
        let (letters, otherLetters) = (different.count { isLetter(here[$0]) }, different.count { isLetter(there[$0]) })
        return different.isEmpty || letters > otherLetters
    }

    /// Whether nearly all bytes above ASCII decode to letters or punctuation of a single-byte encoding, and none to a control
    /// character or to no character.
    func areLetters(in name: String) -> Bool {
        guard let characters = LatinCodePage.characters(of: name) else { return false }
        if areLatin, let page = LatinCodePage.named(name) {
            let readable = others.count { page.letters(of: $0) != nil }
            if !Self.isNearlyAll(readable, of: others.count) || !areEvidence(for: page) { return false }
        }
        var (letters, all) = (0, 0)
        for word in others {
            for byte in word where byte >= 0x80 {
                guard let character = characters[Int(byte) - 0x80] else { return false }
                all += 1
                if character.properties.isAlphabetic || LatinCodePage.isPunctuation(character) { letters += 1 }
            }
        }
        return Self.isNearlyAll(letters, of: all)
    }
}
