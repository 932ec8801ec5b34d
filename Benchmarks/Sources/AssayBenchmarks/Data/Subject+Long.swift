extension Subject {
    /// Returns kinds of long texts; each value has about `size` bytes.
    static func long(bytes size: Int) -> [Subject] {
        [
            long("words", #"[a-z]+(?: [a-z]+)*"#, size) { bytes, random in
                if !bytes.isEmpty { bytes.append(" ") }
                bytes.append(random.between(2, 9), of: letters, &random)
            },
            long("numbers", #"[0-9]{1,9}(?:,[0-9]{1,9})*"#, size) { bytes, random in
                if !bytes.isEmpty { bytes.append(",") }
                bytes.append(random.below(1_000_000_000))
            },
            long("base64", #"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"#, size) { bytes, random in
                bytes.append(4, of: base64, &random)
            },
            long("notes", #"[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]+"#, size) { bytes, random in
                bytes.append(contentsOf: random.pick(Words.families))
                bytes.append(random.chance(5) ? "\n" : " ")
            },
        ]
    }

    /// Creates a subject. `append` adds a piece to a value; a bad value has a control character after the last piece.
    private static func long(
        _ name: String, _ pattern: String, _ size: Int,
        append: @escaping @Sendable (inout [UInt8], inout Random) -> Void
    ) -> Subject {
        let good: @Sendable (inout [UInt8], inout Random) -> Void = { bytes, random in
            var value: [UInt8] = []
            value.reserveCapacity(size + 64)
            while value.count < size - 16 { append(&value, &random) }
            bytes.append(contentsOf: value)
        }
        return Subject(
            name: name, pattern: pattern, good: good,
            bad: { bytes, random in
                good(&bytes, &random)
                bytes.append(UInt8(0x01))
            })
    }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    private static let base64 = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
