package import AssayRules

extension FileSource {
    /// Whether a path leads to a file that can be read again.
    package static func isFile(at path: String) -> Bool {
        path != CleanJob.standard && OutputTarget(path).isFile && !namesOpenDescriptor(path)
    }

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - path: `-` for standard input, unless a descriptor names it.
    ///   - policy: The policy of a descriptor, or ``RuleFilePolicy/anyFile`` if a person names the path.
    package static func input(at path: String, by policy: RuleFilePolicy) throws(FileError) -> FileSource {
        if policy != .anyFile { return try DataPackage.open(path, by: policy) }
        return path == CleanJob.standard ? try .standardInput() : try FileSource(path: path)
    }

    /// Whether a path names an existing file or folder.
    package static func exists(at path: String) -> Bool { OutputTarget(path).status != nil }
}

extension DataPackage {
    /// Reads the descriptor of a Data Package, and the files in its folder that it names as schemas and dialects.
    ///
    /// All files that the descriptor names must be regular files in its folder, because its author may also have placed
    /// links, pipes and devices there.
    ///
    /// - Throws: ``RuleFileError``; ``FileError``.
    package static func read(_ path: String, limits: Limits = Limits()) throws -> DataPackage {
        let policy = policy(ofDescriptor: path)
        let folder = splitPath(path).directory
        let source = try FileSource(path: path)
        let package = try parse(source.ruleFileBytes(limits), name: source.name, limits: limits) { path in
            let source = try open(folder + path, by: policy)
            return (source.name, try source.ruleFileBytes(limits))
        }
        for path in package.tables.flatMap(\.paths) {
            // An absent file is an error only when it is read.
            do { _ = try open(folder + path, by: policy) } catch  where error.code == 0 { throw error } catch {}
        }
        return package
    }

    /// The policy for all files that a descriptor names, however much it is trusted.
    package static func policy(ofDescriptor path: String) -> RuleFilePolicy {
        .files(below: splitPath(path).directory)
    }

    /// Opens a file that a descriptor names.
    package static func open(_ path: String, by policy: RuleFilePolicy) throws(FileError) -> FileSource {
        do {
            return try policy.open(path)
        } catch let error as FileError {
            throw error
        } catch {
            var refusal = FileError("read", path: path, code: 0)
            refusal.advice =
                switch error as? RefusedFile {
                case .noRegularFile: "it is no regular file"
                case .outside, .noFiles, nil:
                    "it is a link out of the folder of the Data Package; put the file itself there"
                }
            throw refusal
        }
    }

    /// Whether an input is the descriptor of a Data Package, according to its name or its content.
    ///
    /// `datapackage.json`, `resource.json`, `….package.json`, `….resource.json` and the same with `.yaml` are always
    /// descriptors. Other JSON and YAML files are descriptors if they can be read as such; a table of JSON Lines is
    /// not.
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
