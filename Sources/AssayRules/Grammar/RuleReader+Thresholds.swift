internal import Assay

extension RuleReader {
    /// Reads `thresholds` after all other parts of the file. `file` has the columns and rules that thresholds may name.
    mutating func thresholds(_ entries: Entries, of file: RuleFile) -> Thresholds {
        guard let node = entries["thresholds"], !node.isNull,
            let own = self.entries(node, "a mapping such as {rejected: 1%}", .thresholds)
        else { return Thresholds() }
        var thresholds = Thresholds()
        thresholds.rejected = own["rejected"].flatMap { amount($0) }
        // If a part of the file is invalid, its names are unknown.
        let areKnown = !mistakes.contains { mistake in
            ["fields", "properties", "required", "rows", "primaryKey", "uniqueKeys"].contains { key in
                entries[key]?.range.contains(mistake.range.lowerBound) ?? false
            }
        }
        if let node = own["columns"] {
            let names = file.schema.fields.map(\.name)
            thresholds.columns = named(node, "column", "{email: 0.5%}", among: areKnown ? names : nil)
        }
        if let node = own["rules"] {
            thresholds.rules = named(node, "rule", "{email.format: 100}", among: areKnown ? file.ruleIDs : nil)
        }
        if let node = own["records"] { records(node, &thresholds) }
        return thresholds
    }

    /// Reads amounts by the name of a column or a rule.
    ///
    /// - Parameter names: The valid names; `nil` if not all of the names are known.
    private mutating func named(
        _ node: YAMLNode, _ what: String, _ example: String, among names: [String]?
    ) -> [Thresholds.Named] {
        if node.isNull { return [] }
        guard case .mapping(let list) = node.content else {
            complain(at: node, "expected a mapping of \(what)s such as \(example), found \(node.kindInWords)")
            return []
        }
        let known = names.map { Set($0.map(ByteEqualString.init)) }
        return list.compactMap { entry in
            if isFull { return nil }
            if let names, let known, !known.contains(ByteEqualString(entry.key)) {
                let advice = budget.closestName(to: entry.key, among: names).map { "did you mean \($0.quoted)?" }
                complain(at: entry.keyRange, "there is no \(what) \(entry.key.quoted)", advice ?? listing(names))
            }
            return amount(entry.value).map { Thresholds.Named(name: entry.key, max: $0) }
        }
    }

    /// Returns a list of the first valid names, or `nil` if there are no names.
    private func listing(_ names: [String]) -> String? {
        if names.isEmpty { return nil }
        return "known are \(names.prefix(8).map(\.visible).joined(separator: ", "))\(names.count > 8 ? ", …" : "")"
    }

    /// Reads a count such as `100`, or a share such as `0.5%`.
    private mutating func amount(_ node: YAMLNode) -> Thresholds.Amount? {
        guard case .scalar(let text, _) = node.content, !node.isNull else {
            complain(at: node, "expected a share such as 0.5%, or a number, found \(node.kindInWords)")
            return nil
        }
        if text.hasSuffix("%") {
            if let percent = Self.number(text.dropLast()), (0...100).contains(percent) { return .percent(percent) }
            complain(at: node, "a share is from 0% to 100%, found \(node.kindInWords)")
            return nil
        }
        if text.contains("."), let percent = Self.number(text[...]) {
            let advice = (0...100).contains(percent) ? "write \(text.visible)% for a share of the records" : nil
            complain(at: node, "expected a share such as 0.5%, or a whole number, found \(node.kindInWords)", advice)
            return nil
        }
        return count(node).map { .count($0) }
    }

    /// Parses a decimal number, with or without an exponent.
    private static func number(_ text: Substring) -> Double? {
        text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) } ? Double(text) : nil
    }

    /// Reads `{min: 1000, max: 1000000}`.
    private mutating func records(_ node: YAMLNode, _ thresholds: inout Thresholds) {
        guard !node.isNull, let entries = entries(node, "a mapping such as {min: 1000}", .recordThresholds) else {
            return
        }
        thresholds.minRecords = entries["min"].flatMap { count($0) }
        thresholds.maxRecords = entries["max"].flatMap { count($0) }
        if let min = thresholds.minRecords, let max = thresholds.maxRecords, min > max, let node = entries["max"] {
            complain(at: node, "the max \(max) is less than the min \(min)", "no table could pass")
        }
    }
}
