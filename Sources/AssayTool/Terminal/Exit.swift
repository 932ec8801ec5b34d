import ArgumentParser
import Assay
import AssayFiles
import AssayRules
import CAssaySystem

/// The exit statuses of the command (see `assay --help`).
enum Status: Int32, Comparable {
    case done = 0
    case fellShort = 1
    case couldNotStart = 2
    case failedUnderway = 3

    /// The status of several inputs is the worst: 3 > 1 > 0.
    static func < (one: Status, other: Status) -> Bool { one.rawValue < other.rawValue }
}

/// An error that ends the command without a further message.
struct Ending: Error {
    var status: Status
}

extension AssayCommand {
    /// Reports an error and ends the process.
    ///
    /// - Parameter command: the running command; before it is known, the root command.
    static func exit(reporting error: any Error, of command: any ParsableCommand.Type) -> Never {
        switch error {
        case let ending as Ending:
            endProcess(ending.status)
        case let error as FileError where error.isBrokenPipe:
            Signals.dieOfBrokenPipe()
        case let error as FileError:
            complain(error)
            endProcess(.failedUnderway)
        case is PublishError, is ConservationError, is NoMemoryError:
            complain(error)
            endProcess(.failedUnderway)
        case let error as RuleFileError:
            complain(error)
            endProcess(.couldNotStart)
        case is InputError, is CompileError:
            complain(error)
            endProcess(.couldNotStart)
        case let error as ArgumentParser.ValidationError:
            // An error of a command that was parsed. The parser would show the usage of the root command.
            complain(
                "\(printable(error.message))\nUsage: \(usageString(for: command))\n"
                    + "  See 'assay \(command._commandName) --help' for more information.")
            endProcess(.couldNotStart)
        default:
            // ArgumentParser's own errors: help and version exit with 0, wrong usage with 64, which becomes 2.
            let message = fullMessage(for: error)
            // Test the prefix first, because `exitCode(for:)` renders the message again, which takes longer than
            // parsing a command.
            if !message.hasPrefix("Error: ") && exitCode(for: error).isSuccess {
                do throws(FileError) {
                    try DescriptorSink(descriptor: 1, name: "standard output").write(Array((message + "\n").utf8))
                } catch {
                    if error.isBrokenPipe { Signals.dieOfBrokenPipe() }
                    complain(error)
                    endProcess(.failedUnderway)
                }
                endProcess(.done)
            }
            // The message quotes the command line, so escape control characters.
            var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { printable($0) }
            // The word may be a value that begins with a hyphen, or a file name.
            var unknown: String?
            if lines[0].hasPrefix("Error: Unknown option '-") {
                unknown = lines[0].split(separator: "'").dropFirst().first.map(String.init)
            } else if lines[0].hasPrefix("Error: Missing expected argument") {
                unknown = CommandLine.arguments.first { isOneHyphen($0) && $0.contains(".") && !$0.contains("=") }
            }
            if let unknown, isOneHyphen(unknown) {
                lines.insert(
                    "  hint: put -- before arguments that begin with a hyphen: … -- \(shellQuoted(unknown))", at: 1)
            }
            let text = lines.joined(separator: "\n")
            if !text.isEmpty {
                writeError((text.hasPrefix("Error: ") ? "assay: error: " + text.dropFirst(7) : text) + "\n")
            }
            endProcess(.couldNotStart)
        }
    }
}

/// Returns whether a word of the command line may be a value that begins with a hyphen, rather than an option.
private func isOneHyphen(_ word: String) -> Bool { word.hasPrefix("-") && !word.hasPrefix("--") }

/// Ends the process. The name differs from the static `exit` methods of the commands.
func endProcess(_ status: Status) -> Never {
    CAssaySystem.exit(status.rawValue)
}

/// Ends the process when memory runs out and an error cannot be thrown. It must not allocate.
func endWithoutMemory() -> Never {
    StagedFile.removeAllForExit()
    let line: StaticString = "assay: error: there is no memory left\n"
    _ = CAssaySystem.write(2, line.utf8Start, line.utf8CodeUnitCount)
    _exit(Status.failedUnderway.rawValue)
}

func complain(_ error: any Error) { complain((error as? InputError)?.inOptions ?? "\(error)") }

/// Reports the mistakes in a rule file, each with its place.
func complain(_ error: RuleFileError) { writeError("\(error.advising(\.option))\n") }

func complain(_ message: String) { writeError("assay: error: \(message)\n") }

/// Reports that an input may be read with wrong settings, and the commands for other settings.
func warn(of doubt: HeadDoubt?, input: String, in invocation: Invocation) {
    guard let doubt else { return }
    // The delimiter of `.tsv` files is a guess. A delimiter in an option or a rule file is not.
    if doubt.isOneColumn && (invocation.has("--delimiter") || invocation.rulesHaveDelimiter) { return }
    var text = "assay: \(input == CleanJob.standard ? "standard input" : printable(input)): \(doubt)\n"
    let remedies = Remedies(invocation: invocation)
    let commands =
        switch doubt {
        case .otherReading(let reading): remedies.commands(reading: [input], with: reading.settings)
        case .noObjects: [remedies.command(reading: [input], with: [("--format", InputFormat.csv.rawValue)])]
        case .headerIsData, .oneColumn, .shortHeader: [String]()
        }
    if !commands.isEmpty { text += "  try:\n" + commands.map { "    \($0)\n" }.joined() }
    writeError(text)
}

/// Writes to standard error. Ignores failures, because they cannot be reported.
func writeError(_ text: String) {
    try? DescriptorSink(descriptor: 2, name: "standard error").write(Array(text.utf8))
}

/// Writes to standard output.
func writeOutput(_ text: String) throws {
    try DescriptorSink(descriptor: 1, name: "standard output").write(Array(text.utf8))
}
