internal import Assay
internal import AssayRules

extension RunPlan {
    /// Writes the header of each output.
    func writeHeaders() throws {
        let isDecoded = !parts[0].encoding.isUTF8
        let (showValues, namesInputs) = (findings.showValues, parts.count > 1)
        try outputs.clean?.writeTop(prefix, isDecoded: isDecoded)
        try outputs.rejects?.writeTop(findings.annotate ? annotatedHeader() : prefix, isDecoded: isDecoded)
        try outputs.changes?.writeTop(
            ChangeLines.header(
                outputs.changesAsCSV ? .csv : .jsonLines, showValues: showValues, namesInputs: namesInputs))
        try outputs.findings?.writeTop(style.format.header(showValues: showValues, namesInputs: namesInputs))
    }

    private func annotatedHeader() throws(InputError) -> [UInt8] {
        guard head.header != nil, json == nil else { return prefix }
        let (header, end) = splitTerminator(prefix, endsAtCR: head.endsAtCR)
        let delimiter = head.dialect.separatorBytes
        var line = header
        if style.endsInHalfDelimiter(line) {
            throw InputError(
                "--annotate cannot add columns to a header that ends in half of a delimiter",
                hint: "leave it out: the findings have the line of each record")
        }
        style.appendEscape(behind: line, to: &line)
        return line + delimiter + Array("_line".utf8) + delimiter + Array("_reasons".utf8) + end
    }
}
