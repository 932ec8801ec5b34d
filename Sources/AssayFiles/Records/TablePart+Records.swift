internal import AssayRules
internal import CAssay

extension PreparedTable {
    /// Returns a reader of all records, at most ``CleanerOptions/head``.
    ///
    /// - Parameters:
    ///   - rules: The maximum number of findings of a record.
    ///   - spins: See ``TicketSequencer``.
    ///   - sizes: The sizes of chunks; `nil` means the default.
    ///   - longest: The maximum size of blocks of long records.
    func makeReader(
        rules: Int, spins: Bool, sizes: ChunkSizes? = nil, longest: Int = FileBlocks.longest
    ) -> TableReader {
        let limits = cleaner.rules.limits
        return TableReader(
            parts.enumerated().map { index, part in
                part.records(
                    limits: head.format == .jsonLines ? limits.forLines : limits, limit: cleaner.options.head,
                    rules: rules, lastTerminator: index + 1 == parts.count ? 0 : head.terminator,
                    endsAtCR: head.endsAtCR, spins: spins, sizes: sizes, longest: longest)
            })
    }

    /// The size of all files in bytes; `nil` if it is unknown.
    var totalBytes: Int? {
        var total = 0
        for part in parts {
            guard let count = part.source.byteCount else { return nil }
            total += count
        }
        return total
    }
}

extension PreparedTable.Part {
    /// The reader that cuts the file into chunks, after its head.
    ///
    /// - Parameters:
    ///   - recordLimit: The maximum number of records; `nil` means all.
    ///   - rules: The maximum number of findings of a record.
    ///   - lastTerminator: The terminator for a last record without one if another file follows; 0 means no terminator.
    ///   - spins: See ``TicketSequencer``.
    ///   - sizes: The sizes of chunks, also for a short file; `nil` means the default.
    ///   - longest: The maximum size of blocks of long records.
    fileprivate func records(
        limits: Limits, limit recordLimit: Int?, rules: Int, lastTerminator: UInt8, endsAtCR: Bool, spins: Bool,
        sizes: ChunkSizes?, longest: Int
    ) -> any RecordChunks {
        var dialect = head.recordDialect(endsAtCR: endsAtCR)
        // Blank lines before another file would be inside the table, where the table's own setting would reject them.
        if lastTerminator != 0, dialect.blank_lines == UInt8(ASSAY_BLANK_LAST_KEPT.rawValue) {
            dialect.blank_lines = UInt8(ASSAY_BLANK_RECORDS.rawValue)
        }
        let offset = head.prefix.count
        if recordLimit == nil, let file = source as? FileSource, let end = file.byteCount, !head.rest.isEmpty,
            file.position == offset + head.rest.count,
            // Some system files report a larger size than they have.
            sizes != nil || end > offset + head.rest.count && offset + head.rest.count >= TableHead.firstRead
        {
            let layout =
                sizes.map { FileBlocks(start: offset, fileEnd: end, blockBytes: $0.blockBytes, tail: $0.tail) }
                ?? FileBlocks(start: offset, fileEnd: end, first: head.rest, rules: rules, longest: longest)
            return BlockReader(
                file, dialect: dialect, limits: limits, lines: head.lines, layout: layout, rules: rules,
                lastTerminator: lastTerminator, atMost: sizes?.records ?? .max, spins: spins)
        }
        return RecordReader(
            source: source, dialect: dialect, limits: limits, prefix: head.rest, sourceEnded: head.sourceEnded,
            offset: offset, lines: head.lines, limit: recordLimit, rules: rules, lastTerminator: lastTerminator,
            atMost: sizes?.records ?? .max, chunkBytes: sizes?.readBytes ?? RecordReader.chunkBytes)
    }
}
