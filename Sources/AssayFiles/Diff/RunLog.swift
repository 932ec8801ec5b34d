internal import Assay

/// The lines that a run writes about its records, in an unnamed file that is read again afterwards.
///
///     record,line,offset,column,position,rule,code,severity,message
///     17,19,2841,email,3,email.pattern,pattern,reject,email does not match
///
/// They are stored in a file because their number is limited only by the number of bad records.
final class RunLog: Sink {
    let name = "a temporary file"
    let file: ScratchFile

    /// - Parameter directory: The directory of the file. `nil` selects the default.
    init(in directory: String?) throws(FileError) { file = try ScratchFile(in: directory) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) { try file.append(bytes) }
}

/// Rows of CSV in the form of ``csvField``, read in order.
struct LogRows {
    private let log: RunLog?
    private var bytes: [UInt8]
    /// The offset in the log at the end of the bytes.
    private var end = 0
    /// The index in the bytes at which the next row begins.
    private var next = 0
    /// The fields of the last row, including quotes.
    private var fields: [Range<Int>] = []

    /// Reads the rows after the first one, which names the columns.
    init(_ log: RunLog) throws(FileError) {
        self.log = log
        bytes = []
        _ = try advance()
    }

    /// Reads rows from memory.
    init(_ bytes: [UInt8]) {
        log = nil
        self.bytes = bytes
    }

    /// Advances to the next row. Returns `false` at the end.
    mutating func advance() throws(FileError) -> Bool {
        while !scan() {
            guard let log, end < log.file.count else { return false }
            bytes.removeFirst(next)
            next = 0
            try read(log, max(Self.piece, bytes.count))
        }
        return true
    }

    private static let piece = 256 << 10

    private mutating func read(_ log: RunLog, _ length: Int) throws(FileError) {
        var problem: FileError?
        bytes += [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            do throws(FileError) {
                count = try log.file.read(upTo: UnsafeMutableRawBufferPointer(buffer), at: end)
            } catch { problem = error }
        }
        if let problem { throw problem }
        end = min(end + length, log.file.count)
    }

    /// Finds the fields of the next row. Returns `false` if it is incomplete.
    private mutating func scan() -> Bool {
        fields.removeAll(keepingCapacity: true)
        var (start, place) = (next, next)
        var isQuoted = false
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                // Two quotes within a field toggle twice, so that the field remains quoted.
                isQuoted.toggle()
            } else if !isQuoted && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\n")) {
                fields.append(start..<place)
                start = place + 1
                if byte == UInt8(ascii: "\n") {
                    next = start
                    return true
                }
            }
            place += 1
        }
        return false
    }

    /// The bytes of the row.
    var row: ArraySlice<UInt8> { bytes[fields[0].lowerBound..<next] }

    /// Returns a numeric field.
    func number(_ field: Int) -> Int {
        bytes[fields[field]].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    /// Whether the row has the field.
    func has(_ field: Int) -> Bool { field < fields.count }

    /// Returns the bytes of a field, including quotes.
    func spelled(_ field: Int) -> ArraySlice<UInt8> { bytes[fields[field]] }

    /// Returns a field as text, or an empty text if the row lacks it.
    func text(_ field: Int) -> String {
        guard field < fields.count else { return "" }
        let spelled = bytes[fields[field]]
        let quote = UInt8(ascii: "\"")
        guard spelled.first == quote else { return String(decoding: spelled, as: UTF8.self) }
        var (text, isSecond) = ([UInt8](), false)
        for byte in spelled.dropFirst().dropLast() {
            isSecond = byte == quote && !isSecond
            if !isSecond { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
