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
    /// Whoever wrote the descriptor may have put links, pipes and devices into the folder, too: all that it names are regular files in it.
    ///
    /// - Throws: ``RuleFileError``; ``FileError``.
    package static func read(_ path: String, limits: Limits = Limits()) throws -> DataPackage {
        let folder = splitPath(path).directory
        let source = try FileSource(path: path)
        let package = try parse(source.ruleFileBytes(limits), name: source.name, limits: limits) { path in
            try expectFile(path, in: folder)
            let source = try FileSource(path: folder + path)
            return (source.name, try source.ruleFileBytes(limits))
        }
        for path in package.tables.flatMap(\.paths) { try expectFile(path, in: folder) }
        return package
    }

    /// Refuses what stands in a folder and is no file, or leads out of it. What is not there is for whoever opens it.
    private static func expectFile(_ path: String, in folder: String) throws(FileError) {
        let target = OutputTarget(folder + path)
        guard target.status != nil else { return }
        var error = FileError("read", path: folder + path, code: 0)
        if !target.isFile {
            error.advice = "it is no regular file"
            throw error
        }
        let place = target.place ?? ""
        guard (canonicalPath(splitPath(place).directory) + splitPath(place).base).hasPrefix(canonicalPath(folder))
        else {
            error.advice = "it is a link out of the folder of the Data Package; put the file itself there"
            throw error
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
        return hasDescriptor(at: path)
    }

    /// Whether the content of a file is the descriptor of a Data Package. The name does not count.
    package static func hasDescriptor(at path: String) -> Bool {
        guard OutputTarget(path).isFile, let source = try? FileSource(path: path),
            let bytes = try? source.ruleFileBytes(Limits())
        else { return false }
        return isDescriptor(bytes)
    }
}
