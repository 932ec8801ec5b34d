public import AssayRules

extension RuleFile {
    /// Reads a rule file to its end, or to one byte more than it may have.
    ///
    ///     let rules = try RuleFile.read(FileSource(path: "rules/orders.rules.yaml"))
    ///     rules.policy == .files(below: "rules/")     // the files of its foreign keys
    ///
    /// Rules from standard input, or from anything else but a regular file, may name no files unless they are trusted.
    ///
    /// - Parameter limits: as for ``parse(_:name:limits:)``; ``Limits/trustRuleFiles()`` lets it name any file.
    /// - Throws: ``RuleFileError``; ``FileError``.
    public static func read(_ source: FileSource, limits: Limits = Limits()) throws -> RuleFile {
        var file = try parse(source.ruleFileBytes(limits), name: source.name, limits: limits)
        if file.policy == .noFiles { file.policy = source.policyOfRules }
        return file
    }

    /// Reads the patterns of a rule file.
    ///
    /// - Throws: ``RuleFileError``; ``FileError``.
    package static func patterns(
        in source: FileSource, limits: Limits
    ) throws -> (patterns: [WrittenPattern], limits: Limits) {
        try patterns(in: source.ruleFileBytes(limits), name: source.name, limits: limits)
    }
}

extension FileSource {
    /// All bytes of a rule file.
    ///
    /// - Throws: ``RuleFileError`` if it is longer than it may be; ``FileError``.
    func ruleFileBytes(_ limits: Limits) throws -> [UInt8] {
        let limit = limits.ruleFileBytes
        // A regular file above the limit is not read. The size of a pipe is known only at its end.
        if let byteCount, byteCount > limit {
            throw RuleFileError.tooLong(name: name, byteCount: byteCount, limits: limits)
        }
        var bytes: [UInt8] = []
        _ = try read(onto: &bytes, upTo: limit + 1)
        if bytes.count > limit { throw RuleFileError.tooLong(name: name, byteCount: nil, limits: limits) }
        return bytes
    }
}
