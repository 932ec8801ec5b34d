internal import Assay

extension RuleReader {
    /// Reads the repairs of a field, in order. Compiles them to report mistakes at their places.
    ///
    /// - Parameters:
    ///   - type: The type of the field; `nil` if it is invalid and therefore has no canonical form.
    ///   - missing: The texts that mean a missing value in the field.
    mutating func repairs(_ node: YAMLNode, of type: ValueType?, missing: [String]) -> [Repair] {
        guard let nodes = list(node, "a list of repairs", suggestion: listAdvice(node) ?? Self.repairAdvice) else {
            return []
        }
        var read: [(repair: Repair, node: YAMLNode)] = []
        for node in nodes where !isFull {
            guard let repair = repair(node, of: type, missing: missing) else { continue }
            read.append((repair, node))
        }
        if read.count > Repair.maxCount {
            complain(at: read[Repair.maxCount].node, "a field has at most \(Repair.maxCount) repairs")
            return []
        }
        var compiled: CompiledRepairs?
        if read.count == nodes.count, let type {
            do {
                compiled = try CompiledRepairs(
                    placing: read.map(\.repair), of: type, missingValues: missing, maxPatternBytes: limits.patternBytes)
            } catch {
                noteRepairError(error.error, read[min(error.index, read.count - 1)], of: type)
            }
        }
        var isRight = true
        for one in read {
            // A single repair has just been compiled.
            if isUnsettled(one, in: read.count == 1 ? compiled : nil) { isRight = false }
        }
        return isRight ? compiled?.description ?? [] : []
    }

    private static let repairAdvice = "write [trim, {missing: [N/A, '-']}]"

    private mutating func repair(_ node: YAMLNode, of type: ValueType?, missing: [String]) -> Repair? {
        if case .scalar = node.content {
            guard let word = text(node, "a repair", ifEmpty: Self.repairAdvice) else { return nil }
            if let repair = Repair.words.first(where: { $0.name == word }) { return repair }
            noteUnknownRepair(word, at: node)
            return nil
        }
        guard let entries = entries(node, "a repair such as trim", .repair) else { return nil }
        let found = entries.present(Self.repairKeys)
        guard let key = found.first, let node = entries[key] else {
            if !entries.hasStrangers {
                complain(
                    at: entries.range,
                    entries["with"] == nil ? "there is no repair here" : "'with' without 'replace'",
                    entries["with"] == nil ? Self.repairAdvice : "write {replace: PATTERN, with: TEXT}")
            }
            return nil
        }
        if let other = found.dropFirst().first ?? (key == "replace" ? nil : entries.present(["with"]).first) {
            complain(
                at: entries.keyRange(other)!,
                "a repair has one of these keys, and this one has both '\(key)' and '\(other)'",
                "write [{\(key): …}, {\(other): …}]")
            return nil
        }
        switch key {
        case "missing": return missingWords(node, missing: missing)
        case "replace": return replacement(node, entries)
        case "map": return mapping(node)
        case "default": return defaultText(node, missing: missing)
        default: return canonical(node, of: type)
        }
    }

    private static let repairKeys = ["missing", "replace", "map", "default", "canonical"]

    /// Reports an unknown repair, with a similar name or with the full form of a repair that takes options.
    private mutating func noteUnknownRepair(_ word: String, at node: YAMLNode) {
        let advice = [
            "missing": "write {missing: [N/A, '-']}", "replace": "write {replace: PATTERN, with: TEXT}",
            "map": "write {map: {from: to}}", "default": "write {default: TEXT}",
            "strip": "did you mean 'trim'?", "lowercase": "did you mean 'lower'?", "uppercase": "did you mean 'upper'?",
        ]
        if let advice = advice[word] {
            complain(at: node, "\(word.quoted) is not a complete repair", advice)
            return
        }
        let names = Repair.words.map(\.name)
        complain(
            at: node, "unknown repair \(word.quoted)",
            closestName(to: word, among: names + Self.repairKeys).map { "did you mean '\($0)'?" }
                ?? "known are \((names + Self.repairKeys.dropLast()).joined(separator: ", "))")
    }

    /// Returns the text of a node. An unquoted `null` counts as the text 'null'.
    private mutating func word(_ node: YAMLNode, _ what: String) -> String? {
        if node.isNull, let text = node.scalarText, !text.isEmpty { return text }
        return text(node, what, ifEmpty: "write '' for the empty text")
    }

    private mutating func missingWords(_ node: YAMLNode, missing: [String]) -> Repair? {
        guard let nodes = list(node, "a list of words", suggestion: listAdvice(node)) else { return nil }
        if nodes.isEmpty {
            complain(at: node, "the list is empty", "write the words that mean 'no value', such as [N/A, '-']")
            return nil
        }
        let words = nodes.compactMap { word($0, "a word") }
        guard words.count == nodes.count else { return nil }
        if !missing.contains("") {
            complain(
                at: node, "'missing' makes values empty, but missingValues does not include the empty text",
                "add '' to missingValues")
            return nil
        }
        return .missing(words)
    }

    private mutating func replacement(_ node: YAMLNode, _ entries: Entries) -> Repair? {
        guard let pattern = text(node, "a pattern"), takeRanges(of: pattern, .search, at: node.range) else {
            return nil
        }
        // Only repetitions such as `{1,500}` make the compiled code larger than the pattern's text, so other patterns
        // need no check of the code size.
        if pattern.contains(bytesOf: "{"), let compiled = try? Pattern(pattern, options: .search),
            !takeCode(of: compiled, at: node.range)
        {
            return nil
        }
        note(ReadPattern(range: node.range, text: pattern, options: .search, engine: .jit))
        guard let node = entries["with"] else {
            if !entries.meant.contains("with") {
                complain(at: entries.range, "'replace' without 'with'", "write {replace: …, with: ''} to remove it")
            }
            return nil
        }
        guard let with = word(node, "a text") else { return nil }
        return .replace(pattern: pattern, with: with)
    }

    /// Reports a mistake and returns true if the pattern of a replacement matches the text that it inserts.
    ///
    /// - Parameter compiled: The compiled repair; `nil` compiles it here.
    private mutating func isUnsettled(_ read: (repair: Repair, node: YAMLNode), in compiled: CompiledRepairs?) -> Bool {
        guard case .replace(_, let with) = read.repair, !with.contains(bytesOf: "$"),
            let compiled = compiled
                ?? (try? CompiledRepairs([read.repair], maxPatternBytes: limits.patternBytes)),
            compiled.isUnsettled(with), case .mapping(let entries) = read.node.content,
            let node = entries.first(where: { $0.key == "with" })?.value
        else { return false }
        complain(
            at: node, "the replacement would be replaced again",
            "a repeated repair must not change the value")
        return true
    }

    private mutating func mapping(_ node: YAMLNode) -> Repair? {
        guard case .mapping(let list) = node.content else {
            complain(at: node, "expected a mapping such as {m: male}, found \(node.kindInWords)")
            return nil
        }
        if list.isEmpty {
            complain(at: node, "the mapping is empty")
            return nil
        }
        var mapping = Repair.Mapping([])
        var isRight = true
        for entry in list {
            guard let to = word(entry.value, "what \(entry.key.quoted) becomes") else {
                isRight = false
                continue
            }
            mapping.entries.append(Repair.Mapping.Entry(from: entry.key, to: to))
        }
        let keys = Dictionary(
            mapping.entries.map { (ByteEqualString($0.from), $0.to) }, uniquingKeysWith: { first, _ in first })
        for (index, entry) in mapping.entries.enumerated() where isRight {
            guard let next = keys[ByteEqualString(entry.to)], ByteEqualString(next) != ByteEqualString(entry.to) else {
                continue
            }
            complain(
                at: list[index].value,
                "\(entry.from.quoted) becomes \(entry.to.quoted), which becomes \(next.quoted): repairing again would "
                    + "change it",
                "write \(entry.from.visible): \(next.visible)")
            isRight = false
        }
        return isRight ? .map(mapping) : nil
    }

    private mutating func defaultText(_ node: YAMLNode, missing: [String]) -> Repair? {
        guard let text = word(node, "a text") else { return nil }
        if missing.contains(where: { ByteEqualString($0) == ByteEqualString(text) }) {
            complain(at: node, "the default \(text.quoted) means that there is no value", "remove it, or write another")
            return nil
        }
        return .default(text)
    }

    private mutating func canonical(_ node: YAMLNode, of type: ValueType?) -> Repair? {
        let advice = node.scalarText.flatMap { text in
            text.contains("%")
                ? "write {canonical: {from: [\(text.quoted)]}}"
                : text.utf8.count == 2 ? "write {canonical: {region: \(text.uppercased().visible)}}" : nil
        }
        guard !node.isNull,
            let entries = entries(node, "options such as {region: GB}", .canonical, suggestion: advice)
        else {
            if node.isNull { complain(at: node, "expected options, found no value", "write canonical alone") }
            return nil
        }
        let before = mistakes.count
        var options = Repair.CanonicalOptions()
        if let node = entries["from"], let formats = canonicalFormats(node, of: type) { options.from = formats }
        if let node = entries["region"] { options.region = text(node, "a region such as GB") }
        if let node = entries["decimalChar"] { options.decimalChar = separator(node, "decimalChar") }
        if let node = entries["groupChar"] { options.groupChar = separator(node, "groupChar") }
        return mistakes.count == before ? .canonical(options) : nil
    }

    /// Reads the formats of dates and times in the input.
    private mutating func canonicalFormats(_ node: YAMLNode, of type: ValueType?) -> [String]? {
        guard let nodes = list(node, "a list of formats", suggestion: listAdvice(node)) else { return nil }
        guard let kind = type?.kindOfTime else {
            if type != nil {
                complain(at: node, "'from' is for dates and times", "remove it, or write the type of the field")
            }
            return nil
        }
        var formats: [String] = []
        for node in nodes {
            guard let format = text(node, "a format such as '%d.%m.%Y'") else { continue }
            do {
                _ = try CompiledCheck(.type(ValueType(kind, format: format)))
                formats.append(format)
            } catch {
                noteCompileError(error, at: node, text: format)
            }
        }
        return formats.count == nodes.count ? formats : nil
    }

    /// Returns advice for a type without a canonical form, or with a format of its own.
    private func canonicalAdvice(_ type: ValueType) -> String? {
        switch type.kind {
        case .any, .string: type.format == nil ? "write the format of the field, such as format: email" : nil
        case .date, .time, .datetime:
            type.format.map { "write {canonical: {from: ['\($0)']}}, and remove the format" }
        case .number:
            type.decimalChar.map { "write {canonical: {decimalChar: '\($0)'}}, and remove it from the field" }
        case .integer, .boolean, .year, .yearmonth, .duration, .list, .array, .object: nil
        }
    }

    /// Reports an error at the pattern or text of a replacement, or at the repair.
    private mutating func noteRepairError(
        _ error: CompileError, _ read: (repair: Repair, node: YAMLNode), of type: ValueType
    ) {
        guard case .replace(let pattern, let with) = read.repair, case .mapping(let entries) = read.node.content else {
            complain(at: read.node, error.message, canonicalAdvice(type))
            return
        }
        let isPattern = error.part == .pattern
        guard let node = entries.first(where: { $0.key == (isPattern ? "replace" : "with") })?.value else { return }
        noteCompileError(error, at: node, text: isPattern ? pattern : with)
    }
}

extension ValueType {
    /// Whether the type's values are dates, times or datetimes; `nil` for all other types.
    var kindOfTime: Kind? {
        switch (kind, format?.split(separator: " ").first) {
        case (.date, _), (.string, "date"): .date
        case (.time, _), (.string, "time"): .time
        case (.datetime, _), (.string, "date-time"): .datetime
        default: nil
        }
    }
}
