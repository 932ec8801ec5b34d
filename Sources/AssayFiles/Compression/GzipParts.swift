internal import CGzip

/// Members whose parts do not depend on each other, as `pigz -i` writes them, are unpacked part by part, side by side.
///
///     header │ blocks │ 00 00 FF FF │ blocks │ 00 00 FF FF │ … │ last block │ checksum, length
///             part                   part                       part
///
/// A full flush ends in an empty stored block, and what follows refers to nothing before it. That these four bytes are one is a
/// guess until the part before has been unpacked: if it ends between two deflate blocks just there, a part does begin there. So
/// no wrong guess goes unnoticed, and then the member is unpacked once more, in turn, up to where it was and on. The checksum of the
/// member is put together from those of its parts.
extension GzipStage {
    /// How far members have been cut.
    struct PartsUnderWay {
        var isFirst = true
        /// Whether the source has been cut to its end.
        var isCut = false
    }

    /// What has come of a member that is cut into parts.
    struct MemberUnderWay {
        /// Where in the source it begins.
        var start: Int
        private(set) var length = 0
        private var checksum: UInt32 = 0
        /// How many bytes that come are still to be passed over, since they came before.
        var skip: Int

        init(start: Int, skip: Int) { (self.start, self.skip) = (start, skip) }

        /// Adds a part of a block, which begins there. `false`: the member is not what it says.
        mutating func add(_ part: Block.Part, at inputStart: Int) -> Bool {
            checksum = gzip_checksum_of_both(checksum, part.checksum, part.count)
            length += part.count
            guard let end = part.end else { return true }
            if end.checksum != checksum || end.length != UInt32(truncatingIfNeeded: length) { return false }
            (start, length, checksum) = (inputStart + end.inputEnd, 0, 0)
            return true
        }
    }

    /// Whether the member that begins here seems to have such parts: one, behind its first, is unpacked to see.
    func hasParts(_ state: inout State, _ block: Block) throws(FileError) -> Bool {
        try state.input.fill(Self.guessBytes)
        let range = state.input.withBytes { bytes -> Range<Int>? in
            // One that tells its size has no more than 64 KiB.
            if gzip_told_size(bytes.baseAddress, bytes.count) > 0 { return nil }
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

    /// Takes parts, up to a full flush. `false`: there are no more.
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
        // A source that ends in a flush is cut off, and a part without end is none.
        if size == 0 { block.isMisguided = true }
        state.input.move(size, to: block)
        return true
    }

    /// Unpacks parts: those of one member, or the last of one, whole others, and the first of one more.
    func finishParts(_ block: Block, _ inflater: Inflater, isFirst: Bool, isLast: Bool) throws(FileError) {
        if block.isMisguided { return }
        let input = block.input
        var (position, isStart) = (0, isFirst)
        while position < input.count {
            let memberStart = position
            var toldSize = 0
            if isStart {
                let header = input.withUnsafeBufferPointer { input in
                    toldSize = gzip_told_size(input.baseAddress! + position, input.count - position)
                    return gzip_header_size(input.baseAddress! + position, input.count - position)
                }
                if header == 0 { break }
                position += header
            }
            inflater.beginInside()
            let start = block.count
            var isMemberEnd = false
            while !isMemberEnd {
                if block.count > Self.mostOfGuess { return block.isMisguided = true }
                if block.room.count < Self.mostOfMember { try block.reserveRoom(2 * block.capacity) }
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
                // It goes on in the next block, if that begins where a deflate block does. One that tells its size is not cut into parts.
                block.isMisguided =
                    step.status != .GZIP_MORE || isLast || toldSize > 0
                    || !gzip_inflater_is_between_blocks(inflater.handle)
                block.parts.append(
                    Block.Part(
                        count: block.count - start, checksum: gzip_inflater_checksum(inflater.handle), end: nil))
                return
            }
            guard position + 8 <= input.count else { break }
            let trailer = input[position..<position + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            position += 8
            if toldSize > 0 && position - memberStart != toldSize { return block.isMisguided = true }
            isStart = true
            block.parts.append(
                Block.Part(
                    count: block.count - start, checksum: gzip_inflater_checksum(inflater.handle),
                    end: (UInt32(truncatingIfNeeded: trailer), UInt32(trailer >> 32), position)))
        }
        // At the end of a member only the last block ends; whatever else stands there is told apart in turn.
        block.isMisguided = !(isStart && position == input.count && isLast)
    }
}
