import Assay
import AssayFiles
import AssayRules
import Foundation
import Synchronization
import Testing

/// A source that hands out its bytes in pieces of a given size, as a slow pipe does.
struct PieceSource: Source {
    let name = "table.csv"
    let byteCount: Int?
    private let bytes: [UInt8]
    private let piece: Int
    private let position: Position

    final class Position: Sendable {
        let value = Mutex(0)
    }

    init(_ bytes: [UInt8], piece: Int = .max) {
        self.bytes = bytes
        self.piece = piece
        byteCount = bytes.count
        position = Position()
    }

    init(_ text: String, piece: Int = .max) { self.init(Array(text.utf8), piece: piece) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        position.value.withLock { position in
            let count = min(piece, buffer.count, bytes.count - position)
            buffer.copyBytes(from: bytes[position..<position + count])
            position += count
            return count
        }
    }
}

/// A sink with a limited capacity, like a disk that becomes full.
final class FullSink: Sink {
    let name = "full.csv"
    private let left: Mutex<Int>

    init(room: Int) { left = Mutex(room) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let isFull = left.withLock { left in
            left -= bytes.count
            return left < 0
        }
        if isFull { throw FileError("write", path: name, code: 28) }
    }
}

/// The results of a run, in memory.
struct Outcome: Equatable {
    var clean: [UInt8]
    var rejects: [UInt8]
    var findings: String
    var result: RunResult

    init(_ clean: MemorySink, _ rejects: MemorySink, _ findings: MemorySink, _ result: RunResult) {
        self.clean = clean.take()
        self.rejects = rejects.take()
        self.findings = String(decoding: findings.take(), as: UTF8.self)
        self.result = result
    }

    var cleanText: String { String(decoding: clean, as: UTF8.self) }
    var rejectText: String { String(decoding: rejects, as: UTF8.self) }
}

/// Runs a cleaner over bytes.
func clean(
    _ bytes: [UInt8], rules: String = "fields: []", piece: Int = .max, options: CleanerOptions = CleanerOptions(),
    dialect: Dialect? = nil, limits: ((inout Limits) -> Void)? = nil
) throws -> Outcome {
    var file =
        rules == "fields: []" ? RuleFile() : try RuleFile.parse(Array(rules.utf8), name: "rules.yaml")
    if let dialect { file.dialect = dialect }
    limits?(&file.limits)
    let (good, bad, findings) = (MemorySink(), MemorySink(), MemorySink())
    let result = try Cleaner(rules: file, options: options).run(
        PieceSource(bytes, piece: piece), to: Outputs(clean: good, rejects: bad, findings: findings))
    return Outcome(good, bad, findings, result)
}

func clean(
    _ text: String, rules: String = "fields: []", piece: Int = .max, options: CleanerOptions = CleanerOptions(),
    dialect: Dialect? = nil, limits: ((inout Limits) -> Void)? = nil
) throws -> Outcome {
    try clean(Array(text.utf8), rules: rules, piece: piece, options: options, dialect: dialect, limits: limits)
}

/// Whether tests run in their long form, with more generated input: `make test-all` sets ASSAY_SLOW_TESTS.
let runsSlowTests = ProcessInfo.processInfo.environment["ASSAY_SLOW_TESTS"] != nil

func threads(_ count: Int) -> CleanerOptions {
    var options = CleanerOptions()
    options.threads = count
    return options
}

/// SplitMix64, so that the numbers are reproducible.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests with back references and other patterns without a DFA, repairs with `replace`, or messages of PCRE2.
    /// Builds without the trait SystemPCRE2 skip them.
    static var needsPCRE2: Self { .enabled(if: hasPCRE2, "needs PCRE2") }
}

/// Whether this build has PCRE2.
let hasPCRE2 = EngineInfo.current.pcre2.hasPrefix("10.")
