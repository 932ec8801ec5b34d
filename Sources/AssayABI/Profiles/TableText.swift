internal import Assay
internal import AssayFiles
internal import AssayRules
internal import CAssayABI

/// The batches of an Arrow stream as the CSV file that would hold them, so that they are read as files are.
///
///     id: 1, 2, null      name: "Anna", "Bo, jr.", ""      →      id,name␤1,Anna␤2,"Bo, jr."␤,␤
///
/// A null is the empty cell, which in a file is no value either. Whole numbers have no fraction, whatever their type.
final class TableText: Source, @unchecked Sendable {
    // SAFETY: one thread at a time uses it, as it uses every source.
    let name: String
    let byteCount: Int? = nil
    /// What was wrong with the stream. Then the text ends where it was found.
    private(set) var failure: (any Error)?

    private let reader: ArrowReader
    private var array: OwnedArray?
    private var columns: [SourceColumn] = []
    private var rows = 0
    private var nextRow = 0
    private var text = TextBuffer()
    private var taken = 0
    /// For each column that has a dictionary, which of its values some rows have.
    private var places: [[Int]] = []

    private static let rowsEach = 1024

    /// Takes over the stream, whatever comes of it.
    ///
    /// - Throws: a fault for what is no table, and for columns that no rule can judge.
    init(name: String, _ stream: UnsafeMutablePointer<ArrowArrayStream>) throws {
        self.name = name
        reader = try ArrowReader(stream)
        guard reader.node.format == .structure else {
            throw Fault(ASSAY_FAULT_ARROW, "the array is not a record batch", hint: "a record batch is of type struct")
        }
        let leaves = reader.node.leaves()
        for leaf in leaves {
            do { try leaf.node.mustBeJudged("the column '\(leaf.name)'") } catch {
                var fault = error
                fault.hint = "leave the column out of the table, or make text of it first"
                throw fault
            }
        }
        guard !leaves.isEmpty else { throw Fault(ASSAY_FAULT_COLUMNS, "the table has no columns") }
        for (index, leaf) in leaves.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            var name = leaf.name
            name.withUTF8 { appendQuoted($0) }
        }
        text.append(UInt8(ascii: "\n"))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        do {
            while taken == text.count {
                text.removeAll()
                taken = 0
                if try !writeRows() { return 0 }
            }
        } catch {
            failure = error
            return 0
        }
        let count = min(buffer.count, text.count - taken)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: text.bytes + taken, count: count))
        taken += count
        return count
    }

    /// - Returns: whether there were rows left.
    private func writeRows() throws -> Bool {
        while nextRow == rows {
            guard let next = try reader.nextOwned() else { return false }
            try begin(next)
        }
        let range = nextRow..<min(rows, nextRow + Self.rowsEach)
        for (index, column) in columns.enumerated() {
            guard case .dictionary(let indices, _) = column.values else { continue }
            places[index].removeAll(keepingCapacity: true)
            indices.forEach(range) { _, place in places[index].append(place) }
        }
        for row in range {
            for (index, column) in columns.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                append(column, row, place: places[index].isEmpty ? 0 : places[index][row - range.lowerBound])
            }
            text.append(UInt8(ascii: "\n"))
        }
        nextRow = range.upperBound
        return true
    }

    private func begin(_ next: OwnedArray) throws {
        let style = TextStyle(type: ValueType(.integer))
        let whole = try ArrowColumn(reader.node, next.pointer)
        columns = try whole.leaves().map { try $0.column.column(style) }
        for column in columns { if let fault = column.faultOfValues { throw fault } }
        places = Array(repeating: [], count: columns.count)
        (array, rows, nextRow) = (next, whole.count, 0)
    }

    /// - Parameter place: of a column with a dictionary, which of its values the row has.
    private func append(_ column: SourceColumn, _ row: Int, place: Int) {
        guard column.validity.allSatisfy({ $0.isSet(row) }) else { return appendNull() }
        switch column.values {
        case .nothing: appendNull()
        case .written(let writer): writer.append(row, to: &text)
        case .dictionary(_, let values):
            var inner = 0
            if case .dictionary(let indices, _) = values.values {
                indices.forEach(place..<place + 1) { _, found in inner = found }
            }
            append(values, place, place: inner)
        case .offsets32, .offsets64, .views, .pointers:
            if let value = column.text(row) { appendQuoted(value) } else { appendNull() }
        }
    }

    /// A line without any byte would be no record.
    private func appendNull() { if columns.count == 1 { appendQuoted(UnsafeBufferPointer(start: nil, count: 0)) } }

    /// Appends a text, between quotes where CSV needs them (RFC 4180, 2.5 to 2.7).
    private func appendQuoted(_ value: UnsafeBufferPointer<UInt8>) {
        let quote = UInt8(ascii: "\"")
        let needsQuotes =
            columns.count <= 1 && value.isEmpty
            || value.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 10 || $0 == 13 }
        if !needsQuotes {
            if let base = value.baseAddress { text.append(base, value.count) }
            return
        }
        text.append(quote)
        for byte in value {
            if byte == quote { text.append(quote) }
            text.append(byte)
        }
        text.append(quote)
    }
}
