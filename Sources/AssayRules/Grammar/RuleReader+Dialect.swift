extension RuleReader {
    /// A Table Dialect. What we cannot do is refused by name, unless it asks for nothing.
    mutating func dialect(_ node: YAMLNode) -> Dialect? {
        if node.isNull { return nil }
        guard let entries = entries(node, "a mapping such as {delimiter: ';'}", .dialect) else { return nil }
        var dialect = Dialect()
        if let node = entries["delimiter"], let byte = delimiter(node) { dialect.delimiter = byte }
        if let node = entries["quoteChar"] { quoteChar(node, &dialect) }
        if let node = entries["header"], let header = bool(node) { dialect.header = header }
        if let quote = dialect.quoteChar, quote == dialect.separator {
            complain(
                at: entries["quoteChar"] ?? entries["delimiter"] ?? node,
                "the delimiter and the quote are the same character")
        }
        refuse(entries)
        return dialect
    }

    /// One ASCII character, or the tab in one of its spellings.
    private mutating func delimiter(_ node: YAMLNode) -> UInt8? {
        guard let text = text(node, "one ASCII character") else { return nil }
        switch text {
        case "\t", "\\t", "tab", "TAB": return UInt8(ascii: "\t")
        default: return byte(text, at: node, "a delimiter")
        }
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
            entries, "skipInitialSpace", ["false"], "'skipInitialSpace: true' is not supported",
            "a space after the delimiter is data; allow it in the patterns, or remove it first")
        expect(
            entries, "lineTerminator", ["\n", "\r\n", "\\n", "\\r\\n"], "lines end with LF or CR LF",
            "remove it: both are read, also mixed")
        expect(
            entries, "escapeChar", [], "'escapeChar' is not supported",
            "a quote inside quotes is written twice; export the file without backslash escapes")
        expect(
            entries, "commentChar", [], "'commentChar' is not supported", "remove comments first: grep -v '^#'")
        expect(
            entries, "nullSequence", [], "'nullSequence' is not supported", "write missingValues: ['…'] beside 'fields'"
        )
        expect(entries, "headerJoin", [], "'headerJoin' is not supported", "a header is one record")
        expect(entries, "commentRows", [], "'commentRows' is not supported", "remove these lines first")
        if let node = entries["headerRows"], !node.isNull {
            if case .sequence(let rows) = node.content, rows.count == 1, case .scalar("1", _) = rows[0].content {
                return
            }
            complain(at: node, "'headerRows' is not supported", "a header is the first record; remove the others first")
        }
    }

    private mutating func expect(
        _ entries: Entries, _ key: String, _ allowed: [String], _ message: String, _ suggestion: String
    ) {
        guard let node = entries[key], !node.isNull else { return }
        if case .scalar(let text, _) = node.content, allowed.contains(text) { return }
        complain(at: node, message, suggestion)
    }
}
