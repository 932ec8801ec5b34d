import Assay
import Foundation

// swift run -c release many-strings PATTERN < lines.txt
// Prints the lines that do not match, with their numbers, and counts them.

var arguments = CommandLine.arguments.dropFirst()
guard let source = arguments.popFirst(), arguments.isEmpty else {
    print("usage: many-strings PATTERN < lines.txt")
    exit(2)
}

var lines: [String] = []
while let line = readLine() { lines.append(line) }

do {
    let mask = try Pattern(source).verdicts(for: lines)
    for index in mask.indices(of: .fail) { print("\(index + 1): \(lines[index])") }
    for index in mask.indices(of: .undecided) { print("\(index + 1): costs too much to judge") }
    print("\(mask.passedCount) of \(mask.count) match")
} catch {
    print("the pattern: \(error)")
}
