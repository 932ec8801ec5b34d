extension Subject {
    /// Kinds of values whose patterns use look-around in practice.
    static let lookAround = [
        Subject(
            name: "password", pattern: #"(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[^A-Za-z0-9]).{8,64}"#,
            good: { bytes, random in
                bytes.append(random.between(6, 14), of: base, &random)
                bytes.append("aZ")
                bytes.append(random.below(100))
                bytes.append("#")
            },
            bad: { bytes, random in bytes.append(random.between(8, 18), of: base, &random) }),
        Subject(
            name: "ssn", pattern: #"(?!000|666|9[0-9]{2})[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}"#,
            good: { bytes, random in
                bytes.append(random.between(100, 665))
                bytes.append("-")
                bytes.append(random.between(1, 99), width: 2)
                bytes.append("-")
                bytes.append(random.between(1, 9999), width: 4)
            },
            bad: { bytes, random in
                bytes.append(random.chance(50) ? "666-" : "912-")
                bytes.append(random.between(1, 99), width: 2)
                bytes.append("-")
                bytes.append(random.between(1, 9999), width: 4)
            }),
        Subject(
            name: "label", pattern: #"(?!-)[a-z0-9-]{1,63}(?<!-)"#,
            good: { bytes, random in
                bytes.append(random.between(2, 9), of: base, &random)
                bytes.append("-")
                bytes.append(random.between(2, 9), of: base, &random)
            },
            bad: { bytes, random in
                bytes.append(random.between(2, 9), of: base, &random)
                bytes.append("-")
            }),
        Subject(
            name: "postcode", pattern: #"(?!.*[DFIOQU])[A-VXY][0-9][A-Z] ?[0-9][A-Z][0-9]"#,
            good: { bytes, random in
                bytes.append(random.chance(50) ? "K1A 0B" : "V6B1G")
                bytes.append(random.below(10))
            },
            bad: { bytes, random in
                bytes.append(random.chance(50) ? "K1O 0B" : "D6B1G")
                bytes.append(random.below(10))
            }),
    ]

    private static let base = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
