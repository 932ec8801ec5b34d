/// Which files may be opened because rules name them: in `foreignKeys`, or as the files of a Data Package.
///
/// Whoever reads rules gets one, and every opening of such a file asks it: in the command, libassay and all languages over it.
///
///     rules given as text          ──►  noFiles
///     rules read from a file       ──►  files(below: the folder of that file)
///     trusted rules                ──►  anyFile          --trust-rules, trust=True, Limits.trustRuleFiles()
///     a Data Package               ──►  files(below: the folder of the descriptor), also if it is trusted
///
/// A caller may always give tables in memory in place of files. A description: plain data.
public enum RuleFilePolicy: Hashable, Sendable {
    /// No file.
    case noFiles
    /// The regular files in a folder and the folders inside it. Links are followed while they stay inside. An empty text is the folder
    /// in which the process works.
    case files(below: String)
    /// Each file that the process can open.
    case anyFile

    public static func == (one: RuleFilePolicy, other: RuleFilePolicy) -> Bool {
        switch (one, other) {
        case (.noFiles, .noFiles), (.anyFile, .anyFile): true
        case (.files(let folder), .files(let second)): folder.utf8.elementsEqual(second.utf8)
        case (.noFiles, _), (.files, _), (.anyFile, _): false
        }
    }
}
