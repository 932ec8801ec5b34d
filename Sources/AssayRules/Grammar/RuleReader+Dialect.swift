internal import Assay

extension RuleReader {
    /// Reads a Table Dialect. An unsupported property is a mistake that names it, unless it has its default value.
    mutating func dialect(_ node: YAMLNode) -> Dialect? {
        if node.isNull { return nil }
        guard let entries = entries(node, "a mapping such as {delimiter: ';'}", .dialect) else { return nil }
        var dialect = Dialect()
        if let node = entries["delimiter"], let text = text(node, "one or two ASCII characters"),
            !dialect.setDelimiter(text)
        {
            complain(
                at: node,
                text.utf8.contains { $0 == 10 || $0 == 13 }
                    ? "a delimiter cannot end lines"
                    : "a delimiter is one or two ASCII characters, tab or space, found \(node.kindInWords)")
        }
        if let node = entries["quoteChar"] { quoteChar(node, &dialect) }
        if let node = entries["escapeChar"], !node.isNull {
            dialect.escapeChar = text(node, "one ASCII character").flatMap { byte($0, at: node, "an escapeChar") }
        }
        if let node = entries["commentChar"], !node.isNull {
            dialect.commentChar = text(node, "one ASCII character").flatMap { byte($0, at: node, "a commentChar") }
        }
        if let node = entries["skipInitialSpace"], let skips = bool(node) { dialect.skipInitialSpace = skips }
        if let node = entries["skip"], let skip = count(node, "the number of lines above the table") {
            dialect.skip = skip
        }
        if let node = entries["header"], let header = bool(node) { dialect.header = header }
        if let node = entries["headerRows"], !node.isNull { headerRows(node, &dialect) }
        if let node = entries["headerJoin"], let text = text(node, "a text") { dialect.headerJoin = text }
        if let node = entries["extraFields"], let text = text(node, "reject or keep") {
            if let extra = Dialect.ExtraFields(rawValue: text) {
                dialect.extraFields = extra
            } else {
                complain(at: node, "extraFields is reject or keep, found \(node.kindInWords)")
            }
        }
        if let node = entries["blankLines"], let text = text(node, "reject, keep or skip") {
            if let lines = Dialect.BlankLines(rawValue: text) {
                dialect.blankLines = lines
                dialect.rejectsLastBlankLines = lines == .reject
            } else {
                complain(at: node, "blankLines is reject, keep or skip, found \(node.kindInWords)")
            }
        }
        if let node = entries["trailingDelimiter"], let trails = bool(node) { dialect.trailingDelimiter = trails }
        if let node = entries["lineTerminator"], !node.isNull { lineTerminator(node, &dialect) }
        if let node = entries["encoding"], !node.isNull { encoding(node, &dialect) }
        if let node = entries["trustEncoding"], let trusts = bool(node) { dialect.trustEncoding = trusts }
        // `caseSensitiveHeader` is a property of CSV Dialect (v1). It has no effect, because names are always compared
        // exactly.
        if let node = entries["caseSensitiveHeader"] { _ = bool(node) }
        if let conflict = dialect.conflict {
            complain(at: entries["quoteChar"] ?? entries["delimiter"] ?? node, conflict)
        }
        refuse(entries)
        return dialect
    }

    private mutating func headerRows(_ node: YAMLNode, _ dialect: inout Dialect) {
        var rows: [Int] = []
        if case .sequence(let items) = node.content {
            rows = items.compactMap { item in
                if case .scalar(let text, _) = item.content { Int(text) } else { nil }
            }
            if rows.count == items.count, rows.count <= 16, rows.last ?? 0 <= 64, rows.first ?? 1 > 0,
                zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 })
            {
                if rows.isEmpty { dialect.header = false } else { dialect.headerRows = rows }
                return
            }
        }
        complain(at: node, "headerRows is a list of ascending numbers from 1 to 64, such as [1, 2]")
    }

    private mutating func lineTerminator(_ node: YAMLNode, _ dialect: inout Dialect) {
        switch node.scalarText {
        case "\n", "\r\n", #"\n"#, #"\r\n"#: dialect.lineTerminator = .lf
        case "\r", #"\r"#: dialect.lineTerminator = .cr
        default:
            complain(
                at: node, "lines end with LF or CR LF (\\n), or with CR (\\r)",
                "remove it: LF and CR LF are both read, also mixed, and CR if the first line ends with it")
        }
    }

    mutating func encoding(_ node: YAMLNode, _ dialect: inout Dialect) {
        guard let name = text(node, "the name of an encoding") else { return }
        if name != "auto" && Encodings.canonicalName(name) == nil {
            complain(
                at: node, "'\(name)' is no encoding that Assay knows", "write a name such as windows-1252, or auto")
        }
        dialect.encoding = name
    }

    private mutating func count(_ node: YAMLNode, _ what: String) -> Int? {
        if case .scalar(let text, _) = node.content, let number = Int(text), (0...100_000).contains(number) {
            if text == String(number) { return number }
            complain(at: node, "a number with a sign or a leading zero", "write \(number)")
            return nil
        }
        complain(at: node, "\(what) is a number from 0 to 100000, found \(node.kindInWords)")
        return nil
    }

    private mutating func quoteChar(_ node: YAMLNode, _ dialect: inout Dialect) {
        if node.isNull {
            dialect.quoteChar = nil
        } else if case .scalar("none", _) = node.content {
            dialect.quoteChar = nil
        } else if case .scalar("false", .plain) = node.content {
            dialect.quoteChar = nil
        } else if let text = text(node, "one ASCII character, or none"), let byte = byte(text, at: node, "a quoteChar")
        {
            dialect.quoteChar = byte
        }
    }

    private mutating func byte(_ text: String, at node: YAMLNode, _ what: String) -> UInt8? {
        guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80 else {
            let advice = text.isEmpty && what == "a quoteChar" ? "write none if there are no quotes" : nil
            complain(at: node, "\(what) is one ASCII character, found \(node.kindInWords)", advice)
            return nil
        }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            complain(at: node, "\(what) cannot end lines")
            return nil
        }
        return byte
    }

    private mutating func refuse(_ entries: Entries) {
        expect(
            entries, "doubleQuote", ["true"], "'doubleQuote: false' is not supported",
            "a quote inside quotes is always written twice")
        expect(
            entries, "nullSequence", [], "'nullSequence' is not supported", "write missingValues: ['…'] beside 'fields'"
        )
        expect(
            entries, "commentRows", [], "'commentRows' is not supported",
            "lines above the table: skip; lines that begin with a character: commentChar")
    }

    private mutating func expect(
        _ entries: Entries, _ key: String, _ allowed: [String], _ message: String, _ suggestion: String
    ) {
        guard let node = entries[key], !node.isNull else { return }
        if case .scalar(let text, _) = node.content, allowed.contains(text) { return }
        complain(at: node, message, suggestion)
    }
}
