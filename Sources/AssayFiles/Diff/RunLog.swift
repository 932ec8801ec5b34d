internal import Assay

/// Lines that a run writes about its records, in a file without a name, to be read once more behind each other.
///
///     record,line,offset,column,position,rule,code,severity,message
///     17,19,2841,email,3,email.pattern,pattern,reject,email does not match
///
/// They are as many as the data is bad, so memory is no place for them.
final class RunLog: Sink {
    let name = "a temporary file"
    let file: ScratchFile

    /// - Parameter directory: where the file is; `nil`: in the usual place.
    init(in directory: String?) throws(FileError) { file = try ScratchFile(in: directory) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) { try file.append(bytes) }
}

/// Rows of CSV as ``csvField`` writes them, one after the other.
struct LogRows {
    private let log: RunLog?
    private var bytes: [UInt8]
    /// Where in the log the bytes end.
    private var end = 0
    /// Where the next row begins in the bytes.
    private var next = 0
    /// The fields of the row that was read last, with the quotes around them.
    private var fields: [Range<Int>] = []

    /// The rows behind the first one, which names the columns.
    init(_ log: RunLog) throws(FileError) {
        self.log = log
        bytes = []
        _ = try advance()
    }

    /// The rows of some bytes.
    init(_ bytes: [UInt8]) {
        log = nil
        self.bytes = bytes
    }

    /// Goes to the next row. `false`: there is none.
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

    private mutating func read(_ log: RunLog, _ wanted: Int) throws(FileError) {
        var problem: FileError?
        bytes += [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            do throws(FileError) {
                count = try log.file.read(upTo: UnsafeMutableRawBufferPointer(buffer), at: end)
            } catch { problem = error }
        }
        if let problem { throw problem }
        end = min(end + wanted, log.file.count)
    }

    /// Finds the fields of the next row. `false`: it is not whole.
    private mutating func scan() -> Bool {
        fields.removeAll(keepingCapacity: true)
        var (start, place) = (next, next)
        var isQuoted = false
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                // Two of them within a field are one; it stays quoted.
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

    /// The row as it stands there.
    var row: ArraySlice<UInt8> { bytes[fields[0].lowerBound..<next] }

    /// A field that is a number.
    func number(_ field: Int) -> Int {
        bytes[fields[field]].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    /// Whether the row has such a field.
    func has(_ field: Int) -> Bool { field < fields.count }

    /// A field as it stands there.
    func spelled(_ field: Int) -> ArraySlice<UInt8> { bytes[fields[field]] }

    /// A field as text; empty where there is none.
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
