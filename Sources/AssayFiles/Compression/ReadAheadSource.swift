internal import Assay
internal import CAssaySystem
internal import Synchronization

/// The bytes of a stage, produced ahead of the reader by separate threads, in limited memory.
///
///     thread 1   cut ▸ finish ──────► cut ▸ finish ──►        blocks wait in the order of the source
///     thread 2         cut ▸ finish ──────► cut ▸ …                        │
///     reader           ────────────────────────── read ◄──────────────────┘
///
/// The threads end at the end of the source, or when the `ReadAheadSource` is deallocated. A thread that is waiting for
/// a pipe then ends after the next bytes of the pipe.
///
/// Before ``startReadingAhead()``, and always with 0 threads, the reading thread produces the blocks, with the memory
/// of one block, because only the heads of many files may be needed. The same applies after a wrong guess.
final class ReadAheadSource: Source, ReadingAhead {
    private let source: any Source
    private let threads: Int
    private let state: Lock<State>
    /// The number of source bytes for the blocks read so far, and the number of bytes of those blocks.
    private let taken = Atomic(0)
    private let made = Atomic(0)

    /// The state of the reading thread.
    private struct State {
        var stage: any BlockStage
        /// The block that is being read.
        var block: Block
        var pipeline: Pipeline?
        var mayStart: Bool
        var hasEnded = false
    }

    var name: String { source.name }

    /// An estimate from the fraction of the source read so far; `nil` if its length is unknown.
    var byteCount: Int? {
        let (taken, made) = (taken.load(ordering: .relaxed), made.load(ordering: .relaxed))
        guard let bytes = source.byteCount, taken > 0 else { return nil }
        return Int(Double(made) * Double(bytes) / Double(taken))
    }

    /// - Parameter threads: The number of threads; 0 means that the reading thread produces the blocks.
    init(_ stage: any BlockStage, threads: Int) throws(FileError) {
        source = stage.source
        self.threads = threads
        do throws(NoMemoryError) {
            state = Lock(State(stage: stage, block: try Block(), mayStart: threads > 0))
        } catch {
            throw FileError("read", path: source.name, code: ENOMEM)
        }
    }

    deinit { state.withLock { $0.pipeline?.cancel() } }

    func startReadingAhead() {
        source.startReadingAheadIfPossible()
        state.withLock { state in
            if !state.mayStart { return }
            state.mayStart = false
            // Without memory or threads, the reading thread continues to produce the blocks.
            guard let pipeline = try? Pipeline(state.stage, blocks: 2 * threads + 1) else { return }
            var started = 0
            for _ in 0..<threads where runDetached({ pipeline.work() }) { started += 1 }
            if started > 0 { state.pipeline = pipeline }
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try state.withLock { state throws(FileError) in
            while true {
                let count = state.block.move(into: buffer)
                if count > 0 { return count }
                if let failure = state.block.failure { throw failure }
                guard try next(&state) else { return 0 }
                if state.block.isMisguided {
                    try startAgain(&state)
                } else if state.block.failure == nil {
                    // The error is reported after the block's bytes.
                    do throws(FileError) { try state.stage.accept(state.block) } catch { state.block.failure = error }
                }
                taken.store(state.block.inputEnd, ordering: .relaxed)
                made.wrappingAdd(state.block.count, ordering: .relaxed)
            }
        }
    }

    /// Advances to the next block. Returns `false` after the last one.
    private func next(_ state: inout State) throws(FileError) -> Bool {
        if state.hasEnded { return false }
        if let pipeline = state.pipeline {
            guard let block = pipeline.next() else {
                state.hasEnded = true
                state.pipeline = nil
                return false
            }
            pipeline.giveBack(state.block)
            state.block = block
            return true
        }
        state.block.reuse()
        guard try state.stage.cut(state.block) else {
            state.hasEnded = true
            return false
        }
        if state.block.isUnfinished { try state.stage.finish(state.block) }
        return true
    }

    /// Produces the bytes again without guesses, from a block that started with a wrong guess.
    private func startAgain(_ state: inout State) throws(FileError) {
        guard let stage = state.stage as? any RestartableStage else {
            preconditionFailure("only a stage that can start again makes guesses")
        }
        state.pipeline?.cancel()
        state.pipeline = nil
        state.mayStart = false
        state.stage = try stage.restarted(at: state.block)
        state.block.reuse()
        state.block.inputEnd = state.block.inputStart
    }
}

/// A source that can read ahead in separate threads, after a call.
protocol ReadingAhead {
    func startReadingAhead()
}

/// The blocks between the threads that produce them and the reading thread.
private final class Pipeline: Sendable {
    private let stage: any BlockStage
    /// The sequence number of the next block, locked by the thread that cuts.
    private let cutting = Lock(0)
    private let state: Monitor<State>

    private struct State {
        var free: [Block]
        var finished: [Int: Block] = [:]
        var nextToRead = 0
        /// The number of blocks; `nil` if the source has not ended.
        var end: Int?
        var isCancelled = false
    }

    init(_ stage: any BlockStage, blocks: Int) throws(NoMemoryError) {
        self.stage = stage
        var free: [Block] = []
        for _ in 0..<blocks { free.append(try Block()) }
        state = Monitor(State(free: free))
    }

    /// Produces blocks until the source ends.
    func work() {
        // A free block is awaited before cutting, because cutting determines the block's sequence number.
        while let block = takeFree(), make(block) {}
    }

    /// Produces the next block. Returns `false` if there is no further one.
    private func make(_ block: Block) -> Bool {
        block.reuse()
        let isEnd = cutting.withLock { sequence -> Bool in
            if state.change({ $0.end != nil || $0.isCancelled }) { return true }
            block.sequence = sequence
            do throws(FileError) {
                if try !stage.cut(block) {
                    endSource(at: sequence)
                    return true
                }
            } catch {
                block.failure = error
                endSource(at: sequence + 1)
            }
            sequence += 1
            return false
        }
        if isEnd {
            giveBack(block)
            return false
        }
        if block.failure == nil && block.isUnfinished {
            do throws(FileError) { try stage.finish(block) } catch { block.failure = error }
        }
        state.change { $0.finished[block.sequence] = block }
        return true
    }

    private func endSource(at sequence: Int) { state.change { $0.end = sequence } }

    private func takeFree() -> Block? {
        state.wait { state -> Block?? in
            if state.isCancelled || state.end != nil { return .some(nil) }
            return state.free.popLast().map { .some($0) }
        }
    }

    /// The next block in order; `nil` at the end. Instead of waiting, the reading thread produces another block if
    /// cutting does not wait.
    func next() -> Block? {
        while true {
            let step = state.wait { state -> Step? in
                if state.nextToRead == state.end || state.isCancelled { return .end }
                if let block = state.finished.removeValue(forKey: state.nextToRead) {
                    state.nextToRead += 1
                    return .read(block)
                }
                if !stage.cutsAtOnce || state.end != nil { return nil }
                return state.free.popLast().map { .make($0) }
            }
            switch step {
            case .read(let block): return block
            case .make(let block): _ = make(block)
            case .end: return nil
            }
        }
    }

    /// The next action of the reading thread.
    private enum Step {
        case read(Block)
        case make(Block)
        case end
    }

    func giveBack(_ block: Block) { state.change { $0.free.append(block) } }

    func cancel() { state.change { $0.isCancelled = true } }
}
