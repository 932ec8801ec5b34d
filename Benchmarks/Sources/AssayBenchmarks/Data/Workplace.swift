import Dispatch
import Foundation
import Synchronization

/// The folder of this package's sources, as of the build.
let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

/// A temporary folder for exports and outputs, in memory if possible.
struct Workplace {
    let directory: String

    init(in parent: String) throws {
        Self.removeLeftovers(in: parent)
        directory = parent + "/" + Self.prefix + "\(ProcessInfo.processInfo.processIdentifier)"
        Self.current.withLock { [directory] in $0 = directory }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    private static let prefix = "assay-benchmarks-"

    /// Removes the files of killed runs, because they may fill the memory.
    private static func removeLeftovers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(atPath: parent + "/" + name)
        }
    }

    /// Removes the folder when a signal ends the run, so that its files do not stay in memory. Results are written
    /// after each case, so a run can be ended at any time.
    ///
    /// Must be called before other threads exist, because they inherit the blocked signals. On Linux, Dispatch reads
    /// signals from a descriptor and would miss signals that are ignored or that another thread handles.
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

    // SAFETY: written once, before other threads exist.
    private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []
    private static let current = Mutex<String?>(nil)

    /// The free bytes of the file system, limited to the free memory, because the file system may be in memory.
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

    /// Allocates memory, writes to it and frees it, because the first use of memory in a virtual machine is slow and
    /// must not be measured. Call it directly before each run, because some machines reclaim free memory within
    /// seconds.
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

/// An export in a file, with its expected result.
struct ExportFile {
    /// The columns of the export, as the generator names them.
    enum Kind: String {
        /// Ten columns with a pattern each: those of the ten subjects.
        case ten
        /// Eight columns with a built-in type each.
        case types

        /// The path of the rule file.
        var rules: String {
            packageFolder.appendingPathComponent(self == .ten ? "export.rules.yaml" : "types.rules.yaml").path
        }
    }

    private(set) var path: String
    private(set) var expected: Counts
    private(set) var rules: String
    /// The header line with its terminator.
    private(set) var header: String

    /// The counts of the generator, which the report must equal. The names are those of the report.
    struct Counts: Decodable {
        var bytes: Int
        var records: Int
        var clean: Int
        var rejected: Int
        var structure: [String: Int]
        /// The count of findings per rule, for rules that have findings.
        var rules: [String: Int]
    }

    /// The number of rows of an output file, without the header. Rows are lines, because no cell contains a line feed.
    /// A missing file has 0 rows, because some tools do not write empty files.
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

    /// Makes an export with `Scripts/make-example.py`.
    ///
    /// - Parameter valuesOnly: spoil only values; every record is well-formed and UTF-8, so that all tools can read it.
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

    /// Writes the same cells in fewer rows with repeated columns, which have distinct names, and rules for all columns.
    /// A hundred rows of ten columns become ten rows of a hundred columns.
    ///
    /// - Precondition: The export was made with `valuesOnly`, and no cell contains a line feed.
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

    /// Checks that the rule file has the same patterns as the subjects, because both are written by hand.
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
