// Cleans many tables in one process, for Tests/Torture/conservation.py, which describes each run on a line of standard
// input:
//
//     way threads readBytes blockBytes tail records pieceBytes memory format packing encoding files
//     job 3       100       64         20   7       1          0      csv    none    utf-8    2
//
// All files are in the directory that the first argument names. The table is `table` and, if there are several files,
// `table2` and so on. The rules are `rules.json`, and the outputs are `clean`, `rejects` and `findings`. The answer is
// a line on standard output: `done` and the numbers of records, clean and rejected ones; or `refused` and the reason.
//
//     job       a CleanJob over the file, as the command runs it: staged files, written in parallel, and renamed
//     pieces    a Cleaner over a source that provides `pieceBytes` at a time, as a pipe does, into memory
//     stream    a CleanStream that receives `pieceBytes` at a time

import Assay
import AssayFiles
import AssayRules
import CAssaySystem
import Synchronization

let directory = CommandLine.arguments[1]

func contents(_ name: String) throws -> [UInt8] {
    let source = try FileSource(path: "\(directory)/\(name)")
    return try [UInt8](unsafeUninitializedCapacity: source.byteCount ?? 0) { buffer, count in
        while count < buffer.count {
            let room = UnsafeMutableRawBufferPointer(buffer)[count...]
            let read = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: room))
            if read == 0 { break }
            count += read
        }
    }
}

func keep(_ bytes: [UInt8], as name: String) throws {
    let descriptor = open("\(directory)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    try DescriptorSink(descriptor: descriptor, name: name).write(bytes)
}

/// Provides `piece` bytes at a time.
final class PieceSource: Source {
    let name = "table"
    let byteCount: Int? = nil
    private let bytes: [UInt8]
    private let piece: Int
    private let position = Mutex(0)

    init(_ bytes: [UInt8], piece: Int) { (self.bytes, self.piece) = (bytes, piece) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        position.withLock { position in
            let count = min(piece, buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }
}

func clean(_ words: [Substring]) throws -> RunResult {
    func number(_ index: Int) -> Int { Int(words[index])! }
    let rules = try RuleFile.parse(contents("rules.json"), name: "rules.json")
    let (way, piece) = (words[0], number(6))
    var options = CleanerOptions()
    options.threads = number(1)
    options.chunkSizes = ChunkSizes(
        readBytes: number(2), blockBytes: number(3), tail: number(4), records: number(5))
    if number(7) > 0 { options.memory = number(7) }
    options.temporaryDirectory = directory
    options.format = InputFormat(rawValue: String(words[8]))
    let cleaner = try Cleaner(rules: rules, options: options)
    if way == "job" {
        let others = number(11) > 1 ? (2...number(11)).map { "\(directory)/table\($0)" } : []
        let job = try CleanJob(
            inputs: ["\(directory)/table"] + others, force: true, format: options.format,
            keepsEncoding: words[10] == "same"
        ) { _ in
            let ending = Compression(rawValue: String(words[9]))?.ending ?? ""
            return OutputPaths(
                clean: "\(directory)/clean\(ending)", rejects: "\(directory)/rejects\(ending)",
                findings: "\(directory)/findings")
        }
        return try job.run(cleaner).result
    }
    let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
    let outputs = Outputs(clean: good, rejects: bad, findings: findings)
    let table = try contents("table")
    let result: RunResult
    if way == "stream" {
        var stream = cleaner.stream(named: "table", to: outputs)
        var rest = table[...]
        while !rest.isEmpty {
            try stream.write(rest.prefix(piece))
            rest = rest.dropFirst(piece)
        }
        result = try stream.finish()
    } else {
        result = try cleaner.run(PieceSource(table, piece: piece), to: outputs)
    }
    try keep(good.take(), as: "clean")
    try keep(bad.take(), as: "rejects")
    try keep(findings.take(), as: "findings")
    return result
}

let output = DescriptorSink(descriptor: 1, name: "standard output")
while let line = readLine() {
    var answer: String
    do {
        let result = try clean(line.split(separator: " "))
        answer = "done \(result.records) \(result.clean) \(result.rejected)"
    } catch {
        answer = "refused \("\(error)".split(separator: "\n").joined(separator: " "))"
    }
    try output.write(Array("\(answer)\n".utf8))
}
