import Assay
import CAssay
import CBareLoop
import Foundation

/// The machine and the software of a measurement.
struct Machine {
    let name: String
    let facts: [(String, String)]
    /// The commit of the measured sources, if git reports it.
    let commit: String

    /// The name in the form of a folder name.
    var slug: String {
        let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.joined(separator: "-")
    }

    var table: Table {
        var table = Table("", "measured with")
        for (key, value) in facts { table.add(key, value) }
        return table
    }

    init() {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let memory = ProcessInfo.processInfo.physicalMemory >> 30
        name = "\(Self.processor), \(processors) cores"
        commit = Self.commit
        // The version of the compiler is that of the toolchain in PATH, which made the release build.
        facts = [
            (
                "machine",
                "\(name), \(memory) GB, \(ProcessInfo.processInfo.operatingSystemVersionString), \(Self.kernel)"
            ),
            ("assay", "\(String(cString: assay_version())), byte functions: \(String(cString: assay_cpu()))"),
            ("pcre2", Self.pcre2),
            (
                "swift",
                Self.output(of: ["swift", "--version"])?.split(separator: "\n").first.map(String.init) ?? "unknown"
            ),
        ]
    }

    private static var processor: String {
        #if os(Linux)
            let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
            let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
            return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
                ?? "unknown processor"
        #else
            return output(of: ["sysctl", "-n", "machdep.cpu.brand_string"]) ?? "unknown processor"
        #endif
    }

    private static var kernel: String { output(of: ["uname", "-srm"]) ?? "" }

    private static var pcre2: String {
        var version = [CChar](repeating: 0, count: 64)
        bare_engine_version(&version)
        let text = String(decoding: version.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(text), JIT \(assay_engine_has_jit() ? "works" : "does not work here")"
    }

    /// The load of the machine in the last minute.
    static var load: String {
        var averages = [Double](repeating: 0, count: 3)
        return getloadavg(&averages, 3) == 3 ? String(format: "%.2f", averages[0]) : "unknown"
    }

    /// The commit, with a plus if the sources have uncommitted changes.
    private static var commit: String {
        let git = ["git", "-C", packageFolder.deletingLastPathComponent().path]
        guard let commit = output(of: git + ["rev-parse", "--short", "HEAD"]), !commit.isEmpty else { return "unknown" }
        let changes = output(
            of: git + ["status", "--porcelain", "--", "Sources", "Benchmarks/Sources", "Benchmarks/rivals"])
        return commit + (changes?.isEmpty == false ? "+" : "")
    }

    private static func output(of command: [String]) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
