/// Characters with a case folding of several characters, such as ß, which folds to ss.
///
/// Source: `CaseFolding.txt` of Unicode 14, status F: 104 characters. Unicode has added none since version 5.1.
enum ICUFullFolding {
    /// The full case folding of one character.
    static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if let several = foldings[scalar] { return several }
        // U+0131 has the upper-case form I but does not fold to i.
        if scalar == "\u{131}" { return [scalar] }
        let upper = scalar.properties.uppercaseMapping.unicodeScalars
        let lower = (upper.count == 1 ? upper.first! : scalar).properties.lowercaseMapping.unicodeScalars
        return [lower.count == 1 ? lower.first! : scalar]
    }

    /// The end of the characters that must be translated together with the one at `start`: a sequence that is the
    /// folding of one character, and all sequences that overlap it.
    static func endOfCluster(in folded: [Unicode.Scalar], from start: Int) -> Int {
        var end = start + 1
        var index = start
        while index < end {
            for (sequence, _) in spellings(at: index, of: folded[...]) { end = max(end, index + sequence.count) }
            index += 1
        }
        return end
    }

    /// All spellings of these folded characters, as a PCRE2 pattern; `nil` if it would be too long.
    static func alternatives(_ folded: ArraySlice<Unicode.Scalar>) -> String? {
        // From the last character to the first: the spellings of the remaining characters from each index.
        var rest = [String](repeating: "", count: folded.count + 1)
        for index in folded.indices.reversed() {
            let place = index - folded.startIndex
            var ways = [ICUText.literal(folded[index]) + rest[place + 1]]
            for (sequence, scalars) in spellings(at: index, of: folded) {
                let members = String(String.UnicodeScalarView(scalars))
                ways.append("[\(members)]" + rest[place + sequence.count])
            }
            rest[place] = ways.count == 1 ? ways[0] : "(?:\(ways.joined(separator: "|")))"
            if rest[place].utf8.count > 4096 { return nil }
        }
        return rest[0]
    }

    /// The characters to add to a range when case is ignored: they are equal only by full case folding, which ICU's
    /// sets use and PCRE2's do not.
    static func partners(in range: ClosedRange<Unicode.Scalar>) -> String {
        var partners = ""
        for (one, other) in [("\u{390}", "\u{1FD3}"), ("\u{3B0}", "\u{1FE3}"), ("\u{FB05}", "\u{FB06}")]
            as [(Unicode.Scalar, Unicode.Scalar)]
        {
            if range.contains(one) && !range.contains(other) { partners.unicodeScalars.append(other) }
            if range.contains(other) && !range.contains(one) { partners.unicodeScalars.append(one) }
        }
        return partners
    }

    /// The foldings that start at `index`, and the characters that have them.
    private static func spellings(
        at index: Int, of folded: ArraySlice<Unicode.Scalar>
    ) -> [(sequence: [Unicode.Scalar], scalars: [Unicode.Scalar])] {
        (scalarsByFirst[folded[index]] ?? []).filter { folded[index...].starts(with: $0.sequence) }
    }

    private static let foldings: [Unicode.Scalar: [Unicode.Scalar]] = {
        var foldings: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for entry in table.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let scalars = entry.split(separator: "=")[1].split(separator: "+").map(scalar)
            foldings[scalar(entry.split(separator: "=")[0])] = scalars
        }
        return foldings
    }()

    /// The foldings with their characters, by the first character of the folding.
    private static let scalarsByFirst: [Unicode.Scalar: [(sequence: [Unicode.Scalar], scalars: [Unicode.Scalar])]] = {
        let bySequence = Dictionary(grouping: foldings.keys.sorted(), by: { foldings[$0]! })
        let sequences = bySequence.map { (sequence: $0.key, scalars: $0.value) }
        return Dictionary(grouping: sequences.sorted { $0.sequence.count < $1.sequence.count }, by: { $0.sequence[0] })
    }()

    private static func scalar(_ hexadecimal: Substring) -> Unicode.Scalar {
        guard let value = UInt32(hexadecimal, radix: 16), let scalar = Unicode.Scalar(value) else {
            preconditionFailure("the table of foldings has hexadecimal values of characters")
        }
        return scalar
    }

    private static let table = """
        DF=73+73 130=69+307 149=2BC+6E 1F0=6A+30C 390=3B9+308+301 3B0=3C5+308+301 587=565+582 1E96=68+331 1E97=74+308
        1E98=77+30A 1E99=79+30A 1E9A=61+2BE 1E9E=73+73 1F50=3C5+313 1F52=3C5+313+300 1F54=3C5+313+301 1F56=3C5+313+342
        1F80=1F00+3B9 1F81=1F01+3B9 1F82=1F02+3B9 1F83=1F03+3B9 1F84=1F04+3B9 1F85=1F05+3B9 1F86=1F06+3B9
        1F87=1F07+3B9 1F88=1F00+3B9 1F89=1F01+3B9 1F8A=1F02+3B9 1F8B=1F03+3B9 1F8C=1F04+3B9 1F8D=1F05+3B9
        1F8E=1F06+3B9 1F8F=1F07+3B9 1F90=1F20+3B9 1F91=1F21+3B9 1F92=1F22+3B9 1F93=1F23+3B9 1F94=1F24+3B9
        1F95=1F25+3B9 1F96=1F26+3B9 1F97=1F27+3B9 1F98=1F20+3B9 1F99=1F21+3B9 1F9A=1F22+3B9 1F9B=1F23+3B9
        1F9C=1F24+3B9 1F9D=1F25+3B9 1F9E=1F26+3B9 1F9F=1F27+3B9 1FA0=1F60+3B9 1FA1=1F61+3B9 1FA2=1F62+3B9
        1FA3=1F63+3B9 1FA4=1F64+3B9 1FA5=1F65+3B9 1FA6=1F66+3B9 1FA7=1F67+3B9 1FA8=1F60+3B9 1FA9=1F61+3B9
        1FAA=1F62+3B9 1FAB=1F63+3B9 1FAC=1F64+3B9 1FAD=1F65+3B9 1FAE=1F66+3B9 1FAF=1F67+3B9 1FB2=1F70+3B9 1FB3=3B1+3B9
        1FB4=3AC+3B9 1FB6=3B1+342 1FB7=3B1+342+3B9 1FBC=3B1+3B9 1FC2=1F74+3B9 1FC3=3B7+3B9 1FC4=3AE+3B9 1FC6=3B7+342
        1FC7=3B7+342+3B9 1FCC=3B7+3B9 1FD2=3B9+308+300 1FD3=3B9+308+301 1FD6=3B9+342 1FD7=3B9+308+342 1FE2=3C5+308+300
        1FE3=3C5+308+301 1FE4=3C1+313 1FE6=3C5+342 1FE7=3C5+308+342 1FF2=1F7C+3B9 1FF3=3C9+3B9 1FF4=3CE+3B9
        1FF6=3C9+342 1FF7=3C9+342+3B9 1FFC=3C9+3B9 FB00=66+66 FB01=66+69 FB02=66+6C FB03=66+66+69 FB04=66+66+6C
        FB05=73+74 FB06=73+74 FB13=574+576 FB14=574+565 FB15=574+56B FB16=57E+576 FB17=574+56D
        """
}
