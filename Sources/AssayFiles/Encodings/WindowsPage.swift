/// The Windows code page with the letters of an encoding of ISO 8859 in the same places.
///
/// It has characters for the bytes from 80 to 9F, which are control characters in ISO 8859. A file that is said to be in ISO 8859
/// and has such bytes is nearly always in this code page.
struct WindowsPage: Sendable {
    let name: String
    private let characters: [Unicode.Scalar?]

    /// By the name of the encoding of ISO 8859; for those that are hardly used, but often detected, windows-1252.
    static let names = [
        "ISO-8859-1": "windows-1252", "ISO-8859-2": "windows-1250", "ISO-8859-3": "windows-1252",
        "ISO-8859-4": "windows-1257", "ISO-8859-7": "windows-1253", "ISO-8859-8": "windows-1255",
        "ISO-8859-9": "windows-1254", "ISO-8859-10": "windows-1252", "ISO-8859-11": "windows-874",
        "ISO-8859-13": "windows-1257", "ISO-8859-15": "windows-1252",
    ]

    init?(of encoding: String) {
        guard let name = Self.names[encoding], let characters = LatinCodePage.characters(of: name) else { return nil }
        (self.name, self.characters) = (name, characters)
    }

    /// Whether each byte of some text that could not be decoded is a control character in ISO 8859, and a character of the code
    /// page. Other bytes without a character are no evidence.
    func hasCharacters(forEscapedIn bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        escapedBytes(bytes) { (0x80...0x9F).contains($0) && characters[Int($0) - 0x80] != nil }
    }
}
