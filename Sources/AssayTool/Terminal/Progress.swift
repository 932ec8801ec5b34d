import Assay
import AssayFiles
import CAssaySystem
import Synchronization

/// A progress line on standard error, redrawn ten times a second.
///
///     users.csv  ███████████·············  47 %  1.2 GB of 2.4 GB  3,912,000 rows/s  940 MB/s  1 s left
///     users.csv  reads customers.csv  800 MB  9,000,000 rows  …
///     users.csv  decides about the keys of 9,000,000 rows
final class Progress: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
    }

    /// Whether the terminal shows a bar now, which a dying process must erase.
    private static let isDrawn = Atomic(false)

    let isShown: Bool
    private let name: String
    private let start = ContinuousClock.now
    private let state = Lock(State())

    init(mode: ProgressMode, name: String) {
        self.name = name == CleanJob.standard ? "standard input" : splitPath(name).base
        isShown = mode == .always || (mode == .auto && isatty(2) == 1 && !Style.isDumb)
    }

    func show(_ progress: RunProgress) -> BulkControl {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            if let last = state.lastDrawn, now - last < .milliseconds(100) { return false }
            state.lastDrawn = now
            return true
        }
        if isDue {
            Self.isDrawn.store(true, ordering: .relaxed)
            writeError("\r\u{1B}[K" + line(progress, elapsed: now - start))
        }
        return .proceed
    }

    func finish() { Self.clear() }

    static func clear() {
        if isDrawn.exchange(false, ordering: .relaxed) { writeError("\r\u{1B}[K") }
    }

    private func line(_ progress: RunProgress, elapsed: Duration) -> String {
        let seconds = max(
            0.001, Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
        let rate = Double(progress.bytes - progress.resumed.bytes) / seconds
        let speed =
            "\(grouped(Int(Double(progress.records - progress.resumed.records) / seconds))) rows/s  "
            + "\(byteAmount(Int(rate)))/s"
        var name = printable(name)
        switch progress.stage {
        case .records: break
        case .references(let table): name += "  reads \(printable(table))"
        case .waiting: name += "  judges, and decides about keys at the end"
        case .keys: return "\(name)  decides about the keys of \(grouped(progress.records)) rows"
        case .writing: name += "  writes"
        }
        guard let total = progress.totalBytes, total > 0, progress.stage == .records || progress.stage == .waiting
        else {
            return "\(name)  \(byteAmount(progress.bytes))  \(grouped(progress.records)) rows  \(speed)"
        }
        let share = min(1, Double(progress.bytes) / Double(total))
        let left = max(0, Int((Double(total - progress.bytes) / max(1, rate)).rounded(.up)))
        let time = left >= 60 ? "\(left / 60) min \(left % 60) s" : "\(left) s"
        return "\(name)  \(Self.bar(share, width: 24))  \(Int(share * 100)) %  "
            + "\(byteAmount(progress.bytes)) of \(byteAmount(total))  \(speed)  \(time) left"
    }

    private static func bar(_ share: Double, width: Int) -> String {
        let full = Int(share * Double(width))
        return String(repeating: "█", count: full) + String(repeating: "·", count: width - full)
    }
}
