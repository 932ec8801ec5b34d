extension Subject {
    /// Kinds of values with characters beyond ASCII in every value.
    static let unicode = [
        Subject(
            name: "name", pattern: #"\p{L}[\p{L}\p{M}'’.-]*(?: \p{L}[\p{L}\p{M}'’.-]*)*"#,
            good: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.givenBeyondASCII))
                bytes.append(" ")
                bytes.append(contentsOf: random.pick(Words.familiesBeyondASCII))
            },
            bad: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.givenBeyondASCII))
                bytes.append("  ")
                bytes.append(contentsOf: random.pick(Words.familiesBeyondASCII))
            }),
        Subject(
            name: "cyrillic", pattern: #"[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?"#,
            good: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.cyrillic))
                guard random.chance(20) else { return }
                bytes.append("-")
                bytes.append(contentsOf: random.pick(Words.cyrillic))
            },
            bad: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.cyrillic))
                // A Latin o in place of a Cyrillic one.
                bytes.append("oв")
            }),
        Subject(
            name: "japanese", pattern: #"[\p{Han}\p{Hiragana}\p{Katakana}ー]{2,20}"#,
            good: { bytes, random in
                for _ in 0..<random.between(1, 4) { bytes.append(contentsOf: random.pick(Words.japanese)) }
            },
            bad: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.japanese))
                bytes.append("?")
            }),
        Subject(
            name: "sentence", pattern: #"[\p{L}\p{M}\p{N}\p{P}\p{Zs}]+"#,
            good: { bytes, random in sentence(&bytes, &random) },
            bad: { bytes, random in
                sentence(&bytes, &random)
                bytes.append("\t")
            }),
        Subject(
            name: "address", pattern: #"[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+"#,
            good: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.givenBeyondASCII))
                bytes.append("@bücher.")
                bytes.append(contentsOf: random.pick(Words.topDomains))
            },
            bad: { bytes, random in
                bytes.append(contentsOf: random.pick(Words.givenBeyondASCII))
                bytes.append("@bücher")
            }),
    ]
}

private func sentence(_ bytes: inout [UInt8], _ random: inout Random) {
    for _ in 0..<random.between(4, 12) {
        bytes.append(contentsOf: random.pick(Words.familiesBeyondASCII))
        bytes.append(random.chance(10) ? ", " : " ")
    }
    bytes.append("– 100 %.")
}
