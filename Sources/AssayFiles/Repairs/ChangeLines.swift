internal import Assay
internal import AssayRules
internal import CAssay

/// The changes of a worker's chunk as lines of a file, and the first ones as values.
struct ChangeLines {
    /// The written changes of the chunk.
    private(set) var bytes: [UInt8] = []
    /// The first changes, as values.
    private(set) var kept: [Change] = []

    /// Returns the header of the file.
    static func header(_ format: FindingFormat, showValues: Bool, namesInputs: Bool) -> [UInt8] {
        guard format == .csv else { return [] }
        let names = "record,line,offset,column,position,repairs" + (namesInputs ? ",input" : "")
        return Array((names + (showValues ? ",before,after\n" : "\n")).utf8)
    }

    /// Writes the settled changes of a chunk.
    ///
    /// - Parameter room: how many more are wanted as values.
    mutating func prepare(_ chunk: Chunk, _ repairs: ChunkRepairs, room: Int) {
        bytes.removeAll(keepingCapacity: true)
        kept.removeAll(keepingCapacity: true)
        let plan = repairs.plan
        if repairs.settled.isEmpty || plan.format == nil && room == 0 { return }
        var lines = chunk.lines(endsAtCR: plan.dialect.cr_ends)
        for change in repairs.settled {
            if plan.format == nil && kept.count >= room { break }
            let number = Int(assay_lines_at(&lines, Int(change.start), change.entry))
            let column = plan.columns[Int(change.column)]
            let record = chunk.recordNumber(Int(change.entry))
            let offset = chunk.firstOffset + Int(change.start)
            let names = CompiledRepairs.indices(of: change.causes).map { column.repairs[$0] }
            let before = UnsafeBufferPointer(
                start: chunk.bytes + Int(change.start), count: Int(change.end - change.start))
            let after = repairs.text(of: change)
            if kept.count < room {
                kept.append(
                    Change(
                        record: record, line: number, offset: offset, column: column.name, repairs: names,
                        before: String(decoding: before, as: UTF8.self), after: String(decoding: after, as: UTF8.self),
                        input: plan.inputs.count > 1 ? plan.inputs[chunk.input] : nil))
            }
            guard let format = plan.format else { continue }
            format.appendPlace(record: record, line: number, offset: offset, to: &bytes)
            format.append("column", column.name, to: &bytes)
            format.append("position", number: column.position + 1, to: &bytes)
            format.append("repairs", list: names, to: &bytes)
            if plan.inputs.count > 1 { format.append("input", plan.inputs[chunk.input], to: &bytes) }
            if plan.showValues {
                format.append("before", String(decoding: before, as: UTF8.self), to: &bytes)
                format.append("after", String(decoding: after, as: UTF8.self), to: &bytes)
            }
            appendLiteral(format.end, to: &bytes)
        }
    }
}
