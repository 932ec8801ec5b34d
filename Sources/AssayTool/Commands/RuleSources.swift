import AssayFiles
import AssayRules

/// Returns whether an input is named like a rule file. JSON is excluded, because JSON files may be tables.
func isNamedLikeRules(_ path: String) -> Bool { [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) } }

/// Refuses a file that is named like a table if rules are expected, because a YAML syntax error would print its first
/// line, which contains cells.
func refuseTable(_ path: String, hint: String) throws(InputError) {
    let (_, ending) = splitEnding(splitPath(Compression.unpackedName(path)).base)
    guard [".csv", ".tsv", ".jsonl", ".ndjson"].contains(ending.lowercased()) else { return }
    throw InputError("\(printable(path)) is named like a table, not like rules", hint: hint)
}

/// Opens a rule file. Refuses `-`, because rules and data would share standard input.
func openRules(_ path: String) throws -> FileSource {
    if path == CleanJob.standard {
        throw InputError("rules cannot be read from standard input", hint: "name a file")
    }
    return try openInput(path)
}

/// Reads a rule file. A file that is named like a table may contain rules. If it does not, the message omits the
/// mistakes, because they would show cells.
func readRules(_ path: String, limits: Limits) throws -> RuleFile {
    try readingRules(path) { try .read($0, limits: limits) }
}

/// Opens a rule file and reads it with `read`.
func readingRules<Result>(_ path: String, _ read: (FileSource) throws -> Result) throws -> Result {
    let source = try openRules(path)
    do {
        return try read(source)
    } catch let error as FileError {
        throw InputError("\(error)")
    } catch {
        try refuseTable(
            path,
            hint: "rules are a file of YAML or JSON; to judge the table: assay check \(shellPath(path)) --rules FILE")
        throw error
    }
}
