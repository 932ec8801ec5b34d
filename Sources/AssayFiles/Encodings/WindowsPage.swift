/// The Windows code page with the letters of an ISO 8859 encoding at the same codes.
///
/// It has characters for the bytes from 80 to 9F, which are control characters in ISO 8859. A file that is declared as
/// ISO 8859 and contains such bytes is nearly always in this code page.
struct WindowsPage: Sendable {
    let name: String
    private let characters: [Unicode.Scalar?]

    /// The code pages by ISO 8859 name; windows-1252 for encodings that are rarely used but often detected.
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

    /// Whether all undecodable bytes of a text are control characters in ISO 8859 and characters of the code page.
    /// Other undecodable bytes are not evidence.
    func hasCharacters(forEscapedIn bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        escapedBytes(bytes) { (0x80...0x9F).contains($0) && characters[Int($0) - 0x80] != nil }
    }
}
