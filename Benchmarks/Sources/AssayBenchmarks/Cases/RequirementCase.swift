import Assay

/// Measures the cost of evaluating a requirement compared with the bare match, and a password rule over an array of
/// strings.
func requirementCase(_ options: Options) throws -> CaseReport {
    let rounds = options.rounds(quick: 3, standard: 16)
    var raw: [(subject: String, measurements: [Measurement])] = []
    let email = try seedEmail(options, rounds: rounds)
    raw.append(("email", email))
    let password = try passwords(options, rounds: rounds)
    raw += password.map { ($0.name, $0.measured) }

    let each = email.map(\.cpuEach)
    var single = Table("one e-mail address", "ns", "over the bare call")
    for (measurement, cost) in zip(email, each) {
        single.add(measurement.name, figure(cost), "+\(figure(cost - each[0])) ns")
    }
    var bulk = Table("password rule", "one thread", "two threads", "times faster")
    for (name, measured) in password {
        bulk.add(
            name, figure(measured[0].wallEach), figure(measured[1].wallEach),
            ratio(measured[0].wallEach / measured[1].wallEach))
    }
    return CaseReport(
        name: "requirement",
        notes: """
            One address at a time, nanoseconds of processor time: the seed's rule for e-mail addresses by the bare \
            call, as a
            pattern, as a requirement of that pattern with words of its own, and as the rule of two parts of the form.
            The seed's password rule over \(options.values) strings, nanoseconds on the clock for a value: as data, \
            which runs as
            column checks, and with the page's closures.
            """,
        tables: [single, bulk],
        goals: [
            Goal(name: "evaluate over the bare match", measured: each[2] - each[0], bound: .atMost(40), unit: " ns"),
            Goal(
                name: "evaluate, the rule of two parts", measured: each[3] - each[0], bound: .atMost(40), unit: " ns"),
            Goal(
                name: "password rule as data on two threads",
                measured: password[0].measured[0].wallEach / password[0].measured[1].wallEach, bound: .atLeast(1.8)),
            Goal(
                name: "password rule with closures on two threads",
                measured: password[1].measured[0].wallEach / password[1].measured[1].wallEach, bound: .atLeast(1.8)),
        ],
        raw: raw)
}

private func seedEmail(_ options: Options, rounds: Int) throws -> [Measurement] {
    // Options and anchors are in the pattern, because the bare loop compiles it without options.
    let subject = Subject(
        name: "seed e-mail", pattern: #"(?i)^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#, good: Subject.email.good,
        bad: Subject.email.bad)
    let count = 1_000
    let passes = options.size == .quick ? 20 : 200
    let column = Column(subject, count: count, badPercent: 0)
    let strings = column.strings(count)
    func contender(_ name: String, _ body: @escaping () -> Int) -> Contender {
        Contender(name: name, work: passes * count, expected: passes * count) {
            var matches = 0
            for _ in 0..<passes { matches += body() }
            return matches
        }
    }
    let source = #"^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$"#
    let bare = Copies { BarePattern(subject) }
    let patterns = try Copies { try Pattern(source, options: .caseInsensitive) }
    let requirements = try Copies {
        Requirement<String>.matches(try Pattern(source, options: .caseInsensitive)).because("Некорректный email адрес")
    }
    let forms = try Copies {
        let pattern = try Pattern(source, options: .caseInsensitive)
        return Requirement<String>.all {
            Requirement<String>.notEmpty().because("Email обязателен")
            Requirement<String>.matches(pattern).because("Некорректный email")
        }
    }
    return try race(
        "seed e-mail", rounds: rounds,
        [
            contender("bare pcre2_jit_match") { bare.next.countOneByOne(column, count) },
            contender("Pattern.verdict(of:)") {
                let pattern = patterns.next
                return strings.count { pattern.verdict(of: $0) == .pass }
            },
            contender("Requirement.evaluate, one part") {
                let requirement = requirements.next
                return strings.count { requirement.evaluate($0).isConfirmed }
            },
            contender("Requirement.evaluate, two parts") {
                let requirement = forms.next
                return strings.count { requirement.evaluate($0).isConfirmed }
            },
        ])
}

private func passwords(_ options: Options, rounds: Int) throws -> [(name: String, measured: [Measurement])] {
    let parts = ["MyPass", "word", "Zürich", "correct horse", "ПАРОЛЬ", "x", "12", "2024!", "#", "_Q7"]
    var random = Random(seed: 4)
    let values = (0..<options.values).map { _ in
        (0..<1 + random.below(4)).map { _ in parts[random.below(parts.count)] }.joined()
    }
    let special = Set("!@#$%^&*()_+-=[]{}|;:,.<>?".unicodeScalars)
    // Count with plain Swift code, without Assay.
    let expected = values.count { value in
        value.count >= 8 && value.unicodeScalars.contains { $0.properties.generalCategory == .decimalNumber }
            && value.unicodeScalars.contains { $0.properties.generalCategory == .uppercaseLetter }
            && value.unicodeScalars.contains(where: special.contains)
    }
    let data = Requirement<String>.all {
        Requirement<String>.minLength(8).because("Минимум 8 символов")
        Requirement<String>.containsDigit
        Requirement<String>.containsUppercase
        Requirement<String>.contains(oneOf: "!@#$%^&*()_+-=[]{}|;:,.<>?")
    }
    func closure(_ message: String, _ holds: @escaping @Sendable (String) -> Bool) -> Requirement<String> {
        Requirement { holds($0) ? .confirmed : .failed(reason: Reason(message: message)) }
    }
    let closures = Requirement<String>.all {
        Requirement<String>.minLength(8).because("Минимум 8 символов")
        closure("Должна содержать хотя бы одну цифру") { $0.contains(where: \.isNumber) }
        closure("Должна содержать заглавную букву") { $0.contains(where: \.isUppercase) }
        closure("Должна содержать спецсимвол") { $0.unicodeScalars.contains(where: special.contains) }
    }
    return try [("as data", data), ("with closures", closures)].map { name, requirement in
        let contenders = [1, 2].map { threads in
            Contender(name: name, threads: threads, work: values.count, expected: expected) {
                requirement.verdicts(for: values, threads: threads).passedCount
            }
        }
        return (name, try race("passwords \(name)", rounds: max(1, rounds / 4), contenders))
    }
}
