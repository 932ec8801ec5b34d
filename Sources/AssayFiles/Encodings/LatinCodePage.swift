internal import Assay
internal import CAssay

/// A Windows code page of Latin letters, with the alphabets of its languages.
///
/// An alphabet contains the letters that the orthography of a language uses in addition to a to z, without letters of
/// foreign names. The alphabets were chosen by hand.
struct LatinCodePage {
    let name: String
    /// The letters of each language, in lower case, by frequency of the language.
    private let languages: [Set<Unicode.Scalar>]
    /// The number of languages that take precedence over those of other code pages.
    private let frequent: Int
    /// The characters of the bytes from 80 to FF; `nil` for control characters and for bytes without a character.
    private let characters: [Unicode.Scalar?]

    private init?(_ name: String, _ languages: [String], rare: [String] = []) {
        guard let characters = Self.characters(of: name) else { return nil }
        self.name = name
        self.characters = characters
        self.languages = (languages + rare).map { Set($0.unicodeScalars) }
        frequent = languages.count
    }

    static let western = LatinCodePage(
        "windows-1252",
        [
            "àâæçéèêëîïôœùûüÿ",  // French
            "äöüßé",  // German
            "áéíñóúü",  // Spanish
            "áâãàçéêíóôõúü",  // Portuguese
            "àéèìíîòóùú",  // Italian
            "æøåéèêóòôü",  // Danish, Norwegian
            "åäöéüšž",  // Swedish, Finnish
            "áäéèëíïóöúüê",  // Dutch
            "àçéèíïòóúü",  // Catalan
        ],
        // The letters ð, þ, ý and õ are more often ğ, ş, ı and ő of another code page.
        rare: [
            "áðéíóúýþæö",  // Icelandic
            "äöõüšž\u{303}",  // Estonian
        ])

    /// The code page with this name.
    static func named(_ name: String) -> LatinCodePage? {
        ([western] + others).first { $0?.name == name } ?? nil
    }

    static let others = [
        LatinCodePage(
            "windows-1250",
            [
                "ąćęłńóśźż",  // Polish
                "áčďéěíňóřšťúůýž",  // Czech
                "áäčďéíĺľňóôŕšťúýž",  // Slovak
                "áéíóöőúüű",  // Hungarian
                "čćđšž",  // Croatian, Slovene, Bosnian
                "ăâîşţ",  // Romanian
            ]),
        LatinCodePage("windows-1254", ["çğıiöşüâîû\u{307}"]),  // Turkish
        LatinCodePage(
            "windows-1257",
            [
                "ąčęėįšųūž",  // Lithuanian
                "āčēģīķļņšūž",  // Latvian
                "äöõüšž",  // Estonian
            ]),
    ].compactMap { $0 }

    /// The letters above ASCII of a word, in lower case; `nil` if a byte has no character, or if its character is
    /// neither a letter nor punctuation or is unusual at its place, such as the low quote in `Andr‚` (`André` in
    /// IBM850) and the capital in `RenŽ` (`René` on the Macintosh). U+0303 is added if a letter has a tilde where
    /// Spanish and Portuguese do not have one: in `Poznañ`, which is `Poznań` in windows-1250, in `Gyõzõ`, which is
    /// `Győző`, and in `Brânzã`, which is `Brânză`.
    func letters(of word: [UInt8]) -> Set<Unicode.Scalar>? {
        var letters: Set<Unicode.Scalar> = []
        for (place, byte) in word.enumerated() where byte >= 0x80 {
            guard let character = characters[Int(byte) - 0x80], isUsual(character, at: place, of: word) else {
                return nil
            }
            if character.properties.isAlphabetic {
                let lower = character.properties.lowercaseMapping.unicodeScalars
                letters.formUnion(lower.filter { !$0.isASCII })
                let next = place + 1 < word.count ? word[place + 1] | 0x20 : nil
                if let letter = lower.first, !Self.isTildeUsual(letter, before: next) { letters.insert("\u{303}") }
                if letters.isSuperset(of: ["â", "ã"]) { letters.insert("\u{303}") }
            } else if !Self.isPunctuation(character) {
                return nil
            }
        }
        return letters
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        byte < 0x80 || (characters[Int(byte) - 0x80]?.properties.isAlphabetic ?? false)
    }

    /// Whether words may have a character at this place: no capital after a letter in a word with small letters, no low
    /// quote after a letter, and between letters only apostrophes, hyphens, dashes and spaces.
    private func isUsual(_ character: Unicode.Scalar, at place: Int, of word: [UInt8]) -> Bool {
        let isAfterLetter = place > 0 && isLetter(word[place - 1])
        let isBeforeLetter = place + 1 < word.count && isLetter(word[place + 1])
        if character.properties.isAlphabetic {
            if character == "Ÿ" && !isAfterLetter { return false }
            let hasSmallLetters = word.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            return !(character.properties.isUppercase && isAfterLetter && hasSmallLetters)
        }
        switch character {
        case "‡", "‰", "•": return !isAfterLetter && !isBeforeLetter
        case "‚", "„": return !isAfterLetter
        case "’", "–", "—", "\u{2010}", "\u{2011}", "\u{A0}", "\u{AD}", "·", "´": return true
        default: return !(isAfterLetter && isBeforeLetter)
        }
    }

    /// The weight of a word as evidence for this code page.
    enum Weight {
        /// The word has letters of the code page outside 80 to 9F, or is an English contraction such as `don’t`.
        case evidence
        /// The word has quotes at its start or end, a usual apostrophe, or no letters.
        case usual
        /// The word has characters only from 80 to 9F, next to letters or as letters. The DOS and Macintosh code pages
        /// have the most frequent letters there: `Jšrg` is `Jörg`, `Mu–oz` is `Muñoz`, and `Garc’a` is `García`.
        case doubtful
    }

    func weight(of word: [UInt8]) -> Weight {
        let small = word.map { $0 < 0x80 ? $0 | 0x20 : $0 }
        let letters = word.indices.filter { word[$0] >= 0x80 && isLetter(word[$0]) }
        if letters.contains(where: { word[$0] >= 0xA0 && !Self.mayBeSharpS(at: $0, of: small) }) { return .evidence }
        if !letters.isEmpty { return .doubtful }
        for place in word.indices where word[place] >= 0x80 {
            guard place > 0, place + 1 < word.count, isLetter(word[place - 1]), isLetter(word[place + 1]) else {
                continue
            }
            guard word[place] == Self.apostrophe else { return .doubtful }
            let (start, end) = (small[..<place], small[(place + 1)...])
            if start.last == UInt8(ascii: "n") && end.elementsEqual("t".utf8) { return .evidence }
            if ["re", "ll", "ve"].contains(where: { end.elementsEqual($0.utf8) }) { return .evidence }
            let isUsual =
                start.count == 1 || start.elementsEqual("qu".utf8)
                || ["s", "t", "d", "m"].contains { end.elementsEqual($0.utf8) }
            if !isUsual { return .doubtful }
        }
        return .usual
    }

    private static let apostrophe: UInt8 = 0x92
    private static let openingQuote: UInt8 = 0x93
    private static let closingQuote: UInt8 = 0x94

    /// Whether some words start with an opening quote, and some end with a closing quote.
    static func areQuoted(_ words: Set<[UInt8]>) -> Bool {
        words.contains { $0.count > 1 && $0.first == openingQuote }
            && words.contains { $0.count > 1 && $0.last == closingQuote }
    }

    /// Whether á may be ß of a DOS code page: between vowels or after one at the end, as in `Straáe` and `Weiá`.
    private static func mayBeSharpS(at place: Int, of small: [UInt8]) -> Bool {
        func isVowel(_ place: Int) -> Bool { small.indices.contains(place) && "aeiou".utf8.contains(small[place]) }
        return small[place] == 0xE1 && isVowel(place - 1) && (isVowel(place + 1) || place + 1 == small.count)
    }

    /// Whether Spanish or Portuguese have this letter before another one, in lower case: ñ before a vowel, õ before e,
    /// and ã before e, i, o, s or the end of a word.
    private static func isTildeUsual(_ letter: Unicode.Scalar, before next: UInt8?) -> Bool {
        switch letter {
        case "ñ": next.map { $0 >= 0x80 || "aeiou".utf8.contains($0) } ?? false
        case "õ": next == UInt8(ascii: "e")
        case "ã": next.map { "eios".utf8.contains($0) } ?? true
        default: true
        }
    }

    /// Whether words of another code page can be words of one language of this code page: `Lîga` and `Jânis` of
    /// windows-1252 are `Līga` and `Jānis` in windows-1257. Nearly all words must be plausible in the language, and
    /// some must have other letters here.
    ///
    /// - Parameter others: The letters of each word in the other code page.
    func canHave(_ words: [[UInt8]], otherwise others: [Set<Unicode.Scalar>?]) -> Bool {
        let readings = zip(words, others).map { word, other -> Set<Unicode.Scalar>? in
            guard let letters = letters(of: word), !letters.contains("\u{303}") else { return nil }
            return letters == other || isPlausible(word) ? letters : nil
        }
        return Self.isNearlyAll(bestCover(of: readings), of: words.count)
            && zip(readings, others).contains { $0 != nil && $0 != $1 }
    }

    /// Whether a word of Latin letters can be a word of this code page's languages: consonants above ASCII must be next
    /// to a vowel, and vowels must not be, because `c` with a cedilla is `ē` in windows-1257, but `François` and `Peça`
    /// have it before a vowel. The word must not have letters or groups of letters that are foreign to the languages.
    private func isPlausible(_ word: [UInt8]) -> Bool {
        let text = word.compactMap { byte -> Unicode.Scalar? in
            if byte < 0x80 { return Unicode.Scalar(byte | 0x20) }
            return characters[Int(byte) - 0x80]?.properties.lowercaseMapping.unicodeScalars.first
        }
        guard text.count == word.count else { return false }
        let letters = String(String.UnicodeScalarView(text))
        if Self.foreign.contains(where: letters.contains) { return false }
        if name == "windows-1257" {
            if Self.foreignInBaltic.contains(where: letters.contains) { return false }
            guard let last = text.last, last == "s" || last == "š" || Self.isVowel(last) else { return false }
        }
        return text.indices.allSatisfy { place in
            if text[place].isASCII { return true }
            if Self.rare.contains(text[place]) { return false }
            let (before, after) = (place > 0 ? text[place - 1] : nil, place + 1 < text.count ? text[place + 1] : nil)
            let isAfterVowel = before.map(Self.isVowel) ?? false
            let isBeforeVowel = after.map(Self.isVowel) ?? false
            if !Self.isVowel(text[place]) { return isAfterVowel || isBeforeVowel }
            // Polish `pięć`, Lithuanian `namių`, Latvian `Diāna`, Romanian `băiat`
            return (!isAfterVowel || before == "i")
                && (!isBeforeVowel || text[place] == "ă" && (after == "i" || after == "u"))
        }
    }

    /// Letters that are rarer in their languages than the letters of the same bytes are in those of windows-1252:
    /// `María`, `Málaga`, `Città`, `Tromsø` and `Muñoz` would be `Marķa`, `Mįlaga`, `Cittą`, `Tromsų` and `Muńoz`.
    private static let rare = Set("ģķļņįąųďňťľĺŕń".unicodeScalars)
    private static let foreign = ["q", "x", "eau", "ph", "th"]
    private static let foreignInBaltic = ["w", "ch", "ou", "oi"]
    private static let vowels = Set("aeiouyāąăâáäàēėęěéëèêīįíîïìıōőóôöòõūųůűúüûùý".unicodeScalars)

    private static func isVowel(_ letter: Unicode.Scalar) -> Bool { vowels.contains(letter) }

    /// Whether the count is at least 19 of 20.
    static func isNearlyAll(_ count: Int, of all: Int) -> Bool { count * 20 >= all * 19 }

    /// The maximum number of words for which a single language has all letters.
    func bestCover(of words: [Set<Unicode.Scalar>?], onlyFrequent: Bool = false) -> Int {
        languages.prefix(onlyFrequent ? frequent : languages.count).map { language in
            words.count { $0.map { $0.isSubset(of: language) } ?? false }
        }.max() ?? 0
    }

    /// Whether some language has all letters of a word.
    func covers(_ word: Set<Unicode.Scalar>?, onlyFrequent: Bool = false) -> Bool {
        bestCover(of: [word], onlyFrequent: onlyFrequent) == 1
    }

    static func isPunctuation(_ character: Unicode.Scalar) -> Bool {
        (0x2010...0x203A).contains(character.value)
            || [0x20AC, 0xA0, 0xAB, 0xBB, 0xAD, 0xB4, 0xB7].contains(character.value)
    }

    /// The characters of the bytes from 80 to FF in a single-byte encoding.
    static func characters(of name: String) -> [Unicode.Scalar?]? {
        guard let decoder = assay_decoder_create(name) else { return nil }
        defer { assay_decoder_free(decoder) }
        return (UInt8(0x80)...0xFF).map { byte in
            var decoded = [UInt8](repeating: 0, count: 64)
            let coded = withUnsafePointer(to: byte) {
                assay_decoder_step(decoder, $0, 1, true, &decoded, decoded.count)
            }
            let text = String(validating: decoded.prefix(Int(coded.produced)), as: UTF8.self)
            guard let scalar = text?.unicodeScalars.first, scalar.properties.generalCategory != .control else {
                return nil
            }
            return scalar
        }
    }
}
