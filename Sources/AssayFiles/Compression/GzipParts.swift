internal import CGzip

/// Members with independent parts, as `pigz -i` writes them, are decompressed part by part, several at the same time.
///
///     header │ blocks │ 00 00 FF FF │ blocks │ 00 00 FF FF │ … │ last block │ checksum, length
///             part                   part                       part
///
/// A full flush ends in an empty stored block, and the following data does not refer to the data before. That these
/// four bytes are such a block is a guess until the previous part is decompressed: if it ends there, between two
/// deflate blocks, a part does begin there. So a wrong guess is always detected. The member is then decompressed again
/// serially, its known bytes are skipped, and the rest of the source follows serially. The checksum of the member is
/// combined from those of its parts.
extension GzipStage {
    /// The progress of cutting members into parts.
    struct PartsUnderWay {
        var isFirst = true
        /// Whether the source is cut to its end.
        var isCut = false
    }

    /// The decompressed part of a member that is cut into parts.
    struct MemberUnderWay {
        /// The offset of the member in the source.
        var start: Int
        private(set) var length = 0
        private var checksum: UInt32 = 0
        /// The number of decompressed bytes to skip, because they were read before a restart.
        var skip: Int

        init(start: Int, skip: Int) { (self.start, self.skip) = (start, skip) }

        /// Adds a part of the block at `inputStart`. Returns `false` if the member's checksum or length is wrong.
        mutating func add(_ part: Block.Part, at inputStart: Int) -> Bool {
            checksum = gzip_checksum_of_both(checksum, part.checksum, part.count)
            length += part.count
            guard let end = part.end else { return true }
            if end.checksum != checksum || end.length != UInt32(truncatingIfNeeded: length) { return false }
            (start, length, checksum) = (inputStart + end.inputEnd, 0, 0)
            return true
        }
    }

    /// Whether the member at this position seems to have such parts. One part after the first is decompressed as a
    /// trial.
    func hasParts(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        try state.input.fill(Self.guessBytes)
        let range = state.input.withBytes { bytes -> Range<Int>? in
            // A member with its size in the header has at most 64 KiB.
            if gzip_declared_size(bytes.baseAddress, bytes.count) > 0 { return nil }
            let header = gzip_header_size(bytes.baseAddress, bytes.count)
            let first = header == 0 ? 0 : gzip_first_flush(bytes.baseAddress! + header, bytes.count - header)
            if first == 0 { return nil }
            let start = header + first
            let size = gzip_last_flush(bytes.baseAddress! + start, min(bytes.count - start, Self.togetherBytes))
            return size == 0 ? nil : start..<start + size
        }
        guard let range else { return false }
        block.input = state.input.withBytes { Array($0[range]) }
        try finishParts(block, state.inflater, isFirst: false, isLast: false)
        defer { block.reuse() }
        return !block.isMisguided
    }

    /// Cuts parts up to a full flush. Returns `false` after the last part.
    func cutParts(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        if state.parts!.isCut { return false }
        try state.input.fill(Self.guessBytes)
        let isEnd = state.input.hasEnded && state.input.count <= Self.togetherBytes
        var size = state.input.withBytes { bytes in
            let size = gzip_last_flush(bytes.baseAddress, min(bytes.count, Self.togetherBytes))
            return size > 0 ? size : gzip_first_flush(bytes.baseAddress, bytes.count)
        }
        if isEnd || (size == 0 && state.input.hasEnded && state.input.count < Self.guessBytes) {
            size = state.input.count
            state.parts!.isCut = true
        }
        block.guess = .parts(isFirst: state.parts!.isFirst, isLast: state.parts!.isCut)
        state.parts!.isFirst = false
        // A source that ends with a flush is truncated, and a part must have an end.
        if size == 0 { block.isMisguided = true }
        state.input.move(size, to: block)
        return true
    }

    /// Decompresses parts: some of one member, or the last ones of a member, complete members, and the first ones of
    /// another.
    func finishParts(_ block: Block, _ inflater: Inflater, isFirst: Bool, isLast: Bool) throws(FileError) {
        if block.isMisguided { return }
        let input = block.input
        var (position, isStart) = (0, isFirst)
        while position < input.count {
            let memberStart = position
            var declaredSize = 0
            if isStart {
                let header = input.withUnsafeBufferPointer { input in
                    declaredSize = gzip_declared_size(input.baseAddress! + position, input.count - position)
                    return gzip_header_size(input.baseAddress! + position, input.count - position)
                }
                if header == 0 { break }
                position += header
            }
            inflater.beginInside()
            let start = block.count
            var isMemberEnd = false
            while !isMemberEnd {
                if block.count > Self.maxGuessBytes { return block.isMisguided = true }
                if block.room.count < Self.maxMemberBytes { try block.reserveRoom(2 * block.capacity) }
                let step = input.withUnsafeBufferPointer {
                    inflater.step(UnsafeBufferPointer(rebasing: $0[position...]), into: block)
                }
                position += step.consumed
                if step.status == .GZIP_MORE && (step.consumed > 0 || step.produced > 0) { continue }
                isMemberEnd = step.status == .GZIP_MEMBER_END
                if isMemberEnd {
                    position -= gzip_inflater_unused(inflater.handle)
                    break
                }
                // The member continues in the next block, if a deflate block begins there. A member with its size in
                // the header is not cut into parts.
                block.isMisguided =
                    step.status != .GZIP_MORE || isLast || declaredSize > 0
                    || !gzip_inflater_is_between_blocks(inflater.handle)
                block.parts.append(
                    Block.Part(
                        count: block.count - start, checksum: gzip_inflater_checksum(inflater.handle), end: nil))
                return
            }
            guard position + 8 <= input.count else { break }
            let trailer = input[position..<position + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            position += 8
            if declaredSize > 0 && position - memberStart != declaredSize { return block.isMisguided = true }
            isStart = true
            block.parts.append(
                Block.Part(
                    count: block.count - start, checksum: gzip_inflater_checksum(inflater.handle),
                    end: (UInt32(truncatingIfNeeded: trailer), UInt32(trailer >> 32), position)))
        }
        // Only the last block may end with a member. Other data after a member is processed serially.
        block.isMisguided = !(isStart && position == input.count && isLast)
    }
}
