internal import Assay
internal import CAssay

/// The cells of a table that contain line breaks, and the largest one.
///
/// A stray quote that is closed by chance on a later line leaves a well-formed record with a cell of many lines.
public struct LineBreaks: Hashable, Sendable {
    /// The number of cells with line breaks, of all records that are not malformed.
    public private(set) var cells = 0
    /// The lines that they have together.
    private var lines = 0
    private var first: Largest?

    /// The cell with the most lines, or the first of several.
    public struct Largest: Hashable, Sendable {
        /// The number of the record.
        public var record: Int
        /// The line on which the cell starts.
        public var line: Int
        /// The position of the column, from 1.
        public var position: Int
        /// The number of lines.
        public var lines: Int
        /// The file. `nil` if the table has only one.
        public var input: String?
    }

    /// The largest cell if it is an outlier: more than 10 lines, and more than 10 times the average of the other cells
    /// with line breaks.
    public var outlier: Largest? {
        guard let first, first.lines > 10 else { return nil }
        return first.lines * (cells - 1) > 10 * (lines - first.lines) || cells == 1 ? first : nil
    }

    /// Adds the cells of a slice. Chunks in which each record is one line are skipped, without reading their cells.
    ///
    /// - Parameters:
    ///   - broken: the rows that do not count.
    ///   - input: the file, if the table has several.
    mutating func add(
        _ slice: Slice, broken: UnsafePointer<UInt64>, lines: inout assay_lines, input: String? = nil
    ) {
        if lines.is_regular || slice.json != nil { return }
        let (chunk, dialect) = (slice.chunk, slice.width.dialect)
        var found = assay_line_breaks()
        withUnsafePointer(to: dialect) {
            assay_batch_count_line_breaks(
                chunk.batch, $0, chunk.bytes, UInt32(slice.first), UInt32(slice.rows), broken, &found)
        }
        if found.cells == 0 { return }
        var other = LineBreaks()
        (other.cells, other.lines) = (Int(found.cells), Int(found.lines))
        other.first = Largest(
            record: chunk.recordNumber(Int(found.entry)),
            line: Int(assay_lines_at(&lines, Int(found.start), found.entry)), position: Int(found.field) + 1,
            lines: Int(found.max_lines))
        add(other, input: input)
    }

    /// Adds the cells of another part of the table.
    ///
    /// - Parameter input: The file of the cells. `nil` if they already name it.
    mutating func add(_ other: LineBreaks, input: String? = nil) {
        cells += other.cells
        lines += other.lines
        guard var found = other.first else { return }
        if let input { found.input = input }
        guard let first else { return self.first = found }
        if (found.lines, first.record, first.position) > (first.lines, found.record, found.position) {
            self.first = found
        }
    }

    mutating func code(with coder: inout CheckpointCoder) {
        coder.code(&cells)
        coder.code(&lines)
        coder.code(&first, blank: Largest(record: 0, line: 0, position: 0, lines: 0)) { largest, coder in
            for number in [\Largest.record, \.line, \.position, \.lines] { coder.code(&largest[keyPath: number]) }
            coder.code(&largest.input)
        }
    }

    /// The cells for a report.
    ///
    /// - Parameter names: The names of the columns. `nil` if the columns have no names.
    func value(names: [String]?) -> JSONValue {
        .object([
            ("cells", .integer(cells)),
            (
                "outlier",
                outlier.map { largest in
                    .object(
                        [
                            ("record", .integer(largest.record)), ("line", .integer(largest.line)),
                            ("column", .optional(Self.name(largest, names))), ("position", .integer(largest.position)),
                            ("lines", .integer(largest.lines)),
                        ] + (largest.input.map { [("input", .string($0))] } ?? []))
                } ?? .null
            ),
        ])
    }

    private static func name(_ largest: Largest, _ names: [String]?) -> String? {
        names.flatMap { $0.indices.contains(largest.position - 1) ? $0[largest.position - 1] : nil }
    }

    /// The cells in words, without their number: `cells contain line breaks; the one on line 7, in column 'text', has
    /// 69 lines`.
    package func text(names: [String]?) -> String {
        let text = cells == 1 ? "cell contains line breaks" : "cells contain line breaks"
        guard let outlier else { return text }
        let column = Self.name(outlier, names).map { "'\(printable($0))'" } ?? String(outlier.position)
        let file = outlier.input.map { " of \(printable($0))" } ?? ""
        return text
            + "; the one on line \(grouped(outlier.line))\(file), in column \(column), has \(grouped(outlier.lines)) "
            + "lines"
    }
}
