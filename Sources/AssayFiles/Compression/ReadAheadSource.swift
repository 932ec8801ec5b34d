internal import Assay

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The bytes of a stage, made ahead of whoever reads them by threads of its own, in bounded memory.
///
///     thread 1   cut ▸ finish ──────► cut ▸ finish ──►        blocks wait in the order of the source
///     thread 2         cut ▸ finish ──────► cut ▸ …                        │
///     reader           ────────────────────────── read ◄──────────────────┘
///
/// The threads end when the source has ended, or when nobody refers to the `ReadAheadSource` any more; one that waits for a
/// pipe meanwhile ends once something comes out of it.
///
/// Until ``startReadingAhead()``, whoever reads makes the blocks, in the memory of one: of many files only the heads are read at
/// first.
final class ReadAheadSource: Source, ReadingAhead {
    private let stage: any BlockStage
    private let threads: Int
    private let state: Lock<State>

    /// Used by the thread that reads.
    private struct State {
        /// The block that is being read.
        var block: Block
        var pipeline: Pipeline?
        /// What is read instead once a guess was wrong.
        var instead: SerialStageSource?
        var hasEnded = false
    }

    var name: String { stage.name }
    var byteCount: Int? { stage.estimatedByteCount }

    /// - Parameter threads: how many blocks are made side by side, at least 1.
    init(_ stage: any BlockStage, threads: Int) throws(NoMemoryError) {
        self.stage = stage
        self.threads = threads
        state = Lock(State(block: try Block()))
    }

    deinit { state.withLock { $0.pipeline?.cancel() } }

    func startReadingAhead() {
        state.withLock { state in
            if state.pipeline != nil || state.hasEnded || state.instead != nil { return }
            // Without memory or threads it goes on as before.
            guard let pipeline = try? Pipeline(stage, blocks: 2 * threads + 1) else { return }
            var started = 0
            for _ in 0..<threads where runDetached({ pipeline.work() }) { started += 1 }
            if started > 0 { state.pipeline = pipeline }
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        try state.withLock { state throws(FileError) in
            if let instead = state.instead { return try instead.read(into: buffer) }
            while true {
                let count = state.block.move(into: buffer)
                if count > 0 { return count }
                if let failure = state.block.failure { throw failure }
                guard try next(&state) else { return 0 }
                if state.block.isMisguided {
                    state.pipeline?.cancel()
                    let instead = try startAgain(at: state.block.start)
                    state.instead = instead
                    return try instead.read(into: buffer)
                }
            }
        }
    }

    /// Goes on to the next block. `false`: there is none.
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
        guard try stage.cut(state.block) else {
            state.hasEnded = true
            return false
        }
        if state.block.isUnfinished { try stage.finish(state.block) }
        return true
    }

    /// The bytes from a block on whose beginning was a wrong guess, made without guessing.
    private func startAgain(at offset: Int) throws(FileError) -> SerialStageSource {
        guard let stage = stage as? any RestartableStage else {
            preconditionFailure("only a stage that can start again makes guesses")
        }
        let restarted = try stage.restarted(at: offset)
        do throws(NoMemoryError) {
            return try SerialStageSource(restarted)
        } catch {
            throw FileError("read", path: stage.name, code: ENOMEM)
        }
    }
}

/// A source that can be read ahead by threads of its own, once it is its turn.
protocol ReadingAhead {
    func startReadingAhead()
}

/// Blocks between the threads that make them and the one that reads them.
private final class Pipeline: Sendable {
    private let stage: any BlockStage
    /// Held by the thread that cuts.
    private let cutting = Lock(0)
    private let state: Monitor<State>

    private struct State {
        var free: [Block]
        var finished: [Int: Block] = [:]
        var nextToRead = 0
        /// How many blocks there are; `nil`: the source has not ended.
        var end: Int?
        var isCancelled = false
    }

    init(_ stage: any BlockStage, blocks: Int) throws(NoMemoryError) {
        self.stage = stage
        var free: [Block] = []
        for _ in 0..<blocks { free.append(try Block()) }
        state = Monitor(State(free: free))
    }

    /// Makes blocks until the source ends.
    func work() {
        while true {
            // Which block it is, is settled while it is cut; a free one is waited for before.
            guard let block = takeFree() else { return }
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
            if isEnd { return giveBack(block) }
            if block.failure == nil && block.isUnfinished {
                do throws(FileError) { try stage.finish(block) } catch { block.failure = error }
            }
            state.change { $0.finished[block.sequence] = block }
        }
    }

    private func endSource(at sequence: Int) { state.change { $0.end = sequence } }

    private func takeFree() -> Block? {
        state.wait { state -> Block?? in
            if state.isCancelled || state.end != nil { return .some(nil) }
            return state.free.popLast().map { .some($0) }
        }
    }

    /// The next block in order; `nil` at the end.
    func next() -> Block? {
        state.wait { state -> Block?? in
            if state.nextToRead == state.end || state.isCancelled { return .some(nil) }
            guard let block = state.finished.removeValue(forKey: state.nextToRead) else { return nil }
            state.nextToRead += 1
            return .some(block)
        }
    }

    func giveBack(_ block: Block) { state.change { $0.free.append(block) } }

    func cancel() { state.change { $0.isCancelled = true } }
}

/// A stage that can begin anew in the middle of its source.
protocol RestartableStage: BlockStage {
    /// The same stage from a byte of the source on, which guesses nothing.
    func restarted(at offset: Int) throws(FileError) -> any BlockStage
}
