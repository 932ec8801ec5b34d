internal import Assay
internal import CAssay
internal import CUchardet

extension TextEncoding {
    /// The advice for records that are not UTF-8 and seem to be in this encoding.
    package var hint: String { hint(inPackage: false) }

    /// - Parameter inPackage: Whether the descriptor of a Data Package names encodings, instead of an option.
    package func hint(inPackage: Bool) -> String {
        "by \(plural(words, "different word")) these look like \(name). If the whole file is in it: "
            + (inPackage ? "\"encoding\": \"\(name)\" in its resource" : "--encoding \(name)")
    }
}

/// The probable encoding of a text.
///
/// The evidence is the distinct words with bytes above ASCII, because 2,000 rows with one name are no better than a
/// single row. A guess must not replace correct letters by others, so it follows these rules:
///
/// - If more than a few words are well-formed UTF-8, the text is UTF-8, and its other records are from another source.
/// - Words in which Latin letters surround single bytes above ASCII are compared with the alphabets of languages
///   (``LatinCodePage``). They are in windows-1252 if one of its frequent languages has the letters of nearly all words
///   (19 of 20). Otherwise they are in the code page with a language that has the letters, if there is only one such
///   code page.
/// - Other words, and words in DOS and Macintosh encodings, are decided by character frequencies (uchardet, after
///   Mozilla's detector).
/// - Instead of an ISO 8859 encoding, the guess is the Windows code page, which has characters in place of control
///   characters, if the words have the same letters in both, or more letters in the code page.
/// - Words with inner quotes, or with capitals after small letters, are not in a Windows code page: `Andr‚` and `RenŽ`
///   are `André` and `René` in a DOS code page and in a Macintosh one. Words with bytes above ASCII only from 80 to 9F,
///   where those code pages have letters, are no evidence for a Windows code page.
/// - If nearly all words can also be words of one language of another code page, with other letters, they are no
///   evidence: `Lîga` is `Līga` in windows-1257, and `Nìmec` is `Němec` in windows-1250.
/// - A guess must decode the letters of all words as letters. If no encoding does, there is no guess.
struct EncodingGuess: Hashable, Sendable {
    /// The name, which ``Decoded`` accepts.
    let name: String
    /// The number of bytes above ASCII in the sample.
    let evidence: Int
    /// The number of distinct words with such bytes.
    let words: Int

    /// The maximum size of the sample, in bytes.
    static let sampleBytes = 1 << 20

    var encoding: TextEncoding { TextEncoding(name, .guess, evidence: evidence, words: words) }

    /// The minimum number of distinct words that distinguish code pages of Latin letters.
    private static let manyWords = 25
    /// The minimum number of distinct words that distinguish East Asian encodings.
    private static let fewEastAsian = 10

    /// Returns `nil` if the text is ASCII, if it is UTF-8 with other records, or if no encoding is certain enough.
    ///
    /// - Complexity: O(bytes).
    init?(_ bytes: [UInt8]) {
        let words = SampleWords(bytes)
        guard !words.otherWords.isEmpty, !words.areMostlyUTF8, let name = Self.name(of: words, in: bytes) else {
            return nil
        }
        self.name = name
        evidence = bytes.count { $0 >= 0x80 }
        self.words = words.otherWords.count
    }

    /// Whether the text is UTF-8 with some words in other encodings.
    static func isMixed(_ bytes: [UInt8]) -> Bool {
        let words = SampleWords(bytes)
        return !words.otherWords.isEmpty && words.areMostlyUTF8
    }

    /// The number of distinct words that contradict a single-byte encoding, because they are well-formed UTF-8 and not
    /// words in that encoding, such as `JosÃ©`; `nil` if there are too few, or if too many words are not UTF-8.
    static func contradiction(of name: String, by bytes: ArraySlice<UInt8>) -> Int? {
        let words = SampleWords(Array(bytes))
        let count = words.utf8Words(notIn: name)
        if count == 0 { return nil }
        return words.otherWords.isEmpty || (count >= 2 && words.otherWords.count * 2 <= count) ? count : nil
    }

    /// Whether all bytes have characters in an encoding.
    static func decodes(_ bytes: [UInt8], from name: String) -> Bool {
        guard let decoder = assay_decoder_create(name) else { return false }
        defer { assay_decoder_free(decoder) }
        var decoded = [UInt8](repeating: 0, count: bytes.count * 12 + 64)
        let coded = assay_decoder_step(decoder, bytes, bytes.count, true, &decoded, decoded.count)
        // Undecodable bytes are escaped, and escapes are not well-formed UTF-8.
        return coded.consumed == bytes.count
            && String(validating: decoded.prefix(Int(coded.produced)), as: UTF8.self) != nil
    }

    private static func name(of words: SampleWords, in bytes: [UInt8]) -> String? {
        if words.areLatin {
            if let page = words.latinPage { return page }
            // The DOS and Macintosh code pages have letters from 80 on, so a few words do not distinguish them from
            // noise.
            if words.otherWords.count < manyWords { return nil }
        }
        guard var found = detected(words.areLatin ? words.text : bytes) else { return nil }
        if let windows = WindowsPage.names[found], words.areAsGood(in: windows, as: found) { found = windows }
        // Most byte sequences are valid in several East Asian encodings.
        return assay_encoding_unit(found) == 1
            ? words.areLetters(in: found) ? found : nil : words.otherWords.count >= fewEastAsian ? found : nil
    }

    /// The canonical name of the detected encoding; `nil` if the detector finds no encoding or ASCII or UTF-8.
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

/// The distinct words of a sample with bytes above ASCII. A word is a sequence of such bytes and ASCII letters.
private struct SampleWords {
    /// The words that are well-formed UTF-8.
    private(set) var utf8: Set<[UInt8]> = []
    /// The other words.
    private(set) var otherWords: Set<[UInt8]> = []
    /// The number of `otherWords` with ASCII letters and at most two adjacent bytes above ASCII.
    private var latin = 0

    private static let maxCount = 20_000

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
        guard word.contains(where: { $0 >= 0x80 }), utf8.count + otherWords.count < Self.maxCount else { return }
        if String(validating: word, as: UTF8.self) != nil {
            utf8.insert(word)
        } else if otherWords.insert(word).inserted, Self.isLatin(word) {
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

    /// Whether more words are well-formed UTF-8 than by chance: in East Asian encodings, less than one in a hundred
    /// words is.
    var areMostlyUTF8: Bool { utf8.count * 10 >= otherWords.count }

    /// The number of words that are UTF-8 and not words in a single-byte encoding. `เขต` in windows-874 is well-formed
    /// UTF-8, so words that consist of letters in the encoding count only if they have at least three sequences.
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

    /// Whether a UTF-8 word has a usual letter above ASCII: if it contains ASCII letters, one from Latin-1 or Latin
    /// Extended-A. `NESTLÉ®` in windows-1252 would be `NESTLɮ`, and `5В»` in windows-1251 would be `5»`.
    private static func isUsualUTF8(_ word: [UInt8]) -> Bool {
        let hasASCII = word.contains { ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") }
        return String(decoding: word, as: UTF8.self).unicodeScalars.contains { scalar in
            guard scalar.value >= 0xC0, scalar.properties.isAlphabetic else { return false }
            return scalar.value <= 0x17F || (scalar.value >= 0x370 && !hasASCII)
        }
    }

    /// Whether most words are Latin letters with single bytes above ASCII.
    var areLatin: Bool { latin * 2 > otherWords.count }

    /// The distinct words, one on each line.
    var text: [UInt8] { Array(otherWords.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [0x0A])) }

    /// The code page of Latin letters; `nil` if the words are no evidence, or if no code page is certain.
    var latinPage: String? {
        guard let name = pageByAlphabets, let page = LatinCodePage.named(name), areEvidence(for: page) else {
            return nil
        }
        return name
    }

    /// Whether some words are evidence for a code page, and at least as many as those that DOS and Macintosh code pages
    /// also explain.
    private func areEvidence(for page: LatinCodePage) -> Bool {
        let weights = otherWords.map(page.weight)
        let (evidence, doubtful) = (weights.count { $0 == .evidence }, weights.count { $0 == .doubtful })
        return doubtful <= evidence && (evidence > 0 || LatinCodePage.areQuoted(otherWords))
    }

    /// The code page with a language that has the letters; `nil` if the letters of nearly all words are in no code
    /// page, or in several.
    private var pageByAlphabets: String? {
        guard let western = LatinCodePage.western else { return nil }
        let words = Array(otherWords)
        let here = words.map(western.letters)
        if LatinCodePage.isNearlyAll(western.bestCover(of: here, onlyFrequent: true), of: words.count) {
            return LatinCodePage.others.contains { $0.canHave(words, otherwise: here) } ? nil : western.name
        }
        let readings = LatinCodePage.others.map { (page: $0, letters: words.map($0.letters)) }
            .filter {
                LatinCodePage.isNearlyAll($0.page.bestCover(of: $0.letters), of: words.count) && $0.letters != here
            }
        // Þahin is Icelandic, and is Şahin in windows-1254.
        if LatinCodePage.isNearlyAll(western.bestCover(of: here), of: words.count) {
            return readings.isEmpty ? western.name : nil
        }
        let certain = readings.filter { page, letters in
            // Words with the same letters in both pages are no evidence.
            let different = zip(here, letters).filter { $0 != $1 }.map(\.1)
            return different.count >= Self.fewDifferent
                && LatinCodePage.isNearlyAll(page.bestCover(of: different), of: different.count)
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
        return LatinCodePage.isNearlyAll(covered, of: words.count) ? western.name : nil
    }

    private static let fewDifferent = 2

    /// Whether the bytes above ASCII are the same letters in two single-byte encodings, or more letters in the first
    /// one.
    func areAsGood(in name: String, as other: String) -> Bool {
        guard let here = LatinCodePage.characters(of: name), let there = LatinCodePage.characters(of: other) else {
            return false
        }
        func isLetter(_ character: Unicode.Scalar?) -> Bool { character?.properties.isAlphabetic ?? false }
        let places = otherWords.joined().filter { $0 >= 0x80 }.map { Int($0) - 0x80 }
        let different = places.filter { here[$0] != there[$0] && (isLetter(here[$0]) || isLetter(there[$0])) }
        let (letters, otherLetters) = (different.count { isLetter(here[$0]) }, different.count { isLetter(there[$0]) })
        return different.isEmpty || letters > otherLetters
    }

    /// Whether nearly all bytes above ASCII decode to letters or punctuation of a single-byte encoding, and all of
    /// those bytes to characters that are not control characters.
    func areLetters(in name: String) -> Bool {
        guard let characters = LatinCodePage.characters(of: name) else { return false }
        if areLatin, let page = LatinCodePage.named(name) {
            let readable = otherWords.count { page.letters(of: $0) != nil }
            if !LatinCodePage.isNearlyAll(readable, of: otherWords.count) || !areEvidence(for: page) { return false }
        }
        var (letters, all) = (0, 0)
        for word in otherWords {
            for byte in word where byte >= 0x80 {
                guard let character = characters[Int(byte) - 0x80] else { return false }
                all += 1
                if character.properties.isAlphabetic || LatinCodePage.isPunctuation(character) { letters += 1 }
            }
        }
        return LatinCodePage.isNearlyAll(letters, of: all)
    }
}
