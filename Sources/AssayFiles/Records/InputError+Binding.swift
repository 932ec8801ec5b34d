package import Assay
internal import AssayRules

extension InputError {
    /// Creates the error for a file or a table with missing or unexpected columns.
    ///
    /// - Parameter isInMemory: Whether the names of the columns are not in a header.
    package init(_ error: BindError, source: String, isInMemory: Bool = false) {
        let owner = isInMemory ? "the table" : "the header"
        self.init(error, source: source, owner, quotes: true)
        let other = InputError(error, source: source, owner, quotes: false)
        unquoted = Unquoted(message: other.message, hint: other.hint)
    }

    /// - Parameters:
    ///   - owner: The thing that has the names.
    ///   - quotes: Whether names of the file may be shown that the rules do not have.
    private init(_ error: BindError, source: String, _ owner: String, quotes: Bool) {
        let file = printable(source)
        let listing = quotes ? "\(owner) has: \(Self.listed(error.header))" : "\(owner) has other names"
        var isSimilar = false
        switch error.problem {
        case .fields(let absent, let extra):
            let absent = AbsentColumns(absent, of: error.header, owner, file: file, quotes: quotes)
            isSimilar = !absent.similar.isEmpty
            var lines = absent.lines
            if !extra.isEmpty {
                let names = quotes ? "field named \(Self.listed(extra))" : "fields for \(extra.count) of its columns"
                lines.append("\(file): the rules have no \(names)")
            }
            let advice = extra.isEmpty ? "" : "\n        to allow other columns, use fieldsMatch: subset"
            self.init(lines.joined(separator: "\n"), hint: listing + absent.spelling + advice)
        case .required(let absent):
            let absent = AbsentColumns(
                absent, of: error.header, owner, file: file, quotes: quotes, ", and it is required")
            isSimilar = !absent.similar.isEmpty
            let advice = "\n        to do without it, leave out its required: true"
            self.init(absent.lines.joined(separator: "\n"), hint: listing + absent.spelling + advice)
        case .order(let expected):
            self.init(
                "\(file): the columns are not exactly the fields of the rules (fieldsMatch: exact)",
                hint: "\(listing)\n        the rules have: \(Self.listed(expected))")
        case .noCommonColumns(let names):
            self.init(
                "\(file): the rules and the file have no column in common (fieldsMatch: partial)",
                hint: "\(listing)\n        the rules have: \(Self.listed(names))")
        case .twice(let name, let positions):
            let places = positions.map(String.init).joined(separator: ", ")
            self.init(
                "\(file): the column '\(printable(name))' occurs more than once (columns \(places)), and the rules "
                    + "name it",
                hint: "rename one in \(owner)", remedy: .byPosition)
        case .count(let count, let fields):
            self.init(
                "\(file): the records have \(count) field\(count == 1 ? "" : "s"), the rules have \(fields)",
                hint: "without a header, fields go by position")
        }
        if error.areAllColumnsAbsent && !isSimilar { remedy = .noHeader }
    }

    /// The columns that a file lacks, in words.
    private struct AbsentColumns {
        /// One line for each, but not more than a person reads.
        var lines: [String]
        /// The similar names of the header, in the form of a rule file.
        var similar: [String] = []

        init(
            _ names: [String], of header: [String], _ owner: String, file: String, quotes: Bool, _ reason: String = ""
        ) {
            lines = []
            for name in names.prefix(10) {
                // The same characters of other code points.
                let twin = quotes ? header.first { $0 == name } : nil
                let near = quotes ? twin ?? closestName(to: name, among: header) : nil
                let spelled = near.map { InputError.spelled($0, isTwin: twin != nil) }
                if let spelled { similar.append(spelled) }
                let question =
                    twin != nil
                    ? "   \(owner) has it in another normal form of Unicode (NFC or NFD)"
                    : spelled.map { "   did you mean \($0.first == "\"" || $0.first == "'" ? $0 : "'\($0)'")?" } ?? ""
                lines.append("\(file): no column is named '\(printable(name))'\(reason)\(question)")
            }
            if names.count > 10 { lines.append("\(file): and \(names.count - 10) more") }
        }

        /// How the rules can name the similar columns. Only a name in double quotes cannot be copied from the listing.
        var spelling: String {
            let names = similar.filter { $0.first == "\"" }.map { "name: \($0)" }.joined(separator: ", ")
            return names.isEmpty ? "" : "\n        to name the column in the rules, write: \(names)"
        }
    }

    /// A name as a rule file has it, with escapes for spaces that look like others, and for all of a name in another
    /// normal form.
    private static func spelled(_ name: String, isTwin: Bool) -> String {
        let isHidden = { (scalar: Unicode.Scalar) in
            scalar.isASCII
                ? scalar.value < 0x20 || scalar.value == 0x7F
                : isTwin || scalar.properties.isWhitespace || String(scalar).visible != String(scalar)
        }
        return name.unicodeScalars.contains(where: isHidden)
            ? YAMLScalar.text(name, escaping: isHidden) : YAMLScalar.text(name)
    }

    /// Names for a message, not more than a person reads.
    private static func listed(_ names: [String]) -> String {
        // Quote names that could not be distinguished from the surrounding text.
        let shown = names.prefix(40).map { name in
            let isPlain =
                !name.isEmpty && name.unicodeScalars.first != " " && name.unicodeScalars.last != " "
                && !name.contains(bytesOf: ",")
            let short = name.count > 60 ? name.prefix(60) + "…" : name[...]
            return isPlain ? printable(String(short)) : "'\(printable(String(short)))'"
        }.joined(separator: ", ")
        return names.count > 40 ? "\(shown) and \(names.count - 40) more" : shown
    }
}

extension InputError {
    /// Refuses fields that no record of JSON Lines has: their rules never ran, so that the data only seems to be clean.
    /// Names similar members: `Email` for `email`, `items[].price` for `items.price`.
    ///
    /// - Parameters:
    ///   - absent: fields that no record has, but for those that the rules declare optional.
    ///   - fields: all fields of the rules.
    ///   - isPart: whether only a part of the records was read. Then only a similar name tells that the other records
    ///     lack a field.
    init?(absent: [String], of fields: [String], in head: TableHead, isPart: Bool) {
        let names = head.fieldNames
        let near = absent.compactMap { field in
            Self.similar(to: field, in: names, but: fields).map { (field: field, name: $0) }
        }
        let absent = isPart ? near.map(\.field) : absent
        guard let first = absent.first else { return nil }
        let lines = absent.prefix(10).map { field in
            let question = near.first { $0.field == field }.map { "   did you mean '\(printable($0.name))'?" } ?? ""
            return "no record has '\(printable(field))', so its rules never ran\(question)"
        }
        self.init(
            (lines + (absent.count > 10 ? ["and \(absent.count - 10) more"] : [])).joined(separator: "\n"),
            hint: (names.isEmpty
                ? "the first records have no members" : "the first records have: \(Self.listed(names))")
                + "\n        " + Self.optionalAdvice(first))
        let unquoted = absent.prefix(10).map { "no record has '\(printable($0))', so its rules never ran" }
        self.unquoted = Unquoted(message: unquoted.joined(separator: "\n"), hint: Self.optionalAdvice(first))
    }

    private static func optionalAdvice(_ field: String) -> String {
        "if the field may be absent from all records, declare it optional: {name: \(YAMLScalar.text(field)), optional: "
            + "true}"
    }

    /// A name that differs in case, spaces, brackets or normal form, or by a slip of the pen, but not only in its
    /// digits.
    private static func similar(to field: String, in names: [String], but fields: [String]) -> String? {
        func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "." } }
        func letters(_ name: String) -> String { plain(name).filter { !$0.isNumber } }
        // A field of the rules that occurs is not another one that was misspelt, and a list without elements has the
        // name of its member.
        let others = names.filter { name in
            !fields.contains { areByteEqual($0, name) } && !field.begins(withBytesOf: name + "[]")
        }
        if let same = others.first(where: { plain($0) == plain(field) }) { return same }
        let shortest = 5
        return closestName(
            to: field, among: others.filter { min($0.count, field.count) >= shortest && letters($0) != letters(field) })
    }
}
