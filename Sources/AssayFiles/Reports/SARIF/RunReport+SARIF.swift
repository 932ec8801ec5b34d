internal import Assay

extension RunReport {
    /// The maximum number of results. GitHub displays the same number.
    static let maxResults = 5_000

    /// The report as SARIF 2.1.0 (OASIS Standard, 27 March 2020): the rules, and the first findings with line and
    /// column.
    func sarif() -> String {
        let facts = ReportFacts(self)
        let run: JSONValue = .object([
            ("tool", .object([("driver", driver(facts))])),
            (
                "invocations",
                .array([
                    .object([
                        ("executionSuccessful", .bool(true)), ("toolExecutionNotifications", .array(notifications)),
                    ])
                ])
            ),
            ("automationDetails", .object([("id", .string("assay/\(ArtifactURI(input).uri)/"))])),
            (
                "originalUriBaseIds",
                .object([("%SRCROOT%", .object([("description", message("The directory in which assay ran."))]))])
            ),
            (
                "artifacts",
                .array(
                    inputs.map {
                        .object([
                            ("location", .object(ArtifactURI($0).members)),
                            ("roles", .array([.string("analysisTarget")])),
                        ])
                    })
            ),
            ("columnKind", .string("unicodeCodePoints")),
            ("results", .array(results(facts))),
        ])
        return JSONValue.object([
            ("version", .string("2.1.0")), ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            ("runs", .array([run])),
        ]).pretty + "\n"
    }

    private func driver(_ facts: ReportFacts) -> JSONValue {
        .object([
            ("name", .string("Assay")), ("version", .string(assayVersion)), ("semanticVersion", .string(assayVersion)),
            ("rules", .array(facts.rules.map(descriptor))),
        ])
    }

    private func descriptor(_ facts: RuleFacts) -> JSONValue {
        let subject = facts.column.map { "the column \($0)" } ?? "whole records"
        return .object([
            ("id", .string(facts.id)),
            (
                "shortDescription",
                message(facts.meaning.map { "A record is malformed: \($0)." } ?? "\(facts.id), a rule of \(subject).")
            ),
            ("defaultConfiguration", .object([("level", .string(level(facts.rule.severity)))])),
            (
                "properties",
                .object([
                    ("column", .optional(facts.column)), ("failed", .integer(facts.rule.failed)),
                    ("warned", .integer(facts.rule.warned)), ("undecided", .integer(facts.rule.undecided)),
                ])
            ),
        ])
    }

    /// Notifications about results beyond the limit and about problems of the run.
    private var notifications: [JSONValue] {
        var texts: [(level: String, text: String)] = []
        let listed = min(knownFindings.count, Self.maxResults)
        if listed < result.findings {
            texts.append(
                ("note", "Only the first \(grouped(listed)) of \(plural(result.findings, "finding")) are listed."))
        }
        if inputChanged { texts.append(("warning", "The input changed while it was read.")) }
        for rule in result.tableRules where rule.verdict != .pass {
            texts.append((rule.isViolated ? "error" : "warning", TableRuleText(rule).warning))
        }
        for threshold in result.thresholds where threshold.isExceeded {
            texts.append(("error", ThresholdText(threshold).warning))
        }
        return texts.map { .object([("level", .string($0.level)), ("message", message($0.text))]) }
    }

    private func results(_ facts: ReportFacts) -> [JSONValue] {
        var places: [ByteEqualString: [Int]] = [:]
        for (index, rule) in facts.rules.enumerated() { places[ByteEqualString(rule.id), default: []].append(index) }
        var fingerprint = Fingerprint()
        return knownFindings.prefix(Self.maxResults).map { finding in
            let candidates = places[ByteEqualString(finding.rule)] ?? []
            let rule = candidates.first { areByteEqual(facts.rules[$0].column, finding.column) } ?? candidates.first
            let mark = fingerprint.of(
                file: finding.input ?? input, rule: finding.rule, column: finding.column, record: finding.record)
            return value(finding, rule: rule, fingerprint: mark)
        }
    }

    private func value(_ finding: Finding, rule: Int?, fingerprint: String) -> JSONValue {
        let file = finding.input ?? input
        let index = inputs.firstIndex { ByteEqualString($0) == ByteEqualString(file) }
        let artifact = ArtifactURI(file).members + (index.map { [("index", JSONValue.integer($0))] } ?? [])
        let region: [(String, JSONValue)] = [
            ("startLine", .integer(finding.line)), ("startColumn", .integer(finding.character ?? 1)),
        ]
        var location: [(String, JSONValue)] = [
            ("physicalLocation", .object([("artifactLocation", .object(artifact)), ("region", .object(region))]))
        ]
        if let column = finding.column {
            location.append(
                ("logicalLocations", .array([.object([("name", .string(column)), ("kind", .string("column"))])])))
        }
        return .object([
            ("ruleId", .string(finding.rule)), ("ruleIndex", .integer(rule ?? -1)),
            ("level", .string(level(finding.severity))),
            ("message", message("\(finding.column.map { "\($0) " } ?? "The record ")\(finding.message).")),
            ("locations", .array([.object(location)])),
            ("partialFingerprints", .object([("assayPlace/v1", .string(fingerprint))])),
            ("properties", .object([("record", .integer(finding.record)), ("offset", .integer(finding.offset))])),
        ])
    }

    private func level(_ severity: Severity) -> String { severity == .reject ? "error" : "warning" }

    /// Returns the text of a message without links or placeholders (sections 3.11.5 and 3.11.6).
    ///
    /// A bracket that would end a link text is escaped. The backslashes before it are doubled, because they would
    /// otherwise escape the inserted backslash. Other backslashes are literal.
    private func message(_ text: String) -> JSONValue {
        var escaped = ""
        for scalar in printable(text).unicodeScalars {
            if scalar == "(" && escaped.unicodeScalars.last == "]" {
                escaped.unicodeScalars.removeLast()
                let backslashes = escaped.unicodeScalars.reversed().prefix { $0 == "\\" }.count
                escaped += String(repeating: "\\", count: backslashes + 1) + "]"
            }
            escaped.unicodeScalars.append(scalar)
            if scalar == "{" || scalar == "}" { escaped.unicodeScalars.append(scalar) }
        }
        return .object([("text", .string(escaped))])
    }
}
