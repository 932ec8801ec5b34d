internal import Assay
internal import CAssaySystem
internal import CGzip

/// Decompresses gzip (RFC 1952).
///
/// A file consists of independent members. There are four cases:
///
/// - Members with their sizes in the header, as bgzip and Assay write them, are decompressed in parallel. A wrong size
///   is an error (``Inflater``) in parallel and serial decompression, because the rest of such a header is not reliable
///   either.
/// - The ends of other members are unknown. In regular files, the headers of following members are searched. The data
///   between two headers is decompressed in parallel, on the guess that they are headers and not compressed data. The
///   checksums verify the guess. After a wrong guess, the data from there on is decompressed again, serially.
/// - Members with independent parts, as `pigz -i` writes them, are cut at the full flushes between the parts
///   (`GzipParts.swift`).
/// - Other members without an end within ``guessBytes`` are decompressed serially.
final class GzipStage: RestartableStage {
    let source: any Source
    /// Whether the ends of members are guessed.
    private let guesses: Bool
    private let state: Lock<State>
    /// The member that `accept` processes, in the order of the source.
    private let member: Lock<MemberUnderWay>

    /// The number of bytes in which the end of a member is searched.
    static let guessBytes = 1 << 20
    /// The maximum decompressed size of a guess. Larger ones are decompressed serially.
    static let maxGuessBytes = 16 << 20
    /// The maximum decompressed size of a member with its size in the header, as in bgzip. Larger ones are decompressed
    /// serially.
    static let maxMemberBytes = 1 << 16
    /// The maximum compressed size of members that are combined in one block.
    static let togetherBytes = 1 << 17
    /// The size of a header that contains the member's size.
    private static let headerBytes = 18

    struct State {
        var input: PackedInput
        let inflater: Inflater
        /// The progress of cutting members into parts; `nil` if they are not cut.
        var parts: PartsUnderWay?
        /// Whether a member is being decompressed serially.
        var isInside = false
        var memberStart = 0
        var members = 0
        /// The offset from which the end of a member is searched again, after a search without a result.
        var endlessUntil = 0
    }

    /// - Parameters:
    ///   - guesses: Whether several threads decompress, so that guesses help.
    ///   - offset: The offset of the source's next byte in its file.
    ///   - skip: The number of decompressed bytes to skip.
    init(_ source: any Source, guesses: Bool, offset: Int? = nil, skip: Int = 0) throws(FileError) {
        self.source = source
        let input = PackedInput(source, offset: offset)
        self.guesses = guesses && input.isFile
        member = Lock(MemberUnderWay(start: input.offset, skip: skip))
        state = Lock(State(input: input, inflater: try Inflater(source.name)))
    }

    func restarted(at block: Block) throws(FileError) -> any BlockStage {
        guard let file = source as? FileSource else { preconditionFailure("guesses are made of regular files only") }
        // Decompression cannot start in the middle of a member, so the current one is decompressed again from its
        // start.
        let (offset, skip) =
            if case .parts = block.guess { member.withLock { ($0.start, $0.length) } } else { (block.inputStart, 0) }
        return try GzipStage(FileTail(file, from: offset), guesses: false, offset: offset, skip: skip)
    }

    func cut(_ block: Block) throws(FileError) -> Bool {
        try state.withLock { state throws(FileError) in
            defer { block.inputEnd = state.input.offset }
            while true {
                if state.parts != nil { return try cutParts(&state, block) }
                if state.isInside {
                    if try inflate(&state, block) { return true }
                    continue
                }
                try state.input.fill(Self.headerBytes)
                if state.input.count == 0 { return false }
                if state.members > 0 {
                    // Tapes and block devices end in zeros.
                    if try skipZeros(&state) { continue }
                    if state.input.withBytes({ !$0.starts(with: [0x1F, 0x8B]) }) {
                        throw damaged(at: state.input.offset, "the next bytes are not a gzip member")
                    }
                }
                if try cutMembers(&state, block) { return true }
                if guesses, try hasParts(&state, block) {
                    state.parts = PartsUnderWay()
                    member.withLock { $0.start = state.input.offset }
                    continue
                }
                try fillHeader(&state)
                state.isInside = true
                state.memberStart = state.input.offset
                state.input.withBytes(state.inflater.begin)
            }
        }
    }

    /// Reads until the header of a member is complete, because ISA-L loses its position in a split header, and because
    /// the header may contain the size. Headers of more than 1 MiB do not occur.
    private func fillHeader(_ state: inout State) throws(FileError) {
        while !state.input.hasEnded && state.input.count < Self.guessBytes,
            state.input.withBytes({ gzip_is_cut_in_header($0.baseAddress, $0.count) })
        {
            try state.input.fill(state.input.count + 1)
        }
    }

    /// Cuts members that can be decompressed independently. Returns `false` if the next one must be decompressed
    /// serially.
    private func cutMembers(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        var together = 0
        // For a pipe, only the available bytes are used.
        while together == 0 || state.input.isFile || state.input.count >= together + Self.headerBytes {
            try state.input.fill(together + Self.headerBytes)
            let size = state.input.withBytes { bytes in
                bytes.count <= together ? 0 : gzip_member_size(bytes.baseAddress! + together, bytes.count - together)
            }
            guard size > 0, together + size <= max(size, Self.togetherBytes) else { break }
            if together > 0 && !state.input.isFile && state.input.count < together + size { break }
            try state.input.fill(together + size)
            if state.input.count < together + size
                || state.input.length(endingAt: together + size) > Self.maxMemberBytes
            {
                break
            }
            together += size
        }
        if together == 0 {
            guard guesses, state.input.offset >= state.endlessUntil else { return false }
            try state.input.fill(Self.guessBytes)
            together = state.input.withBytes(Self.lastMember)
            if together == 0 && state.input.hasEnded && state.members > 0 && state.input.count < Self.guessBytes {
                together = state.input.count
            }
            if together == 0 {
                state.endlessUntil = state.input.offset + state.input.count / 2
                return false
            }
            block.guess = .members
        }
        state.members += 1
        state.input.move(together, to: block)
        return true
    }

    /// The probable start of the last member in these bytes; 0 if there is only the first one.
    private static func lastMember(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var found = 0
        var from = 18
        // Small members are combined in one block, large ones are not.
        while from + 10 < bytes.count, found < togetherBytes,
            let next = memchr(bytes.baseAddress! + from, 0x1F, bytes.count - from - 9)
        {
            let at = UnsafeRawPointer(bytes.baseAddress!).distance(to: UnsafeRawPointer(next))
            if gzip_is_member(bytes.baseAddress! + at, bytes.count - at) { found = at }
            from = at + 1
        }
        return found
    }

    func finish(_ block: Block) throws(FileError) {
        let inflater = try block.tool(Inflater.self) { () throws(FileError) in try Inflater(name) }
        if case .parts(let isFirst, let isLast) = block.guess {
            return try finishParts(block, inflater, isFirst: isFirst, isLast: isLast)
        }
        let isGuess = block.guess != nil
        var position = 0
        while position < block.input.count {
            block.input.withUnsafeBufferPointer { inflater.begin(UnsafeBufferPointer(rebasing: $0[position...])) }
            let (memberStart, memberCount) = (position, block.count)
            while true {
                if block.room.count < Self.maxMemberBytes { try block.reserveRoom(2 * block.capacity) }
                let step = block.input.withUnsafeBufferPointer {
                    inflater.step(UnsafeBufferPointer(rebasing: $0[position...]), into: block)
                }
                position += step.consumed
                if step.status == .GZIP_MEMBER_END { break }
                let isStuck = step.status == .GZIP_DAMAGED || (step.consumed == 0 && step.produced == 0)
                if isGuess && (isStuck || block.count > Self.maxGuessBytes) {
                    block.isMisguided = true
                    return
                }
                if isStuck {
                    throw damaged(at: block.inputStart + memberStart, step.mistake ?? Self.cutOff)
                }
                if !isGuess && block.count - memberCount > Self.maxMemberBytes {
                    throw damaged(at: block.inputStart + memberStart, "a member is longer than its stated size")
                }
            }
        }
    }

    func accept(_ block: Block) throws(FileError) {
        try member.withLock { member throws(FileError) in
            for part in block.parts where !member.add(part, at: block.inputStart) {
                throw damaged(at: member.start, "the checksum of the member that begins there is wrong")
            }
            block.taken = min(member.skip, block.count)
            member.skip -= block.taken
        }
    }

    /// Continues to decompress the current member. Returns `true` if the block has bytes.
    private func inflate(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        while block.count < block.capacity {
            if state.input.count == 0 {
                // The available bytes of a pipe are returned without waiting.
                if block.count > 0 && !state.input.isFile { break }
                try state.input.fill(1)
            }
            let inflater = state.inflater
            let step = state.input.withBytes { inflater.step($0, into: block) }
            state.input.skip(step.consumed)
            switch step.status {
            case .GZIP_MEMBER_END:
                state.isInside = false
                state.members += 1
                return block.count > 0
            case .GZIP_DAMAGED:
                // The block keeps its bytes before the damage, so that a reader can get them before the error.
                throw damaged(at: state.memberStart, step.mistake ?? "")
            case .GZIP_MORE:
                if step.consumed == 0 && step.produced == 0 && state.input.count == 0 && state.input.hasEnded {
                    throw damaged(at: state.input.offset, Self.cutOff)
                }
            }
        }
        return true
    }

    private func skipZeros(_ state: inout State) throws(FileError) -> Bool {
        guard state.input.withBytes({ $0.first == 0 }) else { return false }
        while true {
            try state.input.fill(1)
            if state.input.count == 0 { return true }
            let zeros = state.input.withBytes { bytes in bytes.firstIndex { $0 != 0 } ?? bytes.count }
            if zeros == 0 { throw damaged(at: state.input.offset, "the next bytes are not a gzip member") }
            state.input.skip(zeros)
        }
    }

    private static let cutOff = "it ends in the middle of a member"

    func damaged(at offset: Int, _ damage: String) -> FileError {
        .damaged(name, as: .gzip, at: offset, damage)
    }
}

/// An ISA-L decompressor, for one thread at a time. It reads a member up to the size in its header, and reports other
/// sizes and reserved flags as damage.
final class Inflater: @unchecked Sendable {
    // SAFETY: created in `init` and freed in `deinit`. The holder has exclusive access.
    let handle: OpaquePointer
    /// The member's size according to its header, with the number of bytes read so far; 0 if the header has no size.
    private var declaredSize = 0
    private var read = 0
    private var hasReservedFlags = false

    /// The result of one call.
    struct Step {
        let consumed: Int
        let produced: Int
        var status: gzip_status
        /// The description of the damage, for damaged data.
        var mistake: String?
    }

    init(_ name: String) throws(FileError) {
        guard let handle = gzip_inflater_create() else { throw .noGzip(name) }
        self.handle = handle
    }

    deinit { gzip_inflater_free(handle) }

    /// Prepares for the first byte of a member.
    ///
    /// - Parameter header: The first bytes, with the complete header unless the file is truncated.
    func begin(_ header: UnsafeBufferPointer<UInt8>) {
        gzip_inflater_reset(handle)
        (declaredSize, read) = (gzip_declared_size(header.baseAddress, header.count), 0)
        hasReservedFlags = gzip_has_reserved_flags(header.baseAddress, header.count)
    }

    /// Prepares for a part of a member. Its size is not checked.
    func beginInside() {
        gzip_inflater_reset_inside(handle)
        (declaredSize, hasReservedFlags) = (0, false)
    }

    func step(_ input: UnsafeBufferPointer<UInt8>, into block: Block) -> Step {
        if hasReservedFlags {
            return Step(
                consumed: 0, produced: 0, status: .GZIP_DAMAGED, mistake: "its header has flags that no gzip member has"
            )
        }
        let room = block.room
        let limit = declaredSize == 0 ? 1 << 30 : declaredSize - read
        let done = gzip_inflate(
            handle, input.baseAddress, min(input.count, limit), room.baseAddress, min(room.count, 1 << 30))
        block.count += done.produced
        read += done.consumed
        var step = Step(
            consumed: done.consumed, produced: done.produced, status: done.status,
            mistake: done.mistake.map { String(cString: $0) })
        if declaredSize > 0, let size = wrongSize(step) {
            step.status = .GZIP_DAMAGED
            step.mistake = "the header declares \(declaredSize) bytes, but the member has \(size)"
        }
        return step
    }

    /// The actual size of the member, for messages, if it differs from its header; `nil` if there is no contradiction
    /// yet.
    private func wrongSize(_ step: Step) -> String? {
        switch step.status {
        case .GZIP_MEMBER_END: read < declaredSize ? String(read) : nil
        case .GZIP_MORE: read == declaredSize && step.consumed == 0 && step.produced == 0 ? "more" : nil
        case .GZIP_DAMAGED: nil
        }
    }
}

extension FileError {
    /// The error for gzip without memory, or without ISA-L, which is loaded on first use.
    static func noGzip(_ path: String, to operation: String = "read") -> FileError {
        var error = FileError(operation, path: path, code: gzip_is_available() ? ENOMEM : ELIBACC)
        if !gzip_is_available() {
            error.advice =
                "gzip needs the library ISA-L (libisal.so.2): install it, such as with apt-get install libisal2"
        }
        return error
    }
}
