import Foundation

/// A command that assay-measure runs and measures. assay-measure is in the folder of this program.
struct Command {
    let path: String

    /// - Parameter resolvingLinks: False for a program that finds its files by the path of its call.
    init(path: String, resolvingLinks: Bool = true) throws {
        let absolute = resolvingLinks ? URL(fileURLWithPath: path).standardizedFileURL.path : path
        guard FileManager.default.isExecutableFile(atPath: absolute) else {
            throw CommandError(
                message: "there is no command \(path); build it first (make build), or name it by --command")
        }
        self.path = absolute
    }

    private static var launcher: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("assay-measure")
    }

    /// The limits of a command; 0 is no limit.
    struct Limit {
        var seconds = 0
        var megabytes = 0
    }

    /// Runs the command to its end on `processors` processors (0: all). The measured times include its start and its
    /// end.
    ///
    /// - Throws: `OverLimit` if the command exceeded a limit.
    func run(
        _ arguments: [String], processors: Int = 0, limit: Limit = Limit()
    ) throws -> (sample: Sample, status: Int) {
        let process = Process()
        process.executableURL = Self.launcher
        process.arguments = ["\(processors)", "\(limit.seconds)", "\(limit.megabytes)", path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let numbers = String(decoding: data, as: UTF8.self).split { $0.isWhitespace }.compactMap { Int($0) }
        guard numbers.count == 7 else { throw CommandError(message: "assay-measure could not run \(path)") }
        switch numbers[6] {
        case 1: throw OverLimit(what: "over \(limit.seconds) s")
        case 2: throw OverLimit(what: "over \(figure(Double(limit.megabytes) / 1e3)) GB of memory")
        default: break
        }
        let sample = Sample(
            wall: Double(numbers[0]) / 1e9, cpu: Double(numbers[1] + numbers[2]) / 1e6, peakBytes: numbers[3],
            ownBytes: numbers[4] > 0 ? numbers[4] : nil)
        return (sample, numbers[5])
    }
}

extension Command {
    /// Returns the output of the command without surrounding white space; nil if it fails.
    func output(_ arguments: [String]) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// The error for a command that exceeded a limit and was ended.
struct OverLimit: Error {
    /// The text in tables, such as "over 60 s".
    var what: String
}

struct CommandError: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
}
