package import AssayRules

extension RuleFile {
    /// Reads a rule file to its end, or to one byte more than it may have.
    ///
    /// - Throws: ``RuleFileError``; ``FileError``.
    package static func read(_ source: FileSource, limits: Limits = Limits()) throws -> RuleFile {
        let most = limits.ruleFileBytes
        // Of a file that is too long as it is, nothing is read; what a pipe holds is known only at its end.
        if let count = source.byteCount, count > most {
            throw RuleFileError.tooLong(name: source.name, byteCount: count, limits: limits)
        }
        var bytes: [UInt8] = []
        _ = try source.read(onto: &bytes, upTo: most + 1)
        if bytes.count > most { throw RuleFileError.tooLong(name: source.name, byteCount: nil, limits: limits) }
        return try parse(bytes, name: source.name, limits: limits)
    }
}
