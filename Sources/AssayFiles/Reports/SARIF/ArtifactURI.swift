internal import Assay

/// A file in the form of SARIF.
struct ArtifactURI {
    /// The URI, relative for a relative path. Escapes all characters except letters, digits, `-`, `.`, `_`, `~` and
    /// `/`.
    let uri: String
    /// The base of the URI, or `nil` if it is unknown.
    let base: String?

    /// - Parameter path: The given path; `-` is standard input.
    init(_ path: String) {
        if path == CleanJob.standard {
            (uri, base) = ("stdin", nil)
            return
        }
        let parts = path.pieces(at: "/").filter { !$0.isEmpty && $0 != "." }
        let escaped = parts.map { Self.escaped(String($0)) }.joined(separator: "/")
        if path.begins(withBytesOf: "/") {
            (uri, base) = ("file:///" + escaped, nil)
        } else {
            // A file outside of the root is not relative to it.
            (uri, base) = (escaped, parts.contains("..") ? nil : "%SRCROOT%")
        }
    }

    private static func escaped(_ part: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return part.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || "-._~".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// The members of a location.
    var members: [(String, JSONValue)] {
        [("uri", .string(uri))] + (base.map { [("uriBaseId", .string($0))] } ?? [])
    }
}
