internal import Assay
internal import AssayRules
internal import CAssaySystem
internal import CDigest

/// The progress of a run, with all data that another run needs to resume it.
///
///     assay checkpoint 2⏎     SHA-256 of the rest     origin: version, options, rules, input     progress
///
/// The progress includes hashes of the bytes that were read and written so far (``RangeHash``). A resumed run reads
/// these bytes again to compare them.
///
/// Only its owner can read the file, because it contains some values with `--show-values`.
struct Checkpoint {
    /// The properties that must be equal, so that the resumed outputs equal those of an uninterrupted run.
    struct Origin: Equatable {
        var version = ""
        /// The options of the command that affect the outputs.
        var options = ""
        /// A digest of the rules.
        var rules: [UInt8] = []
        /// The size, modification time and inode number of the input, and a digest of its first bytes.
        var input: [Int] = []
        var head: [UInt8] = []

        /// Returns the difference to another origin, or `nil` if they are equal.
        func difference(from other: Origin) -> String? {
            if version != other.version {
                return "version \(printable(version)) of assay, and this is \(other.version)"
            }
            if options != other.options { return "a run with other options" }
            if rules != other.rules { return "a run with other rules" }
            return self == other ? nil : Checkpoint.changedInput
        }
    }

    var origin = Origin()
    /// The processed bytes of the input, including its head.
    var bytes = 0
    var records = 0
    /// The key of all hashes.
    var hashKey = 0
    /// The state of ``TableRun``.
    var state: [UInt8] = []
    /// The stamps of the complete outputs before they got their names, in the order of ``OutputPaths/all``
    /// (``FileStamp/kept``). Empty if the outputs are not complete.
    var outputStamps: [[Int]] = []
    /// The absolute paths of the outputs that wait for their names.
    var waiting: [String] = []
    var isComplete: Bool { !outputStamps.isEmpty }

    private static let magic = Array("assay checkpoint 2\n".utf8)
    /// More than any run writes: ten findings and the counts of a table.
    private static let maxBytes = 1 << 30

    private mutating func code(with coder: inout CheckpointCoder) {
        coder.code(&origin.version)
        coder.code(&origin.options)
        coder.code(&origin.rules)
        coder.code(&origin.input)
        coder.code(&origin.head)
        coder.code(&bytes)
        coder.code(&records)
        coder.code(&hashKey)
        coder.code(&state)
        coder.code(&outputStamps, blank: []) { $1.code(&$0) }
        coder.code(&waiting, blank: "") { $1.code(&$0) }
    }

    /// Reads a checkpoint. Returns `nil` if it does not exist.
    ///
    /// - Throws: ``InputError`` if the file is not a checkpoint, cannot be opened or belongs to another user.
    static func read(_ path: String) throws -> Checkpoint? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0 {
            let code = errno
            if code == ENOENT { return nil }
            throw InputError("\(FileError("open", path: path, code: code))", hint: removalHint(path))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0, status.st_size <= maxBytes
        else {
            throw InputError(
                "\(printable(path)) is no checkpoint of this user", hint: "remove it to start over, if it is yours")
        }
        // Read through the descriptor, because the name may refer to another file by now.
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
        let header = magic.count + 32
        var checkpoint = Checkpoint()
        var coder = CheckpointCoder(reading: Array(bytes.dropFirst(header)))
        if bytes.starts(with: magic), bytes.dropFirst(magic.count).prefix(32).elementsEqual(sha256(coder.bytes)) {
            checkpoint.code(with: &coder)
            if coder.isComplete { return checkpoint }
        }
        throw damaged(path)
    }

    /// Whether the checkpoint is still needed, because some outputs do not have their names. If a directory no longer
    /// exists, this is unknown, so the checkpoint is kept.
    var isNeeded: Bool {
        if !isComplete { return true }
        return waiting.contains { path in
            OutputTarget(path).kind != .nothing || FileIdentity(at: splitPath(path).directory) == nil
        }
    }

    static func damaged(_ path: String) -> InputError {
        InputError(
            "the checkpoint \(printable(path)) is damaged, or was written by another version of assay",
            hint: removalHint(path))
    }

    /// Returns the error for an input that differs from the one that was read.
    static func changedInput(_ path: String) -> InputError { InputError(checkpoint: path, isOf: changedInput) }

    fileprivate static let changedInput = "another input, or the input has changed"

    /// Returns the hint to remove a checkpoint that cannot be used.
    static func removalHint(_ path: String) -> String { "remove it to start over: \(printable(path))" }

    /// The suffix of the file's name until it is complete.
    static let newEnding = ".new"

    /// Replaces the checkpoint atomically and durably.
    ///
    /// - Parameter files: The outputs of the checkpoint. After this call they are kept even if the run fails.
    func write(_ path: String, keeping files: [StagedFile]) throws(FileError) {
        var copy = self
        var coder = CheckpointCoder()
        copy.code(with: &coder)
        let new = path + Self.newEnding
        // A killed run may have left this file.
        _ = Leftovers.removeDead(new)
        let descriptor = try StagedFile.createKept(new)
        defer { close(descriptor) }
        do throws(FileError) {
            try DescriptorSink(descriptor: descriptor, name: new).write(Self.magic + sha256(coder.bytes) + coder.bytes)
            if fsync(descriptor) != 0 { throw FileError("write", path: new, code: errno) }
            try StagedFile.keep(files, with: new, as: path)
        } catch {
            StagedFile.discardKept(new)
            throw error
        }
        try synchronizeDirectory(splitPath(path).directory)
    }
}

extension InputError {
    /// Creates the error for a checkpoint of another run.
    init(checkpoint path: String, isOf difference: String) {
        self.init(
            "the checkpoint \(printable(path)) is of \(difference)",
            hint: "give the command that began it once more, or \(Checkpoint.removalHint(path))")
    }
}

extension Checkpoint.Origin {
    init(_ options: String, _ rules: RuleFile, _ source: FileSource) throws(FileError) {
        var head = [UInt8](repeating: 0, count: min(Self.headBytes, source.byteCount ?? 0))
        var failure: FileError?
        head.withUnsafeMutableBytes { bytes in
            do throws(FileError) { try source.readAll(at: 0, into: bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        self.init(
            version: assayVersion, options: options, rules: sha256(Array(rules.json().utf8)),
            input: source.atOpen.kept, head: sha256(head))
    }

    private static let headBytes = 1 << 16
}

/// Returns the SHA-256 digest of bytes.
func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var sum = digest_begin(DIGEST_SHA256)
    bytes.withUnsafeBufferPointer { digest_add(&sum, $0.baseAddress, $0.count) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { result in
        result.initialize(repeating: 0)
        return Array(result.prefix(digest_end(&sum, result.baseAddress)))
    }
}
