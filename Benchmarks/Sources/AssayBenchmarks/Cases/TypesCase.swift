import Assay

/// Compares types and ranges with the usual bare pattern, which tests no check digits, calendars or lists.
func typesCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16)
    let count = options.values / 10
    var table = Table("type", "bytes", "bare pattern", "type", "type/bare")
    var raw: [(subject: String, measurements: [Measurement])] = []
    var ratios: [(subject: String, value: Double)] = []
    var times: [(subject: String, value: Double)] = []

    for type in TypeSubject.all {
        // One value in a hundred is bad, for the type and, if a pattern can detect it, for the pattern.
        var (bytes, offsets): ([UInt8], [Int32]) = ([], [0])
        for index in 0..<count {
            bytes += (index % 100 == 99 ? type.bad : type.good[index % type.good.count]).utf8
            offsets.append(Int32(bytes.count))
        }
        let (values, starts) = (bytes, offsets)
        let check = try Requirement<String>(type.check)
        let pattern = try type.pattern.map { try Pattern($0, engine: .jit) }
        let bad = count / 100
        var contenders = [
            Contender(name: "type", work: count, expected: count - bad) {
                try check.verdicts(utf8: values.span, offsets: starts.span, threads: 1).passedCount
            }
        ]
        if let pattern {
            let accepted = pattern.verdict(of: type.bad) == .pass ? count : count - bad
            contenders.append(
                Contender(name: "bare pattern", work: count, expected: accepted) {
                    try pattern.verdicts(utf8: values.span, offsets: starts.span, threads: 1).passedCount
                })
        }
        let measured = try race("column of \(type.name)", rounds: rounds, contenders)
        raw.append((type.name, measured))
        let time = measured[0].cpuEach
        times.append((type.name, time))
        let bare = measured.count > 1 ? measured[1].cpuEach : .nan
        if pattern != nil { ratios.append((type.name, time / bare)) }
        table.add(
            type.name, figure(Double(bytes.count) / Double(count)), pattern == nil ? "–" : figure(bare), figure(time),
            pattern == nil ? "–" : ratio(time / bare))
    }

    return CaseReport(
        name: "types",
        notes: """
            \(count) values, 1 % bad, one thread; nanoseconds of processor time for a value. Both through
            verdicts(utf8:offsets:threads:1); the bare pattern on PCRE2's machine code.
            """,
        tables: [table],
        goals: [
            .worst("type against its bare pattern", of: ratios, .atMost(2)),
            .worst("type, a typical value", of: times, .atMost(150), unit: " ns"),
        ], raw: raw)
}

/// A type, the usual bare pattern for it (`nil`: there is no usual one), and its values.
private struct TypeSubject {
    let name: String
    let check: Check
    let pattern: String?
    let good: [String]
    let bad: String

    init(_ name: String, _ check: Check, _ pattern: String?, _ good: [String], bad: String) {
        (self.name, self.check, self.pattern, self.good, self.bad) = (name, check, pattern, good, bad)
    }

    /// Creates the subject of a built-in type.
    init(_ format: String, _ pattern: String?, _ good: [String], bad: String) {
        self.init(format, .type(ValueType(.string, format: format)), pattern, good, bad: bad)
    }

    static let all = [
        TypeSubject(
            "email",
            #"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}"#,
            ["anna.lee@example.org", "bo@mail.example.co.uk", "j.smith-42@example.com"], bad: "anna.lee@example"),
        TypeSubject(
            "hostname",
            #"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"#,
            ["www.example.org", "db-1.example.com", "mail.example.co.uk"], bad: "www.example_1.org"),
        TypeSubject("domain", nil, ["example.org", "shop.example.co.uk", "example.com"], bad: "co.uk"),
        TypeSubject("idn-hostname", nil, ["bücher.example", "example.org", "例え.テスト"], bad: "-bücher.example"),
        TypeSubject(
            "ipv4", #"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"#,
            ["192.0.2.1", "10.20.30.40", "203.0.113.255"], bad: "192.0.2.256"),
        TypeSubject(
            "ipv6", nil, ["2001:db8::1", "fe80::1:2:3:4", "2001:db8:85a3::8a2e:370:7334"], bad: "2001:db8:::1"),
        TypeSubject(
            "url",
            #"https?://(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,24}(?::\d{1,5})?(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(?:\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?(?:#[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?"#,
            ["https://www.example.org/a/b?c=d", "http://example.com/", "https://shop.example.co.uk/items/42#top"],
            bad: "https://www example.org/"),
        TypeSubject(
            "uuid", "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
            ["123e4567-e89b-42d3-a456-426614174000", "0f8fad5b-d9cb-469f-a165-70867728950e"],
            bad: "123e4567-e89b-42d3-a456-42661417400"),
        TypeSubject(
            "date", #"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"#, ["2024-02-29", "1999-12-31", "2001-06-15"],
            bad: "2023-02-29"),
        TypeSubject(
            "date-time", #"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})"#,
            ["2024-02-29T23:20:50.52Z", "1999-12-31T23:59:59+01:00"], bad: "2023-02-29T23:20:50Z"),
        TypeSubject("time-zone", nil, ["Europe/Berlin", "America/New_York", "UTC"], bad: "Europe/Bonn"),
        TypeSubject(
            "card", #"(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|3[47]\d{13})"#,
            ["4111111111111111", "5555555555554444", "378282246310005"], bad: "4111111111111112"),
        TypeSubject(
            "iban", #"[A-Z]{2}\d{2}[A-Z0-9]{11,30}"#,
            ["DE89370400440532013000", "GB82WEST12345698765432", "FR1420041010050500013M02606"],
            bad: "DE89370400440532013001"),
        TypeSubject("bic", "[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?", ["DEUTDEFF", "NEDSZAJJXXX"], bad: "DEUTZZFF"),
        TypeSubject("isin", #"[A-Z]{2}[A-Z0-9]{9}\d"#, ["US0378331005", "DE000BAY0017"], bad: "US0378331006"),
        TypeSubject("lei", #"[A-Z0-9]{18}\d{2}"#, ["529900T8BM49AURSDO55"], bad: "529900T8BM49AURSDO56"),
        TypeSubject("isbn", #"(?:97[89]\d{10}|\d{9}[\dX])"#, ["9783161484100", "080442957X"], bad: "9783161484101"),
        TypeSubject("gtin", #"\d{8}(?:\d{4,6})?"#, ["4006381333931", "036000291452"], bad: "4006381333932"),
        TypeSubject(
            "vat", "[A-Z]{2}[A-Z0-9+*]{2,12}", ["DE136695976", "FR40303265045", "IT00743110157"], bad: "DE136695977"),
        TypeSubject("country", nil, ["DE", "US", "JP"], bad: "XX"),
        TypeSubject("currency", nil, ["EUR", "USD", "JPY"], bad: "XXY"),
        TypeSubject("phone", #"\+[1-9]\d{1,14}"#, ["+442079460018", "+4930123456"], bad: "+0123456"),
        TypeSubject("phone valid", nil, ["+442079460018", "+4930123456", "+12015550123"], bad: "+4420794600"),
        TypeSubject(
            "semver", #"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"#, ["1.4.0-rc.1+build.5", "10.2.3"],
            bad: "1.4"),
        TypeSubject(
            "base64", "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", ["aGVsbG8gd29ybGQ=", "YWJj"],
            bad: "aGVsbG8"),
        TypeSubject("json", nil, [#"{"id": 7, "name": "anna"}"#, "[1, 2, 3]"], bad: "{id: 7}"),
        TypeSubject("type: integer", .type(.integer), "[+-]?[0-9]+", ["42", "-7", "123456"], bad: "4.2"),
        TypeSubject(
            "type: number", .type(.number), #"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"#,
            ["19.95", "-3", "1250.5"],
            bad: "1,5"),
        TypeSubject(
            "type: date, %d/%m/%Y", .type(ValueType(.date, format: "%d/%m/%Y")), "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}",
            ["28/02/2024", "31/12/1999", "1/6/2001"], bad: "31/06/2001"),
        TypeSubject(
            "minimum: 0, maximum: 150", .range(min: Bound("0"), max: Bound("150"), as: .integer),
            "[0-9]|[1-9][0-9]|1[0-4][0-9]|150",
            ["42", "7", "118"], bad: "151"),
        TypeSubject("text", #"[^\p{C}]+"#, ["Straße 5, 2. Stock", "a plain line of text"], bad: "a\u{200B}b"),
    ]
}
