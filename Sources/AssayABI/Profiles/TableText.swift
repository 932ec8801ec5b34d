internal import Assay
internal import AssayFiles
internal import AssayRules
internal import CAssayABI

/// Converts the batches of an Arrow stream to a CSV file, so that they are read like files.
///
///     id: 1, 2, null      name: "Anna", "Bo, jr.", ""      →      id,name␤1,Anna␤2,"Bo, jr."␤,␤
///
/// A null becomes an empty cell, because Assay reads an empty cell in a file as a missing value. Integral numbers have
/// no fraction, whatever their type.
final class TableText: Source, @unchecked Sendable {
    // SAFETY: only one thread at a time uses a source.
    let name: String
    let byteCount: Int? = nil
    /// The error of the stream. The text ends at that point.
    private(set) var failure: (any Error)?

    private let reader: ArrowReader
    private var array: OwnedArray?
    private var columns: [SourceColumn] = []
    private var rows = 0
    private var nextRow = 0
    private var text = TextBuffer()
    private var taken = 0
    /// The dictionary indices of the rows being written, for each column with a dictionary.
    private var places: [[Int]] = []

    private static let rowsEach = 1024

    /// Takes ownership of the stream, even if it throws.
    ///
    /// - Throws: a fault if the stream is not a table, and for columns that rules cannot check.
    init(name: String, _ stream: UnsafeMutablePointer<ArrowArrayStream>) throws {
        self.name = name
        reader = try ArrowReader(stream)
        guard reader.node.format == .structure else {
            throw Fault(ASSAY_FAULT_ARROW, "the array is not a record batch", hint: "a record batch is of type struct")
        }
        let leaves = reader.node.leaves()
        for leaf in leaves {
            do { try leaf.node.mustBeCheckable("the column '\(leaf.name)'") } catch {
                var fault = error
                fault.hint = "leave the column out of the table, or convert it to text first"
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

    /// - Returns: whether rows were left.
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
        let root = try ArrowColumn(reader.node, next.pointer)
        columns = try root.leaves().map { try $0.column.column(style) }
        for column in columns { if let fault = column.faultOfValues { throw fault } }
        places = Array(repeating: [], count: columns.count)
        (array, rows, nextRow) = (next, root.count, 0)
    }

    /// - Parameter place: the dictionary index of the row, if the column has a dictionary.
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

    /// Appends a null. A single column needs quotes, because an empty line is not a record.
    private func appendNull() { if columns.count == 1 { appendQuoted(UnsafeBufferPointer(start: nil, count: 0)) } }

    /// Appends a text, quoted if CSV requires it (RFC 4180, 2.5 to 2.7).
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
