internal import Assay

extension RuleReader {
    /// Reads a type with its properties from the keys of a field or a check. Without `type`, it is a string.
    ///
    /// - Parameter isField: Whether a format without a type implies a string. A check must name both.
    /// - Returns: `nil` if the type is invalid, so that its values cannot be checked.
    mutating func valueType(_ entries: Entries, isField: Bool = false) -> ValueType? {
        var kind = ValueType.Kind.string
        if let node = entries["type"] {
            guard let named = self.kind(node, isField: isField) else { return nil }
            kind = named
        }
        let before = mistakes.count
        var type = ValueType(kind)
        refuseForeign(entries, of: kind)
        if let node = entries["format"] { type.format = format(node, of: kind) }
        if let node = entries["decimalChar"] { type.decimalChar = separator(node, "decimalChar") }
        // Tools that write all defaults use an empty groupChar for a type without group separators.
        if let node = entries["groupChar"], node.scalarText != "" || node.isNull {
            type.groupChar = separator(node, "groupChar")
        }
        if let node = entries["bareNumber"] { type.isBareNumber = bool(node) ?? true }
        if let node = entries["trueValues"] { type.trueValues = spellings(node) }
        if let node = entries["falseValues"] { type.falseValues = spellings(node) }
        if let node = entries["itemType"] { type.itemType = itemType(node) }
        if let node = entries["delimiter"] { type.delimiter = delimiter(node) }
        if let one = type.trueValues, let node = entries["falseValues"], let other = type.falseValues,
            let both = one.first(where: { text in other.contains { ByteEqualString($0) == ByteEqualString(text) } })
        {
            complain(at: node, "\(both.quoted) means both true and false")
        }
        if kind == .number, let node = entries["groupChar"], let group = type.groupChar,
            group == type.decimalChar ?? "."
        {
            complain(
                at: node, "the decimalChar and the groupChar are the same",
                type.decimalChar == nil ? "write decimalChar too: its default is '.'" : nil)
        }
        guard mistakes.count == before else { return nil }
        return compiles(type, entries) ? type : nil
    }

    private mutating func kind(_ node: YAMLNode, isField: Bool) -> ValueType.Kind? {
        let listing = "known are \(ValueType.Kind.allCases.map(\.rawValue).joined(separator: ", "))"
        guard let word = text(node, "a type", ifEmpty: listing) else { return nil }
        if let kind = ValueType.Kind(rawValue: word) { return kind }
        switch word {
        case "geopoint", "geojson":
            complain(at: node, "the type '\(word)' is not supported yet", "type: any accepts every text")
        case _ where Self.otherNames[word.lowercased()] == nil && BuiltInType.named(word) != nil:
            complain(
                at: node, "\(word.quoted) is a format of strings",
                isField ? "write format: \(word)" : "write {type: string, format: \(word)}")
        default:
            let names = ValueType.Kind.allCases.map(\.rawValue)
            let advice = Self.otherNames[word.lowercased()] ?? closestName(to: word, among: names)
            complain(
                at: node, "unknown type \(word.quoted)",
                advice.map { "did you mean '\($0)'?" } ?? listing)
        }
        return nil
    }

    /// Names of our types in other languages.
    private static let otherNames = [
        "int": "integer", "bigint": "integer", "long": "integer", "str": "string", "text": "string",
        "varchar": "string",
        "char": "string", "float": "number", "double": "number", "decimal": "number", "numeric": "number",
        "real": "number", "bool": "boolean", "timestamp": "datetime", "date-time": "datetime", "interval": "duration",
    ]

    /// Reports properties that belong to other types.
    private mutating func refuseForeign(_ entries: Entries, of kind: ValueType.Kind) {
        let owners: [(key: String, kinds: [ValueType.Kind])] = [
            ("bareNumber", [.integer, .number]), ("decimalChar", [.number]), ("groupChar", [.integer, .number]),
            ("trueValues", [.boolean]), ("falseValues", [.boolean]), ("itemType", [.list]), ("delimiter", [.list]),
        ]
        for (key, kinds) in owners where !kinds.contains(kind) {
            guard let range = entries.keyRange(key) else { continue }
            complain(
                at: range, "'\(key)' is for \(kinds.inWords), and this is \(kind.inWords)",
                entries["type"] == nil ? "write type: \(kinds.last!.rawValue)" : nil)
        }
    }

    private mutating func format(_ node: YAMLNode, of kind: ValueType.Kind) -> String? {
        let advice =
            switch kind {
            case .string: "assay types lists them all"
            case .date, .time, .datetime: "write how it is written, such as '%d/%m/%Y'"
            case .any, .integer, .number, .boolean, .year, .yearmonth, .duration, .list, .array, .object: "remove it"
            }
        if case .sequence(let nodes) = node.content {
            let formats = nodes.compactMap(\.scalarText).prefix(4).map(\.quoted).joined(separator: ", ")
            complain(
                at: node, "expected a format, found \(node.kindInWords)",
                [.date, .time, .datetime].contains(kind)
                    ? "values of several formats become one by repair: [{canonical: {from: [\(formats)]}}]"
                    : "one of several is a rule: rules: [{any: [{type: string, format: …}, …]}]")
            return nil
        }
        guard var format = text(node, "a format", ifEmpty: advice) else { return nil }
        // Table Schema v0 wrote "fmt:%d/%m/%Y", and readers must still accept it.
        if format.hasPrefix("fmt:") { format.removeFirst(4) }
        if format == "default" { return nil }
        switch kind {
        case .string:
            if BuiltInType.named(format) == nil {
                let name = String(format.prefix { $0 != " " })
                let near = closestName(to: name, among: BuiltInType.all.map(\.name)).map { "did you mean '\($0)'?" }
                complain(
                    at: node, "unknown format \(format.quoted) of a string",
                    format.contains("%")
                        ? "a format with % needs type: date, type: time or type: datetime" : near ?? advice)
            }
        case .date, .time, .datetime:
            if format == "any" {
                complain(at: node, "the format 'any' is not supported yet", advice)
            } else if !format.contains("%") {
                complain(
                    at: node, "unknown format \(format.quoted) of \(kind.inWords)",
                    "write it with percent signs, such as '%d/%m/%Y'")
            }
        case .any where format == "json": break
        case .any, .integer, .number, .boolean, .year, .yearmonth, .duration, .list, .array, .object:
            complain(
                at: node, "the type '\(kind.rawValue)' has no format \(format.quoted)",
                BuiltInType.named(format) != nil ? "it is a format of strings" : advice)
        }
        return format
    }

    mutating func separator(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = text(node, "a \(key)", ifEmpty: "remove it to have the default") else { return nil }
        let isBad = text.unicodeScalars.contains { ("0"..."9").contains($0) || "+-eE".unicodeScalars.contains($0) }
        if text.isEmpty || text.utf8.count > 16 || isBad {
            complain(
                at: node, "a \(key) is a short text without digits, signs and the letter e, found \(node.kindInWords)")
            return nil
        }
        return text
    }

    /// Reads the type of the items of a list.
    private mutating func itemType(_ node: YAMLNode) -> ValueType.Kind? {
        choice(node, "an itemType", from: ValueType.itemKinds.map(\.rawValue)).flatMap(ValueType.Kind.init)
    }

    private mutating func delimiter(_ node: YAMLNode) -> String? {
        guard let text = text(node, "a delimiter", ifEmpty: "remove it to have a comma") else { return nil }
        if !text.isEmpty && text.utf8.count <= 16 { return text }
        complain(at: node, "a delimiter is a text of 1 to 16 bytes, found \(node.kindInWords)")
        return nil
    }

    private mutating func spellings(_ node: YAMLNode) -> [String]? {
        guard let values = values(node, "texts") else { return nil }
        if values.isEmpty { complain(at: node, "the list is empty", "remove it to have the default") }
        return values
    }

    /// Compiles the type. Reports an error at the key that caused it.
    private mutating func compiles(_ type: ValueType, _ entries: Entries) -> Bool {
        do {
            _ = try CompiledCheck(.type(type))
            return true
        } catch {
            if error.part == .format, let node = entries["format"], let text = type.format {
                // The prefix "fmt:" is in the source, not in the text.
                let isPrefixed = node.scalarText?.hasPrefix("fmt:") ?? false
                noteCompileError(error, at: node, text: text, shift: isPrefixed ? 4 : 0)
            } else {
                let keys = [
                    "itemType", "delimiter", "decimalChar", "groupChar", "trueValues", "falseValues", "format", "type",
                ]
                let node = keys.lazy.compactMap { entries[$0] }.first
                complain(at: node?.range ?? entries.range, error.description)
            }
            return false
        }
    }

    /// Reports a compile error of a text, and points into the text if the source allows it.
    mutating func noteCompileError(_ error: CompileError, at node: YAMLNode, text: String, shift: Int = 0) {
        var mistake = Mistake(range: node.range, message: error.description, suggestion: nil)
        if let offset = error.offset {
            if let place = source.offset(ofByte: offset + shift, in: node) {
                mistake.range = place..<place
            } else {
                mistake.excerpt = Mistake.Excerpt(text: text, offset: offset)
            }
        }
        note(mistake)
    }
}

extension YAMLNode {
    var scalarText: String? {
        if case .scalar(let text, _) = content { return text }
        return nil
    }
}

extension SourceText {
    /// Returns the place in the source of a byte of a scalar's text. Returns `nil` unless the text up to there is on
    /// one line without escapes. `''` for a quote is supported.
    func offset(ofByte offset: Int, in node: YAMLNode) -> Int? {
        guard case .scalar(let text, let style) = node.content, style != .block else { return nil }
        var place = node.range.lowerBound + (style == .plain ? 0 : 1)
        for (index, byte) in text.utf8.enumerated() {
            if index == offset { break }
            guard place < node.range.upperBound, bytes[place] == byte, byte != UInt8(ascii: "\n") else { return nil }
            let isDoubled = style == .singleQuoted && byte == UInt8(ascii: "'")
            place += isDoubled ? 2 : 1
        }
        // An escape at this place is the correct place for the error.
        return place <= node.range.upperBound && offset <= text.utf8.count ? place : nil
    }
}

extension ValueType.Kind {
    /// The name with its article.
    var inWords: String {
        switch self {
        case .any: "any text"
        default: withArticle
        }
    }

    /// The types that have a minimum and a maximum. Source: Table Schema v2, `minimum`.
    static let ordered: [ValueType.Kind] = [
        .integer, .number, .date, .time, .datetime, .year, .yearmonth, .duration,
    ]
}

extension [ValueType.Kind] {
    /// `integer, number and date`
    var inWords: String {
        let names = map(\.rawValue)
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
    }
}
