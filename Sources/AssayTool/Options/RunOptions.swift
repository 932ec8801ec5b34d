import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// How a command over whole tables runs.
struct RunOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The number of worker threads. Default: one per processor.", valueName: "n"))
    var threads: Int?

    @Flag(
        name: .shortAndLong,
        help: "No progress bar, and no summary or notes, but a warning if an input changed while it was read.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "Progress bar on standard error: auto (on a terminal), always or never. Default: auto.", valueName: "when"),
        completion: ProgressMode.completion)
    var progress: String?

    func validate() throws {
        if let threads, !(1...1024).contains(threads) {
            throw ArgumentParser.ValidationError("--threads takes a number from 1 to 1024.")
        }
        try ProgressMode.check(progress, of: "--progress")
    }

    /// When to show the progress bar.
    var progressMode: ProgressMode { quiet ? .never : progress.flatMap(ProgressMode.init) ?? .auto }
}

/// The checkpoints of `clean`.
struct CheckpointOptions: ParsableArguments {
    @Flag(help: "Keep a checkpoint beside the outputs; if there is one, go on from it.")
    var resume = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --resume: the minimum time between two checkpoints. Default: 5.", valueName: "seconds"))
    var checkpointEvery: Double?

    func validate() throws {
        guard let checkpointEvery else { return }
        if !(0...86_400).contains(checkpointEvery) {
            throw ArgumentParser.ValidationError("--checkpoint-every takes a number of seconds from 0 to 86400.")
        }
        if !resume { throw ArgumentParser.ValidationError("--checkpoint-every is for --resume.") }
    }
}

/// The memory and the temporary files of a run with keys.
struct MemoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The memory for the keys of a table, such as 512M; other keys are in --temp-dir. Default: a quarter of the "
                + "machine's.",
            valueName: "size"))
    var memory: String?

    @Option(
        help: ArgumentHelp(
            "The directory for keys that have no room in memory, and for findings to compare. Default: TMPDIR, or "
                + "/tmp.",
            valueName: "directory"),
        completion: .directory)
    var tempDir: String?

    func validate() throws {
        _ = try memoryBytes()
        if let tempDir, !isDirectory(tempDir) {
            throw ArgumentParser.ValidationError(
                "--temp-dir takes a directory, but there is no directory at '\(printable(tempDir))'.")
        }
    }

    /// The memory for keys in bytes; `nil` for the default.
    func memoryBytes() throws -> Int? {
        guard let memory else { return nil }
        guard let bytes = Limits.bytes(memory) else {
            throw ArgumentParser.ValidationError(
                "--memory takes a size such as 512M or 2G, not '\(printable(memory))'.")
        }
        return bytes
    }
}

/// The accelerators to disable. They do not affect verdicts.
struct EngineOptions: ParsableArguments {
    @Flag(help: "Use PCRE2 instead of DFAs: slower, same verdicts.")
    var noDFA = false

    @Flag(help: "Run patterns on PCRE2's interpreter alone: slower, same verdicts.")
    var noJIT = false

    /// The first engine to try.
    var engine: Pattern.Engine { noJIT ? .interpreter : noDFA ? .jit : .dfa }
}

enum ProgressMode: String, OptionWord {
    case auto, always, never
}
