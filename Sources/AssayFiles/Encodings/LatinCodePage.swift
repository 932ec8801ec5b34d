internal import Assay
internal import CAssay

/// A Windows code page of Latin letters, with the alphabets of the languages that are written in it.
///
/// The letters are those that the orthography of a language uses besides a to z, chosen by hand, without letters of foreign
/// names.
struct LatinCodePage {
    let name: String
    /// The letters of each language, in lower case.
    private let languages: [Set<Unicode.Scalar>]
    /// The characters of the bytes from 80 to FF; `nil` for those without one, and for control characters.
    private let characters: [Unicode.Scalar?]

    private init?(_ name: String, _ languages: [String]) {
        guard let characters = Self.characters(of: name) else { return nil }
        self.name = name
        self.characters = characters
        self.languages = languages.map { Set($0.unicodeScalars) }
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
            "åäöéüõšž",  // Swedish, Finnish, Estonian
            "áðéíóúýþæö",  // Icelandic, Faroese
            "áäéèëíïóöúüê",  // Dutch
            "àçéèíïòóúü",  // Catalan
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
    /// punctuation.
    func letters(of word: [UInt8]) -> Set<Unicode.Scalar>? {
        var letters: Set<Unicode.Scalar> = []
        for byte in word where byte >= 0x80 {
            guard let character = characters[Int(byte) - 0x80] else { return nil }
            if character.properties.isAlphabetic {
                letters.formUnion(character.properties.lowercaseMapping.unicodeScalars.filter { !$0.isASCII })
            } else if !Self.isPunctuation(character) {
                return nil
            }
        }
        return letters
    }

    /// The number of words that the best single language has all letters for.
    func bestCover(of words: [Set<Unicode.Scalar>?]) -> Int {
        languages.map { language in words.count { $0.map { $0.isSubset(of: language) } ?? false } }.max() ?? 0
    }

    /// The number of words for which some language has all letters.
    func joinedCover(of words: [Set<Unicode.Scalar>?]) -> Int {
        words.count { word in word.map { word in languages.contains { word.isSubset(of: $0) } } ?? false }
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
