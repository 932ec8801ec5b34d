package import AssayRules

extension FileSource {
    /// Whether a path leads to a file that can be read again.
    package static func isFile(at path: String) -> Bool {
        path != CleanJob.standard && OutputTarget(path).isFile && !namesOpenDescriptor(path)
    }

    /// Whether there is anything at the end of a path.
    package static func exists(at path: String) -> Bool { OutputTarget(path).status != nil }
}

extension DataPackage {
    /// Reads the descriptor of a Data Package, and the files in its folder that it names as schemas and dialects.
    ///
    /// - Throws: ``RuleFileError``; ``FileError``.
    package static func read(_ path: String, limits: Limits = Limits()) throws -> DataPackage {
        let folder = splitPath(path).directory
        let source = try FileSource(path: path)
        return try parse(source.ruleFileBytes(limits), name: source.name, limits: limits) { path in
            let source = try FileSource(path: folder + path)
            return (source.name, try source.ruleFileBytes(limits))
        }
    }

    /// Whether an input is the descriptor of a Data Package: by its name, or by what stands in it.
    ///
    /// `datapackage.json`, `resource.json`, `….package.json`, `….resource.json` and the same with `.yaml` are always one. Other files of JSON and YAML are one if they
    /// are read as such; a table of JSON Lines is not.
    package static func isDescriptor(at path: String) -> Bool {
        let base = splitPath(path).base.lowercased()
        guard let ending = [".json", ".yaml", ".yml"].first(where: base.hasSuffix) else { return false }
        let stem = base.dropLast(ending.count)
        if ["datapackage", "resource"].contains(stem)
            || [".package", ".datapackage", ".resource"].contains(where: stem.hasSuffix)
        {
            return true
        }
        guard OutputTarget(path).isFile, let source = try? FileSource(path: path),
            let bytes = try? source.ruleFileBytes(Limits())
        else { return false }
        return isDescriptor(bytes)
    }
}
