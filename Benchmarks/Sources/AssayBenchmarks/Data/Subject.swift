/// A kind of value in a user export: its pattern, and generators of good and bad values.
///
/// The patterns are typical of validators, and PCRE2 and ICU agree on the values made here. A bad value is a good one
/// with one plausible mistake, which the pattern always detects, so that every engine must find the number of bad
/// values.
struct Subject: Sendable {
    let name: String
    let pattern: String
    /// Appends a value that matches.
    let good: @Sendable (inout [UInt8], inout Random) -> Void
    /// Appends a value that does not.
    let bad: @Sendable (inout [UInt8], inout Random) -> Void

    static let all = [email, phone, url, uuid, date, timestamp, ipv4, country, person, amount]

    static let email = Subject(
        name: "email", pattern: #"[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}"#,
        good: { bytes, random in
            local(&bytes, &random)
            bytes.append("@")
            domain(&bytes, &random)
        },
        bad: { bytes, random in
            local(&bytes, &random)
            switch random.below(4) {
            case 0: domain(&bytes, &random)
            case 1:
                bytes.append(" @")
                domain(&bytes, &random)
            case 2: bytes.append("@localhost")
            default:
                bytes.append("@")
                domain(&bytes, &random)
                bytes.append(".")
            }
        })

    static let phone = Subject(
        name: "phone", pattern: #"\+[1-9][0-9]{7,14}"#,
        good: { bytes, random in telephone(&bytes, &random) },
        bad: { bytes, random in
            switch random.below(3) {
            case 0: bytes.append("ask the office")
            case 1:
                telephone(&bytes, &random)
                bytes.append(" ext. 7")
            default: bytes.append("+05550100")
            }
        })

    static let url = Subject(
        name: "url",
        pattern: #"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~%/-]*)?(?:\?[A-Za-z0-9._~%&=+-]*)?"#,
        good: { bytes, random in address(&bytes, &random) },
        bad: { bytes, random in
            switch random.below(3) {
            case 0:
                bytes.append("www.")
                domain(&bytes, &random)
            case 1:
                address(&bytes, &random)
                bytes.append(" (old)")
            default: bytes.append("https:///")
            }
        })

    static let uuid = Subject(
        name: "uuid",
        pattern: #"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"#,
        good: { bytes, random in identifier(&bytes, &random, last: 12) },
        bad: { bytes, random in
            identifier(&bytes, &random, last: random.chance(50) ? 11 : 13)
        })

    static let date = Subject(
        name: "date", pattern: #"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"#,
        good: { bytes, random in day(&bytes, &random) },
        bad: { bytes, random in
            switch random.below(3) {
            case 0: bytes.append("0000-00-00")
            case 1:
                bytes.append(random.between(1, 28))
                bytes.append(".")
                bytes.append(random.between(1, 12))
                bytes.append(".")
                bytes.append(random.between(1950, 2006))
            default:
                bytes.append(random.between(1950, 2006))
                bytes.append("-13-01")
            }
        })

    static let timestamp = Subject(
        name: "timestamp",
        pattern:
            #"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])"#,
        good: { bytes, random in
            moment(&bytes, &random)
            if random.chance(20) {
                bytes.append(".")
                bytes.append(random.below(1000), width: 3)
            }
            if random.chance(70) { bytes.append("Z") } else { bytes.append("+02:00") }
        },
        bad: { bytes, random in
            moment(&bytes, &random)
            if random.chance(50) { bytes.append(" UTC") } else { bytes.removeLast(3) }
        })

    static let ipv4 = Subject(
        name: "ipv4",
        pattern:
            #"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"#,
        good: { bytes, random in octets(&bytes, &random, count: 4) },
        bad: { bytes, random in
            switch random.below(3) {
            case 0:
                bytes.append(random.between(256, 999))
                bytes.append(".")
                octets(&bytes, &random, count: 3)
            case 1: octets(&bytes, &random, count: 3)
            default:
                octets(&bytes, &random, count: 4)
                bytes.append(":8080")
            }
        })

    static let country = Subject(
        name: "country", pattern: #"[A-Z]{2}"#,
        good: { bytes, random in bytes.append(contentsOf: random.pick(Words.countries)) },
        bad: { bytes, random in bytes.append(contentsOf: random.pick(Words.badCountries)) })

    static let person = Subject(
        name: "name", pattern: #"\p{L}[\p{L}\p{M}'’.-]*(?:,? ["\p{L}][\p{L}\p{M}"'’.-]*)*"#,
        good: { bytes, random in
            if random.chance(3) {
                bytes.append(contentsOf: random.pick(Words.families))
                bytes.append(", ")
                bytes.append(contentsOf: random.pick(Words.given))
            } else if random.chance(1) {
                bytes.append(contentsOf: random.pick(Words.given))
                bytes.append(" \"")
                bytes.append(contentsOf: random.pick(Words.given))
                bytes.append("\" ")
                bytes.append(contentsOf: random.pick(Words.families))
            } else {
                fullName(&bytes, &random)
            }
        },
        bad: { bytes, random in
            switch random.below(3) {
            case 0: bytes.append("-")
            case 1:
                fullName(&bytes, &random)
                bytes.append(" (2)")
            default:
                fullName(&bytes, &random)
                bytes.append(" <")
                local(&bytes, &random)
                bytes.append(">")
            }
        })

    static let amount = Subject(
        name: "amount", pattern: #"-?[0-9]{1,9}\.[0-9]{2}"#,
        good: { bytes, random in money(&bytes, &random) },
        bad: { bytes, random in
            switch random.below(3) {
            case 0: bytes.append("n/a")
            case 1:
                bytes.append("EUR ")
                money(&bytes, &random)
            default: bytes.append(random.below(100_000))
            }
        })
}

// The parts of values.

private func local(_ bytes: inout [UInt8], _ random: inout Random) {
    bytes.append(contentsOf: random.pick(Words.mailboxes))
    bytes.append(random.pick(Words.mailboxSeparators))
    bytes.append(contentsOf: random.pick(Words.mailboxes))
    if random.chance(60) { bytes.append(random.below(10_000)) }
}

private func domain(_ bytes: inout [UInt8], _ random: inout Random) {
    if random.chance(15) { bytes.append("mail.") }
    bytes.append(contentsOf: random.pick(Words.domains))
    bytes.append(".")
    bytes.append(contentsOf: random.pick(Words.topDomains))
}

private func telephone(_ bytes: inout [UInt8], _ random: inout Random) {
    bytes.append("+")
    bytes.append(contentsOf: random.pick(Words.dialing))
    bytes.append(random.below(1_000_000_000), width: random.between(7, 9))
}

private func address(_ bytes: inout [UInt8], _ random: inout Random) {
    bytes.append("https://")
    if random.chance(70) { bytes.append("www.") }
    domain(&bytes, &random)
    for _ in 0..<random.between(1, 3) {
        bytes.append("/")
        bytes.append(contentsOf: random.pick(Words.paths))
    }
    if random.chance(60) {
        bytes.append("?utm_source=")
        bytes.append(contentsOf: random.pick(Words.paths))
        bytes.append("&id=")
        bytes.append(random.below(100_000_000), width: 8)
    }
}

private func identifier(_ bytes: inout [UInt8], _ random: inout Random, last: Int) {
    bytes.append(8, of: Words.hexadecimal, &random)
    bytes.append("-")
    bytes.append(4, of: Words.hexadecimal, &random)
    bytes.append("-4")
    bytes.append(3, of: Words.hexadecimal, &random)
    bytes.append("-")
    bytes.append(random.pick(Words.uuidVariants))
    bytes.append(3, of: Words.hexadecimal, &random)
    bytes.append("-")
    bytes.append(last, of: Words.hexadecimal, &random)
}

private func day(_ bytes: inout [UInt8], _ random: inout Random) {
    bytes.append(random.between(1940, 2025))
    bytes.append("-")
    bytes.append(random.between(1, 12), width: 2)
    bytes.append("-")
    bytes.append(random.between(1, 28), width: 2)
}

private func moment(_ bytes: inout [UInt8], _ random: inout Random) {
    day(&bytes, &random)
    bytes.append("T")
    bytes.append(random.below(24), width: 2)
    for _ in 0..<2 {
        bytes.append(":")
        bytes.append(random.below(60), width: 2)
    }
}

private func octets(_ bytes: inout [UInt8], _ random: inout Random, count: Int) {
    for index in 0..<count {
        if index > 0 { bytes.append(".") }
        bytes.append(random.below(256))
    }
}

private func fullName(_ bytes: inout [UInt8], _ random: inout Random) {
    bytes.append(contentsOf: random.pick(Words.given))
    bytes.append(" ")
    if random.chance(10) {
        bytes.append(contentsOf: random.pick(Words.given))
        bytes.append(" ")
    }
    bytes.append(contentsOf: random.pick(Words.families))
}

private func money(_ bytes: inout [UInt8], _ random: inout Random) {
    if random.chance(5) { bytes.append("-") }
    bytes.append(random.below(random.chance(10) ? 1_000_000 : 2_000))
    bytes.append(".")
    bytes.append(random.below(100), width: 2)
}
