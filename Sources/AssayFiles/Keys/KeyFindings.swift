internal import Assay
internal import CAssay

/// One error in the keys of a record.
struct KeyFinding {
    let entry: Int
    let record: Int
    let place: Int
    let column: Int
    /// The record that already holds the value. `nil` if a part of the key is missing or a foreign key has no target.
    let holder: assay_key?
    let value: [UInt8]?
}

extension FindingWriter {
    /// Adds the findings about keys to a chunk. Call this after all other checks; in each record, these findings follow
    /// the others.
    ///
    /// - Parameters:
    ///   - found: in the order of the records.
    ///   - own: the templates for them.
    ///   - rejects: The entries that were rejected before. They must not include entries of `found`.
    mutating func insert(_ found: [KeyFinding], _ own: KeyTemplates, into chunk: Chunk, rejects: [UInt64]) {
        restartLines(chunk)
        insertNotes(found, own, chunk, rejects)
        restartLines(chunk)
        insertText(found, own, chunk)
        restartLines(chunk)
        insertKept(found, own, chunk)
        keepFirsts(found, own, chunk)
        count += found.count
    }

    private mutating func insertText(_ found: [KeyFinding], _ own: KeyTemplates, _ chunk: Chunk) {
        guard plan.isWritten, room.written > 0 else { return }
        var message: [UInt8] = []
        let handle = handle
        var old = TakenPieces(&handle.pointee.text)
        for finding in found {
            while let piece = old.next(if: { templates.style.format.record(of: $0) <= finding.record }) {
                add(piece)
            }
            guard isWriting else { return }
            piece.removeAll(keepingCapacity: true)
            let template = own.template(finding, in: chunk, message: &message)
            template.append(
                record: finding.record, line: line(at: finding.place, entry: finding.entry),
                offset: chunk.firstOffset + finding.place, message: message.isEmpty ? nil : message,
                value: finding.value, to: &piece)
            expectMemory(assay_findings_add_text(handle, piece, piece.count))
        }
        while let piece = old.next(if: { _ in true }) { add(piece) }
    }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        let status = text.withUnsafeBufferPointer { assay_findings_add_text(handle, $0.baseAddress, $0.count) }
        expectMemory(status)
    }

    private mutating func insertNotes(
        _ found: [KeyFinding], _ own: KeyTemplates, _ chunk: Chunk, _ rejects: [UInt64]
    ) {
        guard plan.annotate else { return }
        let handle = handle
        var old = TakenPieces(&handle.pointee.notes)
        var (entry, next) = (0, 0)
        func addOld(before end: Int, _ writer: inout FindingWriter) {
            while true {
                entry = assay_mask_next(rejects, end, entry)
                guard entry < end, let note = old.next(if: { _ in true }) else { break }
                let status = note.withUnsafeBufferPointer {
                    assay_findings_add_note(writer.handle, $0.baseAddress, $0.count)
                }
                writer.expectMemory(status)
                entry += 1
            }
        }
        while next < found.count {
            let refused = found[next].entry
            let reasons = found[next...].prefix { $0.entry == refused }.map { own.rule($0.column) }
            addOld(before: refused, &self)
            addNote(chunk, entry: refused, reasons)
            next += reasons.count
        }
        addOld(before: chunk.entries, &self)
    }

    private mutating func insertKept(_ found: [KeyFinding], _ own: KeyTemplates, _ chunk: Chunk) {
        if room.kept == 0 { return }
        var message: [UInt8] = []
        var merged: [Finding] = []
        var rest = kept[...]
        for finding in found where merged.count < room.kept {
            while let first = rest.first, first.record <= finding.record { merged.append(rest.removeFirst()) }
            let template = own.template(finding, in: chunk, message: &message)
            merged.append(value(finding, template, message, chunk))
        }
        kept = Array((merged + rest).prefix(room.kept))
    }

    private mutating func keepFirsts(_ found: [KeyFinding], _ own: KeyTemplates, _ chunk: Chunk) {
        var message: [UInt8] = []
        for finding in found where firsts.lacks(key: finding.column) {
            let template = own.template(finding, in: chunk, message: &message)
            firsts.keep(value(finding, template, message, chunk), ofKey: finding.column)
        }
    }

    private func value(
        _ finding: KeyFinding, _ template: FindingTemplate, _ message: [UInt8], _ chunk: Chunk
    ) -> Finding {
        var value = template.finding(
            record: finding.record, line: line(at: finding.place, entry: finding.entry),
            offset: chunk.firstOffset + finding.place, character: character(at: finding.place, in: chunk),
            value: finding.value.map { String(decoding: $0, as: UTF8.self) })
        if !message.isEmpty { value.message = String(decoding: message, as: UTF8.self) }
        return value
    }
}

/// Pieces that are put back one at a time, with new pieces between them.
private struct TakenPieces {
    private let bytes: [UInt8]
    private let ends: [Int]
    private var taken = 0

    /// Takes all pieces out of `pieces`.
    init(_ pieces: inout assay_pieces) {
        ends = Array(UnsafeBufferPointer(start: pieces.ends, count: pieces.count))
        bytes = Array(UnsafeBufferPointer(start: pieces.bytes, count: ends.last ?? 0))
        pieces.count = 0
    }

    /// Returns the next piece if it satisfies the condition.
    mutating func next(if isSelected: (ArraySlice<UInt8>) -> Bool) -> ArraySlice<UInt8>? {
        guard taken < ends.count else { return nil }
        let piece = bytes[(taken == 0 ? 0 : ends[taken - 1])..<ends[taken]]
        guard isSelected(piece) else { return nil }
        taken += 1
        return piece
    }
}

extension FindingFormat {
    /// Returns the number of the record at the start of a finding.
    fileprivate func record(of finding: ArraySlice<UInt8>) -> Int {
        var number = 0
        for byte in finding.dropFirst(labels.record.utf8CodeUnitCount) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
