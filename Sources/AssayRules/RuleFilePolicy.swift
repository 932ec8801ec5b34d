/// The files that may be opened because rules name them: in `foreignKeys`, or as the files of a Data Package.
///
/// Each ``RuleFile`` has a policy. The command, libassay and its bindings check it before they open such a file.
///
///     rules given as text          ──►  noFiles
///     rules read from a file       ──►  files(below: the folder of that file)
///     trusted rules                ──►  anyFile          --trust-rules, trust=True, Limits.trustRuleFiles()
///     a Data Package               ──►  files(below: the folder of the descriptor), also if it is trusted
///
/// A caller may always give tables in memory instead of files. A policy is a description: plain data.
public enum RuleFilePolicy: Hashable, Sendable {
    /// No file.
    case noFiles
    /// The regular files in a folder and the folders inside it. Symbolic links are followed as long as they stay inside
    /// the folder. An empty text is the working directory.
    case files(below: String)
    /// Any file that the process can open.
    case anyFile

    public static func == (one: RuleFilePolicy, other: RuleFilePolicy) -> Bool {
        switch (one, other) {
        case (.noFiles, .noFiles), (.anyFile, .anyFile): true
        case (.files(let folder), .files(let second)): folder.utf8.elementsEqual(second.utf8)
        case (.noFiles, _), (.files, _), (.anyFile, _): false
        }
    }
}
