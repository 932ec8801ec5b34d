package import AssayRules
internal import CAssaySystem

/// Why a file that rules name is not opened.
package enum RefusedFile: Error {
    /// The rules may open no file.
    case noFiles
    /// It is outside the folder of the rules, or a link to it leads out of the folder.
    case outside(byLink: Bool)
    /// It is a pipe or a device.
    case noRegularFile
}

extension RuleFilePolicy {
    /// Opens a file that rules name.
    ///
    /// - Parameter path: as the process would open it: with the folder of the rules at the beginning.
    /// - Throws: ``RefusedFile``; ``FileError``.
    package func open(_ path: String) throws -> FileSource {
        switch self {
        case .noFiles: throw RefusedFile.noFiles
        case .files(let folder):
            let folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
            do {
                return try FileSource(descriptor: FolderWalk.open(folder, path), path: path)
            } catch let stop as FolderWalk.Stop {
                switch stop {
                case .outside(let byLink): throw RefusedFile.outside(byLink: byLink)
                case .noRegularFile: throw RefusedFile.noRegularFile
                case .code(EISDIR): throw FileError.directory(path)
                case .code(let code): throw FileError("open", path: path, code: code)
                }
            }
        case .anyFile:
            // To open a pipe would wait for a writer.
            let target = OutputTarget(path)
            if target.status != nil, !target.isFile, !target.isDirectory { throw RefusedFile.noRegularFile }
            return try FileSource(path: path)
        }
    }
}

extension FileSource {
    /// The policy for rules that are read from here: a file that has a place of its own.
    var policyOfRules: RuleFilePolicy {
        isNamedFile ? .files(below: splitPath(name).directory) : .noFiles
    }
}
