internal import AssayRules

extension Outputs {
    /// Guards the cells of all outputs that are CSV.
    ///
    /// - Parameter dialect: The dialect of the table.
    mutating func guardFormulas(_ dialect: Dialect) {
        clean = clean.map { Guarded($0, FormulaForm(dialect, isMalformed: false)) }
        rejects = rejects.map { Guarded($0, FormulaForm(dialect, isMalformed: true)) }
        if findingsAsCSV { findings = findings.map { Guarded($0, .usual) } }
        if changesAsCSV { changes = changes.map { Guarded($0, .usual) } }
    }

    /// The number of cells that got an apostrophe.
    var guardedCells: Int {
        [clean, rejects, findings, changes].reduce(0) { $0 + (($1 as? Guarded)?.guarded ?? 0) }
    }
}

extension PreparedTable {
    /// Refuses a table in which an apostrophe is something else than text.
    func expectGuardable() throws(InputError) {
        let name = printable(parts[0].source.name)
        if format == .jsonLines {
            throw InputError(
                "--guard-formulas is for CSV, and \(name) is JSON Lines",
                hint: "leave it out: no spreadsheet computes JSON")
        }
        let dialect = head.dialect
        let marks: [(String, UInt8?)] = [
            ("delimiter", dialect.separator), ("delimiter", dialect.secondDelimiter), ("quote", dialect.quoteChar),
            ("escape", dialect.escapeChar), ("comment", dialect.commentChar),
        ]
        for (what, byte) in marks where byte == UInt8(ascii: "'") {
            throw InputError(
                "--guard-formulas puts an apostrophe before cells, and in \(name) it is the \(what)",
                hint: "leave it out, and do not open the outputs in a spreadsheet")
        }
    }
}
