internal import Assay
internal import CAssay

/// A Windows code page of Latin letters, with the alphabets of the languages that are written in it.
///
/// The letters are those that the orthography of a language uses besides a to z, chosen by hand, without letters of foreign
/// names.
struct LatinCodePage {
    let name: String
    /// The letters of each language, in lower case; the languages that are written most come first.
    private let languages: [Set<Unicode.Scalar>]
    /// How many of the languages come before those of another code page.
    private let frequent: Int
    /// The characters of the bytes from 80 to FF; `nil` for those without one, and for control characters.
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
        // Their letters ð, þ, ý and õ are more often ğ, ş, ı and ő of another code page.
        rare: [
            "áðéíóúýþæö",  // Icelandic
            "äöõüšž\u{303}",  // Estonian
        ])

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

    /// The letters above ASCII of a word, in lower case; `nil`: some byte has no character, or one that is neither a letter nor
    /// punctuation. With U+0303 among them a letter with a tilde is where Spanish and Portuguese do not have it: in `Poznañ`,
    /// which is `Poznań` in windows-1250, in `Gyõzõ`, which is `Győző`, and in `Brânzã`, which is `Brânză`.
    func letters(of word: [UInt8]) -> Set<Unicode.Scalar>? {
        var letters: Set<Unicode.Scalar> = []
        for (place, byte) in word.enumerated() where byte >= 0x80 {
            guard let character = characters[Int(byte) - 0x80] else { return nil }
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

    /// Whether Spanish or Portuguese have this letter before another one, in lower case: ñ before a vowel, õ before e, and ã before
    /// e, i, o, s, or at the end of a word.
    private static func isTildeUsual(_ letter: Unicode.Scalar, before next: UInt8?) -> Bool {
        switch letter {
        case "ñ": next.map { $0 >= 0x80 || "aeiou".utf8.contains($0) } ?? false
        case "õ": next == UInt8(ascii: "e")
        case "ã": next.map { "eios".utf8.contains($0) } ?? true
        default: true
        }
    }

    /// Whether a word of windows-1252 can be a Latvian one of windows-1257: â is its only letter above ASCII, which is ā there, and
    /// it has no letters or groups of letters that are foreign to Latvian. `Jânis` is `Jānis`; `Château` is French.
    static func mayBeLatvian(_ word: [UInt8]) -> Bool {
        let text = String(
            decoding: word.map {
                $0 < 0x80 ? $0 | 0x20 : $0 == 0xE2 || $0 == 0xC2 ? UInt8(ascii: "#") : UInt8(ascii: "q")
            },
            as: UTF8.self)
        let foreign = ["q", "w", "x", "y", "ch", "th", "ph", "ou", "eau", "oi"]
        return !foreign.contains(where: text.contains) && (text.last.map { "aeious#".contains($0) } ?? false)
    }

    /// The number of words that the best single language has all letters for.
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
