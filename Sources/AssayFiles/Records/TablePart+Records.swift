internal import AssayRules
internal import CAssay

extension PreparedTable.Part {
    /// What cuts the file into chunks, from behind its head on.
    ///
    /// - Parameters:
    ///   - wanted: how many records to read at most; `nil`: all.
    ///   - rules: how many findings a record may have.
    ///   - lastTerminator: what a last record without terminator is given, since another file follows; 0: nothing.
    ///   - spins: see ``TicketSequencer``.
    ///   - sizes: how the file is cut up, also one that is short; `nil`: as suits it.
    func records(
        limits: Limits, most wanted: Int?, rules: Int, lastTerminator: UInt8, endsAtCR: Bool, spins: Bool,
        sizes: ChunkSizes? = nil
    ) -> any RecordChunks {
        var dialect = head.recordDialect(endsAtCR: endsAtCR)
        // Blank lines before another file would be inside the table, where its own rules would reject them.
        if lastTerminator != 0, dialect.blank_lines == UInt8(ASSAY_BLANK_LAST_KEPT.rawValue) {
            dialect.blank_lines = UInt8(ASSAY_BLANK_RECORDS.rawValue)
        }
        let offset = head.prefix.count
        if wanted == nil, let file = source as? FileSource, let end = file.byteCount, !head.rest.isEmpty,
            file.position == offset + head.rest.count,
            // Some files of the system say that they are longer than they are.
            sizes != nil || end > offset + head.rest.count && offset + head.rest.count >= TableHead.firstRead
        {
            let layout =
                sizes.map { FileBlocks(start: offset, fileEnd: end, blockBytes: $0.blockBytes, tail: $0.tail) }
                ?? FileBlocks(start: offset, fileEnd: end, first: head.rest, rules: rules)
            return BlockReader(
                file, dialect: dialect, limits: limits, lines: head.lines, layout: layout, rules: rules,
                lastTerminator: lastTerminator, atMost: sizes?.records ?? .max, spins: spins)
        }
        return RecordReader(
            source: source, dialect: dialect, limits: limits, prefix: head.rest, sourceEnded: head.sourceEnded,
            offset: offset, lines: head.lines, most: wanted, rules: rules, lastTerminator: lastTerminator,
            atMost: sizes?.records ?? .max, chunkBytes: sizes?.readBytes ?? RecordReader.chunkBytes)
    }
}
