import Dispatch
import Foundation
import Synchronization

/// The folder of this package, from where it was built.
let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// A folder of our own for exports and what becomes of them, in memory if possible.
struct Workplace {
    let directory: String

    init(in parent: String) throws {
        Self.removeLeftovers(in: parent)
        directory = parent + "/" + Self.prefix + "\(ProcessInfo.processInfo.processIdentifier)"
        Self.current.withLock { [directory] in $0 = directory }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    private static let prefix = "assay-benchmarks-"

    /// Removes what a run left that was killed: it may fill the memory.
    private static func removeLeftovers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(atPath: parent + "/" + name)
        }
    }

    /// Results are written after each case, so a run can be ended at any time; its files shall not stay in memory. To be called
    /// before there are other threads, which take over what is blocked: where Dispatch reads signals from a descriptor, as
    /// on Linux, one that is ignored or that another thread takes would never come.
    static func removeWhenInterrupted() {
        let numbers = [SIGINT, SIGTERM]
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                complain("interrupted; results of finished cases are written")
                if let directory = current.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: directory) }
                exit(128 + number)
            }
            source.resume()
            sources.append(source)
        }
    }

    // SAFETY: written once, before there are other threads.
    private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []
    private static let current = Mutex<String?>(nil)

    /// Room for files: what the file system has, and no more than there is memory, since it may be one that lives there.
    var freeBytes: Int {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        let room = (attributes?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        return min(room, Self.availableMemory ?? room)
    }

    private static var availableMemory: Int? {
        let lines = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }

    func remove() { try? FileManager.default.removeItem(atPath: directory) }

    /// Takes up memory, writes to it and gives it back. A virtual machine is slow to hand out memory that nobody has used
    /// yet, and that is not what is to be measured. Some give free memory back within seconds, so this belongs right before each
    /// run.
    func touch(bytes: Int) throws {
        let path = directory + "/touched"
        let piece = Data(count: 64 << 20)
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw CommandError(message: "cannot write \(path)") }
        for _ in 0..<max(1, min(bytes, freeBytes - (1 << 30)) / piece.count) { try file.write(contentsOf: piece) }
        try file.close()
        try FileManager.default.removeItem(atPath: path)
    }
}

/// An export in a file, and what must come of it.
struct ExportFile {
    /// What its columns hold, as the generator calls it.
    enum Kind: String {
        /// Ten columns, a pattern each: those of the ten subjects.
        case ten
        /// Eight columns, a built-in type each.
        case types

        /// The rules that go with it.
        var rules: String {
            packageFolder.appendingPathComponent(self == .ten ? "export.rules.yaml" : "types.rules.yaml").path
        }
    }

    private(set) var path: String
    private(set) var expected: Counts
    private(set) var rules: String
    /// The line that names the columns, with its terminator.
    private(set) var header: String

    /// The counts that the generator says and the report must say, in the report's words.
    struct Counts: Decodable {
        var bytes: Int
        var records: Int
        var clean: Int
        var rejected: Int
        var structure: [String: Int]
        /// By rule, those that something fails.
        var rules: [String: Int]
    }

    /// Rows of a file of some of its records, without the header: no cell holds a line feed, so a row is a line. A file that is not
    /// there has none: some tools do not write what is empty.
    static func rows(at path: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var count = 0
        while let piece = try file.read(upToCount: 8 << 20), !piece.isEmpty {
            count += piece.count { $0 == UInt8(ascii: "\n") }
        }
        return max(0, count - 1)
    }

    /// Has it made by the project's own generator, `Scripts/make-example.py`.
    ///
    /// - Parameter valuesOnly: spoil values only; every record is well-formed and UTF-8, so that all tools can read it.
    init(
        _ kind: Kind = .ten, rows: Int, badPercent: Int, valuesOnly: Bool = false, name: String = "export",
        in place: Workplace
    ) throws {
        rules = kind.rules
        path = place.directory + "/\(name).csv"
        let script = packageFolder.appendingPathComponent("../Scripts/make-example.py").standardizedFileURL.path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "python3", script, "--columns", kind.rawValue, "--rows", "\(rows)", "--bad", "\(badPercent)",
                "--output",
                path,
            ] + (valuesOnly ? ["--values-only"] : [])
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandError(message: "\(script) failed") }
        expected = try JSONDecoder().decode(Counts.self, from: output)
        header = try Self.header(of: path)
    }

    private static func header(of path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let start = try file.read(upToCount: 4096) ?? Data()
        return String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) + "\n"
    }

    /// Writes the same rows with all columns again and again, under names of their own, and rules for all of them. Where there
    /// were a hundred rows of ten columns, there are ten of a hundred.
    ///
    /// - Precondition: made with `valuesOnly`; no cell holds a line feed.
    func repeatingColumns(_ copies: Int, in place: Workplace) throws -> ExportFile {
        var wide = self
        wide.header =
            (1...copies).flatMap { copy in Subject.all.map { "\($0.name)_\(copy)" } }.joined(separator: ",") + "\n"
        let file = place.directory + "/wide"
        (wide.path, wide.rules) = (file + ".csv", file + ".rules.yaml")
        var bytes = Data(wide.header.utf8)
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n")).dropFirst()
        for line in lines {
            for copy in 0..<copies {
                if copy > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(line)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        try bytes.write(to: URL(fileURLWithPath: wide.path))
        wide.expected.bytes = bytes.count
        var fields = "fields:\n"
        wide.expected.rules = [:]
        for copy in 1...copies {
            for subject in Subject.all {
                let pattern = subject.pattern.replacing("'", with: "''")
                fields += "  - name: \(subject.name)_\(copy)\n    constraints: {pattern: '\(pattern)'}\n"
                wide.expected.rules["\(subject.name)_\(copy).pattern"] = expected.rules[subject.name + ".pattern"]
            }
        }
        try fields.write(toFile: wide.rules, atomically: true, encoding: .utf8)
        return wide
    }

    /// Whether the rules hold the same patterns as the other cases; both are written by hand.
    static func checkRules() throws {
        let rules = Kind.ten.rules
        let text = try String(contentsOfFile: rules, encoding: .utf8)
        for subject in Subject.all {
            let quoted = "'" + subject.pattern.replacing("'", with: "''") + "'"
            guard text.contains("- name: \(subject.name)\n    constraints: {pattern: \(quoted)}") else {
                throw CommandError(message: "the pattern of \(subject.name) in \(rules) is another: \(quoted)")
            }
        }
    }
}
