import Assay
import Foundation

/// Measures the code around the engine, each call beside the usual way to do the same.
func callsCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16)
    let values = min(options.values, 200_000)
    let races: [(name: String, limit: Double, contenders: [Contender])] = [
        ("partition", 25, try partition(values)),
        ("inRange of Int", 5, numbers(values)),
        ("a record of three parts", 60, try records(values)),
        ("optional texts", 20, try optionals(values)),
        ("a pattern from the cache", 60, try cached(values)),
        ("a JSON body of ten fields", 10_000, try bodies(values / 50)),
    ]
    var table = Table("call", "ns each", "the usual way", "ns each", "times faster")
    var goals: [Goal] = []
    var raw: [(subject: String, measurements: [Measurement])] = []
    for (name, limit, contenders) in races {
        let measured = try race(name, rounds: rounds, contenders)
        raw.append((name, measured))
        let (own, usual) = (measured[0].cpuEach, measured[1].cpuEach)
        table.add(name, figure(own), measured[1].name, figure(usual), ratio(usual / own))
        goals.append(Goal(name: name, measured: own, bound: .atMost(limit), unit: " ns"))
    }
    return CaseReport(
        name: "calls",
        notes: "Nanoseconds of processor time for a value, on one thread, beside the usual way without Assay.",
        tables: [table], goals: goals, raw: raw)
}

private let emailPattern = #"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}"#

private func emails(_ count: Int) -> [String] {
    (0..<count).map { $0 % 10 == 9 ? "user\($0) at example.org" : "user\($0)@example.org" }
}

private func partition(_ count: Int) throws -> [Contender] {
    let texts = emails(count)
    let mask = try Pattern(emailPattern).verdicts(for: texts)
    return [
        Contender(name: "partition", work: count, expected: mask.passedCount) { mask.partition(texts).passed.count },
        Contender(name: "filter with a closure", work: count, expected: mask.passedCount) {
            texts.filter { $0.utf8.contains(UInt8(ascii: "@")) }.count
        },
    ]
}

private func numbers(_ count: Int) -> [Contender] {
    let ages = (0..<count).map { $0 % 150 }
    let requirement = Requirement<Int>.inRange(18...120)
    let expected = ages.count { (18...120).contains($0) }
    let closure: @Sendable (Int) throws -> Void = { age in
        guard (18...120).contains(age) else { throw BenchmarkError(message: "age") }
    }
    return [
        Contender(name: "inRange", work: count, expected: expected) {
            requirement.verdicts(for: ages, threads: 1).passedCount
        },
        Contender(name: "a throwing closure", work: count, expected: expected) {
            ages.count { (try? closure($0)) != nil }
        },
    ]
}

private struct User: Sendable {
    var name: String
    var email: String
    var age: Int
}

private func records(_ count: Int) throws -> [Contender] {
    let users = emails(count).enumerated().map { User(name: "Anna Lee", email: $1, age: 20 + $0 % 90) }
    let pattern = try Pattern(emailPattern)
    let requirement = Requirement<User>.all(
        .at(\.name, .minLength(2)), .at(\.email, .matches(pattern)), .at(\.age, .inRange(18...120)))
    let expression = try NSRegularExpression(pattern: "^(?:" + emailPattern + ")$")
    let expected = users.count { $0.email.utf8.contains(UInt8(ascii: "@")) }
    return [
        Contender(name: "Requirement", work: count, expected: expected) {
            requirement.verdicts(for: users, threads: 1).passedCount
        },
        Contender(name: "NSRegularExpression", work: count, expected: expected) {
            users.count { user in
                let range = NSRange(user.email.startIndex..., in: user.email)
                return user.name.count >= 2 && (18...120).contains(user.age)
                    && expression.firstMatch(in: user.email, range: range) != nil
            }
        },
    ]
}

private func optionals(_ count: Int) throws -> [Contender] {
    let texts: [String?] = emails(count).enumerated().map { $0 % 7 == 3 ? nil : $1 }
    let requirement = Requirement<String?>.ifPresent(.matches(try Pattern(emailPattern)))
    let regex = try Regex(emailPattern)
    let expected = texts.count { $0?.utf8.contains(UInt8(ascii: "@")) ?? true }
    return [
        Contender(name: "ifPresent", work: count, expected: expected) {
            requirement.verdicts(for: texts, threads: 1).passedCount
        },
        Contender(name: "Swift Regex", work: count, expected: expected) {
            texts.count { text in text.map { (try? regex.wholeMatch(in: $0)) ?? nil != nil } ?? true }
        },
    ]
}

private func cached(_ count: Int) throws -> [Contender] {
    let cache = PatternCache()
    _ = try cache.pattern(emailPattern)
    let dictionary = [emailPattern: try Pattern(emailPattern)]
    let lock = NSLock()
    return [
        Contender(name: "PatternCache", work: count, expected: count) {
            var found = 0
            for _ in 0..<count where try cache.pattern(emailPattern).source.utf8.count > 0 { found += 1 }
            return found
        },
        Contender(name: "NSLock and a dictionary", work: count, expected: count) {
            var found = 0
            for _ in 0..<count where lock.withLock({ dictionary[emailPattern] }) != nil { found += 1 }
            return found
        },
    ]
}

private func bodies(_ count: Int) throws -> [Contender] {
    struct Body: Decodable {
        var email, name, country, city, zip, phone, plan, coupon: String
        var age: Int
        var newsletter: Bool
    }
    func field(_ name: String, _ checks: Check...) -> Field {
        Field(
            name: name, isRequired: true,
            rules: checks.enumerated().map { Rule(id: "\(name)-\($0)", code: "check", check: $1) })
    }
    let schema = Schema(fields: [
        field("email", .matches(pattern: emailPattern)), field("name", .length(min: 2, max: 50, in: .characters)),
        field("country", .oneOf(["AT", "DE", "NO"])), field("city", .length(min: 1, max: 80, in: .scalars)),
        field("zip", .matches(pattern: "[0-9]{4,5}")), field("phone", .matches(pattern: #"\+[0-9]{8,15}"#)),
        field("plan", .oneOf(["free", "team"])), field("coupon", .length(min: 4, max: 12, in: .scalars)),
        Field(name: "age", type: .integer, isRequired: true), Field(name: "newsletter", type: .boolean),
    ])
    let compiled = try schema.compiled()
    let texts = (0..<count).map { number in
        Data(
            """
            {
              "email": "user\(number)@example.org", "name": "Anna Lee", "country": "\(number % 10 == 0 ? "XX" : "NO")",
              "city": "Köln", "zip": "50667", "phone": "+4922112345", "plan": "free", "coupon": "SUMMER26",
              "age": 37, "newsletter": true
            }
            """.utf8)
    }
    let expected = (0..<count).count { $0 % 10 != 0 }
    let countries: Set = ["AT", "DE", "NO"]
    return [
        Contender(name: "failures(inJSON:)", work: count, expected: expected) {
            texts.count { compiled.failures(inJSON: $0).isEmpty }
        },
        Contender(name: "JSONDecoder, and one comparison", work: count, expected: expected) {
            let decoder = JSONDecoder()
            return try texts.count { countries.contains(try decoder.decode(Body.self, from: $0).country) }
        },
    ]
}
