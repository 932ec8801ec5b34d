internal import Assay

extension RuleFile {
    /// Returns a rule file in YAML to start from: every column of a header, with suggestions in comments. It accepts
    /// all records.
    ///
    /// - Parameter header: The names of the columns. A duplicate name becomes a comment, because a rule could not
    ///   distinguish the columns.
    public static func skeleton(header: [String], dialect: Dialect = Dialect()) -> String {
        var uses: [ByteEqualString: Int] = [:]
        for name in header { uses[ByteEqualString(name), default: 0] += 1 }
        let fields = header.map { name in
            let isRepeated = uses[ByteEqualString(name), default: 0] > 1
            return SkeletonField(
                name: name,
                reasonForNone: isRepeated
                    ? "occurs more than once in the header: a rule could not tell which is meant" : nil)
        }
        return skeleton(fields, dialect: dialect)
    }

    /// - Parameters:
    ///   - isJSON: Whether the values are JSON values, which must have the field's type.
    ///   - note: The comment above the fields, or `nil`.
    package static func skeleton(
        _ fields: [SkeletonField], dialect: Dialect, isJSON: Bool = false, note: String? = nil
    ) -> String {
        var text = """
            # Rules for Assay: requirements for every row. Add the facts you know about each column; delete the rest.
            #
            # Types: string (the default), integer, number, boolean, date, time, datetime, year, yearmonth,
            #   duration, any. Formats of strings: email, url, uuid, iban, phone … (`assay types` lists them); of dates
            #   and times: such as '%d/%m/%Y'.
            # Constraints: required, minLength, maxLength, pattern, enum, minimum, exclusiveMinimum, maximum,
            #   exclusiveMaximum. A pattern must match the whole value; single quotes keep its backslashes.
            # Rules: a list of {pattern: …}, {any: […]}, {when: {…}, then: {…}} and more, each with an id, a message,
            #   and severity: warn if it should not reject.
            # Reference: rule-files.md in the documentation of Assay.

            # These texts mean "no value here"; only 'required' asks about them.
            missingValues: ['']


            """
        text += dialectText(dialect)
        if isJSON {
            text += """
                # A value of JSON must be of its field's type, and a field without one takes only strings.
                # any: a string, a number, true or false.

                """
        }
        if let note { text += "# \(note)\n" }
        text += fields.contains { $0.reasonForNone == nil } ? "fields:\n" : "fields: []\n"
        for (index, field) in fields.enumerated() {
            let scalar = YAMLScalar.text(field.name)
            if let reason = field.reasonForNone {
                text += "  # - name: \(scalar)  # \(reason)\n"
                continue
            }
            text += "  - name: \(scalar)\n"
            if isJSON {
                text += """
                        type: any
                        # constraints: {required: true}

                    """
                if field.isOptional { text += "    optional: true  # some records are without it\n" }
            } else if index == 0 {
                let id = YAMLScalar.text("\(field.name).usual")
                text += """
                        # type: integer
                        # constraints: {required: true, minimum: 1}
                        # rules:
                        #   - {id: \(id), pattern: '\\d{1,9}', message: Unusually long, severity: warn}

                    """
            } else {
                text += """
                        # constraints: {required: true, maxLength: 100}

                    """
            }
        }
        return text
    }

    /// Returns the part of a rule file that describes the dialect; empty for the default.
    package static func dialectText(_ dialect: Dialect) -> String {
        if dialect == Dialect() { return "" }
        var text = "dialect:\n"
        if dialect.delimiter != nil {
            let spelled = dialect.spelledSeparator
            text += "  delimiter: \(spelled == "tab" ? spelled : quoted(spelled))\n"
        }
        let characters = [("escapeChar", dialect.escapeChar), ("commentChar", dialect.commentChar)]
        for case (let name, let byte?) in characters { text += "  \(name): \(quoted(byte))\n" }
        if dialect.skip > 0 { text += "  skip: \(dialect.skip)\n" }
        if dialect.extraFields == .keep { text += "  extraFields: keep\n" }
        if dialect.skipInitialSpace { text += "  skipInitialSpace: true\n" }
        if dialect.trailingDelimiter { text += "  trailingDelimiter: true\n" }
        if dialect.blankLines != .reject || dialect.rejectsLastBlankLines {
            text += "  blankLines: \(dialect.blankLines.rawValue)\n"
        }
        if let terminator = dialect.lineTerminator {
            text += "  lineTerminator: \(terminator == .cr ? #"\r"# : #"\n"#)\n"
        }
        if let encoding = dialect.encoding { text += "  encoding: \(encoding)\n" }
        if dialect.trustEncoding { text += "  trustEncoding: true\n" }
        text += "  quoteChar: \(dialect.quoteChar.map(quoted) ?? "none")\n"
        return text + "  header: \(dialect.header)\n\n"
    }

    private static func quoted(_ byte: UInt8) -> String { quoted(String(Unicode.Scalar(byte))) }

    private static func quoted(_ text: String) -> String {
        // Quote a scalar even if it could be plain, so that no reader can misinterpret it.
        let scalar = YAMLScalar.text(text)
        return scalar == text ? "'\(text)'" : scalar
    }
}

/// A field of a skeleton.
package struct SkeletonField {
    let name: String
    /// The reason that the field is only mentioned in a comment. `nil` if it is an entry.
    let reasonForNone: String?
    /// Whether records of JSON Lines may omit it.
    let isOptional: Bool

    package init(name: String, reasonForNone: String?, isOptional: Bool = false) {
        (self.name, self.reasonForNone, self.isOptional) = (name, reasonForNone, isOptional)
    }
}
