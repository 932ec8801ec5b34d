internal import Assay

extension RuleReader {
    /// Reads the constraints of Table Schema. Each becomes a rule, in the order in which they are reported.
    mutating func constraints(_ node: YAMLNode, _ context: FieldContext, categories: Rule?, into field: inout Field) {
        guard let entries = entries(node, "a mapping of constraints", .constraints, suggestion: constraintsAdvice(node))
        else {
            if let categories { field.rules = [categories] }
            return
        }
        if let node = entries["required"] {
            field.isRequired = bool(node) ?? false
            if field.isRequired { ids[ByteEqualString("\(context.name).required")] = node.range }
        }
        if let node = entries["unique"], let isUnique = bool(node), isUnique, let place = entries.keyRange("unique") {
            if let type = context.type, type.hasMembers {
                refuseKey(of: type, at: place)
            } else if countRule(at: place), take("\(context.name).unique", at: place, isWritten: false) {
                uniqueFields.append(context.name)
            }
        }
        field.sorted = sortOrder(entries, context)
        lengths(entries, context, into: &field)
        if let node = entries["pattern"], let check = pattern(node, options: []) {
            append("pattern", check, entries, context, into: &field)
        }
        if let node = entries["enum"], let check = enumeration(node, as: context.type) {
            append("enum", check, entries, context, into: &field)
            checkSubset(node, check, of: categories)
        }
        if let categories { field.rules.append(categories) }
        let bounds = self.bounds(entries, as: context.type, hasType: context.hasType)
        for (key, check) in bounds { append(key, check, entries, context, into: &field) }
    }

    /// Reads `sorted` and `strict`.
    private mutating func sortOrder(_ entries: Entries, _ context: FieldContext) -> SortOrder? {
        let isStrict = entries["strict"].flatMap { bool($0) } ?? false
        guard let node = entries["sorted"], let place = entries.keyRange("sorted") else {
            if let place = entries.keyRange("strict") {
                complain(at: place, "'strict' without 'sorted'", "write {sorted: ascending, strict: true}")
            }
            return nil
        }
        let names = SortOrder.Direction.allCases.map(\.rawValue)
        guard let direction = choice(node, "an order", from: names).flatMap(SortOrder.Direction.init) else {
            return nil
        }
        if let type = context.type, !type.isSortable {
            complain(
                at: place, "'sorted' is for texts, \(ValueType.Kind.ordered.inWords), and this is \(type.kind.inWords)")
        } else if countRule(at: place), take("\(context.name).sorted", at: place, isWritten: false) {
            return SortOrder(direction, isStrict: isStrict)
        }
        return nil
    }

    private func constraintsAdvice(_ node: YAMLNode) -> String? {
        if case .sequence = node.content { return "write constraints: {required: true}; lists belong under 'rules'" }
        return nil
    }

    private mutating func append(
        _ key: String, _ check: Check, _ entries: Entries, _ context: FieldContext, into field: inout Field
    ) {
        let place = entries.keyRange(key) ?? entries.range
        guard countRule(at: place), let rule = rule(place, context, code: key, check) else { return }
        field.rules.append(rule)
    }

    private mutating func lengths(_ entries: Entries, _ context: FieldContext, into field: inout Field) {
        guard let (min, max, unit) = lengthBounds(entries, context) else { return }
        if let type = context.type, type.hasMembers {
            if let min { append("minLength", .count(min: min, max: nil, as: type), entries, context, into: &field) }
            if let max { append("maxLength", .count(min: nil, max: max, as: type), entries, context, into: &field) }
            return
        }
        if let min { append("minLength", .length(min: min, max: nil, in: unit), entries, context, into: &field) }
        if let max { append("maxLength", .length(min: nil, max: max, in: unit), entries, context, into: &field) }
    }

    /// Checks that the values of `enum` are among the `categories`, as Table Schema requires.
    private mutating func checkSubset(_ node: YAMLNode, _ check: Check, of categories: Rule?) {
        guard case .sequence(let nodes) = node.content, case .oneOf(let values, _) = check,
            let categories, let compiled = try? CompiledCheck(categories.check)
        else { return }
        for (value, node) in zip(values, nodes) where compiled.verdict(of: value) == .fail {
            complain(at: node, "\(value.quoted) is not one of the 'categories'")
        }
    }
}

// MARK: - Shared by constraints and rules

extension RuleReader {
    /// Counts a rule or a check inside a rule. Reports a mistake once if the limit is exceeded.
    mutating func countRule(at place: Range<Int>) -> Bool {
        ruleCount += 1
        if ruleCount == limits.rules + 1 {
            complain(at: place, "more than \(limits.rules) rules", .raise("rules", to: nil))
        }
        return ruleCount <= limits.rules
    }

    /// Reads `minLength`, `maxLength` and their unit. Returns `nil` if both are absent or one is invalid.
    mutating func lengthBounds(
        _ entries: Entries, _ context: FieldContext
    ) -> (min: Int?, max: Int?, unit: LengthUnit)? {
        var unit = context.unit
        var isRight = true
        if let type = context.type, type.hasMembers, let place = entries.keyRange("lengthUnit") {
            complain(
                at: place, "'lengthUnit' is for texts, and this is \(type.kind.inWords)",
                "remove it: \(type.kind == .object ? "members" : "items") are counted")
            return nil
        }
        if let node = entries["lengthUnit"] {
            if let own = lengthUnit(node) { unit = own } else { isRight = false }
            if entries["minLength"] == nil && entries["maxLength"] == nil {
                complain(at: entries.keyRange("lengthUnit")!, "'lengthUnit' without 'minLength' or 'maxLength'")
            }
        }
        let (low, high) = (entries["minLength"], entries["maxLength"])
        let (min, max) = (low.flatMap { count($0) }, high.flatMap { count($0) })
        if let min, let max, min > max, let high {
            complain(at: high, "the maxLength \(max) is less than the minLength \(min)", "no text could pass")
            isRight = false
        }
        // If one bound is invalid, the other still makes a rule, so that its id is known.
        return isRight && (min != nil || max != nil) ? (min, max, unit) : nil
    }

    /// Reads a pattern that compiles.
    mutating func pattern(_ node: YAMLNode, options: Pattern.Options) -> Check? {
        guard let text = text(node, "a pattern"), takeRanges(of: text, options, at: node.range) else { return nil }
        let check = Check.matches(pattern: text, options: options)
        do {
            let compiled = try CompiledCheck(check, maxPatternBytes: limits.patternBytes)
            guard let pattern = compiled.pattern, takeCode(of: pattern, at: node.range) else { return nil }
            note(ReadPattern(range: node.range, text: text, options: options))
            return check
        } catch {
            noteCompileError(error, at: node, text: text)
            return nil
        }
    }

    mutating func enumeration(_ node: YAMLNode, as type: ValueType?) -> Check? {
        guard let nodes = list(node, "a list of values", suggestion: listAdvice(node)) else { return nil }
        if nodes.isEmpty { complain(at: node, "'enum' is empty: no value could pass") }
        var values: [(String, YAMLNode)] = []
        for node in nodes where !isFull {
            if let value = written(node, as: type) { values.append((value, node)) }
        }
        return values.isEmpty || values.count < nodes.count ? nil : oneOf(values, as: type)
    }

    /// Returns a value of an `enum` in the notation of a cell. Values of lists, arrays and objects may be written as
    /// YAML collections.
    private mutating func written(_ node: YAMLNode, as type: ValueType?) -> String? {
        guard let type, type.hasMembers, !node.isScalar else { return text(node, "a value") }
        if type.kind != .list { return node.jsonText }
        let delimiter = type.delimiter ?? ","
        guard let items = values(node, "items") else { return nil }
        if let item = items.first(where: { $0.contains(bytesOf: delimiter) }) {
            complain(
                at: node, "the item \(item.quoted) contains the delimiter of the list, so it would be read as two items"
            )
            return nil
        }
        return items.joined(separator: delimiter)
    }

    /// Returns a check against a set of values. Each must be a value of the type.
    mutating func oneOf(_ values: [(text: String, node: YAMLNode)], as type: ValueType?) -> Check? {
        guard let type else { return nil }
        let texts = values.map { literal($0.text, $0.node, of: type) }
        do {
            let check = Check.oneOf(texts, as: type)
            _ = try CompiledCheck(check)
            return check
        } catch {
            // The engine stops at the first invalid value; report the others as well.
            var first = 0
            if case .value(let index) = error.part { first = index }
            for (text, value) in zip(texts, values).dropFirst(first) where !isFull {
                do {
                    _ = try CompiledCheck(.oneOf([text], as: type))
                } catch {
                    complain(at: value.node, failureReason(of: text, as: type, error), formAdvice(type))
                }
            }
            return nil
        }
    }

    /// Returns the checks for the bounds, each with its key, such as `minimum`.
    mutating func bounds(
        _ entries: Entries, as type: ValueType?, hasType: Bool, isRule: Bool = false
    ) -> [(key: String, check: Check)] {
        let keys = entries.present(["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"])
        guard let type, !keys.isEmpty else { return [] }
        guard ValueType.Kind.ordered.contains(type.kind) else {
            for key in keys {
                let advice =
                    switch (hasType, isRule) {
                    case (true, _):
                        type.kind == .string
                            ? "the length of a text is 'minLength' and 'maxLength'"
                            : type.hasMembers ? "'minLength' and 'maxLength' count its members" : nil
                    // In a rule, `type` would be a separate check.
                    case (false, true): "add the type of the value, such as as: integer"
                    case (false, false): "give it a type, such as type: integer"
                    }
                complain(
                    at: entries.keyRange(key)!,
                    "'\(key)' is for \(ValueType.Kind.ordered.inWords), and this is \(type.kind.inWords)", advice)
            }
            return []
        }
        var bounds: [(key: String, check: Check)] = []
        var ends: [(key: String, bound: Bound)] = []
        for key in keys {
            guard let node = entries[key], let text = text(node, "a value") else { continue }
            let bound = Bound(literal(text, node, of: type), isExclusive: key.hasPrefix("exclusive"))
            let check = Check.range(
                min: key.hasSuffix("inimum") ? bound : nil, max: key.hasSuffix("aximum") ? bound : nil, as: type)
            do {
                _ = try CompiledCheck(check)
                bounds.append((key, check))
                ends.append((key, bound))
            } catch {
                complain(
                    at: node, failureReason(of: bound.text, as: type, error),
                    todayAdvice(bound.text, key, type) ?? formAdvice(type))
            }
        }
        checkOrder(ends, type, entries)
        return bounds
    }

    /// Returns advice for a bound that refers to the day of the run.
    private func todayAdvice(_ text: String, _ key: String, _ type: ValueType) -> String? {
        guard type.kind == .date, ["today", "now"].contains(text.lowercased()) else { return nil }
        let side = key.hasSuffix("aximum") ? "past" : "future"
        return "write in its place rules: [{type: string, format: date \(side)}]"
    }

    /// Returns the reason why a check refuses a value: the value is not of the type, or the engine's message.
    private func failureReason(of text: String, as type: ValueType, _ error: CompileError) -> String {
        let isOfType = (try? CompiledCheck(.type(type)))?.verdict(of: text) == .pass
        return isOfType ? error.message : "\(text.quoted) is not \(type.kind.inWords)"
    }

    /// Reports a mistake if no value can meet both bounds.
    private mutating func checkOrder(_ ends: [(key: String, bound: Bound)], _ type: ValueType, _ entries: Entries) {
        for low in ends where low.key.hasSuffix("inimum") {
            for high in ends where high.key.hasSuffix("aximum") {
                do {
                    _ = try CompiledCheck(.range(min: low.bound, max: high.bound, as: type))
                    let above = try CompiledCheck(.range(min: low.bound, max: nil, as: type))
                    let below = try CompiledCheck(.range(min: nil, max: high.bound, as: type))
                    var fails =
                        above.verdict(of: high.bound.text) == .fail || below.verdict(of: low.bound.text) == .fail
                    // For types with discrete values, the first value above the lower bound may already be too large.
                    if low.bound.isExclusive, let next = type.value(after: low.bound.text) {
                        fails = fails || below.verdict(of: next) == .fail
                    }
                    if fails {
                        complain(
                            at: entries[high.key]!,
                            "no value is between \(low.bound.text.quoted) and \(high.bound.text.quoted)",
                            "'\(low.key)' and '\(high.key)' contradict each other")
                    }
                } catch {
                    complain(at: entries[high.key]!, error.message)
                }
            }
        }
    }

    /// Returns a value in the notation that cells of the column use.
    ///
    /// Table Schema allows values in the form of JSON (`1.5`, `true`) or of the column (`"1,5"`, `"yes"`). JSON values
    /// are translated:
    ///
    ///     {type: number, decimalChar: ",", constraints: {minimum: 1.5}}        1,5
    ///     {type: boolean, trueValues: [yes], constraints: {enum: [true]}}      yes
    ///
    /// A text that JSON and the column read as different numbers is refused: `1.000` if the point is the groupChar.
    mutating func literal(_ text: String, _ node: YAMLNode, of type: ValueType) -> String {
        guard case .scalar(_, .plain) = node.content else { return text }
        if type.groupChar == ".", text.isJSONNumber, let point = text.utf8.firstIndex(of: UInt8(ascii: ".")),
            type.kind == .integer || text.utf8[point...].count == 4
        {
            complain(
                at: node, "the point in \(text) may separate groups of digits, or a fraction",
                "write it in quotes, as the column has it: '\(text)' is \(text.replacingEach(".", by: ""))")
        }
        if type.kind == .number, let decimal = type.decimalChar, text.isJSONNumber {
            return text.map { $0 == "." ? decimal : String($0) }.joined()
        }
        if type.kind == .boolean, !(type.trueValues ?? []).contains(text), !(type.falseValues ?? []).contains(text) {
            if text == "true", let spelling = type.trueValues?.first { return spelling }
            if text == "false", let spelling = type.falseValues?.first { return spelling }
        }
        return text
    }

    /// Returns advice on the form of a type's values.
    func formAdvice(_ type: ValueType) -> String? {
        switch (type.kind, type.format) {
        case (.date, nil): "write it as 2024-01-31"
        case (.time, nil): "write it as 13:45:00"
        case (.datetime, nil): "write it as 2024-01-31T13:45:00Z"
        case (.year, _): "write it as 2024"
        case (.yearmonth, _): "write it as 2024-01"
        case (.duration, _): "write it as P1Y2M or PT36H"
        case (.array, _): #"write it as JSON: '["a", "b"]'"#
        case (.object, _): #"write it as JSON: '{"a": 1}'"#
        case (.date, let format?), (.time, let format?), (.datetime, let format?):
            "write it as the column does: \(format.quoted)"
        default: nil
        }
    }
}

extension String {
    /// RFC 8259, section 6.
    var isJSONNumber: Bool {
        var rest = utf8[...]
        func digits() -> Int {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        if digits() == 0 { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            if digits() == 0 { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
