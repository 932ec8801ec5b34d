/// Writes or reads a sequence of values. One function describes both directions, so that they cannot differ.
///
///     mutating func code(with coder: inout CheckpointCoder) {
///         coder.code(&records)      // appended to the bytes, or taken from them
///         coder.code(&names) { $1.code(&$0) }
///     }
///
/// Numbers have eight bytes, the lowest first; texts and lists begin with their length.
struct CheckpointCoder {
    /// The bytes that were written, or that are being read.
    private(set) var bytes: [UInt8]
    let isReading: Bool
    /// Whether the bytes are invalid. If so, the values that were read must not be used.
    private(set) var isDamaged = false
    private var place = 0

    /// For writing.
    init() { (bytes, isReading) = ([], false) }

    init(reading bytes: [UInt8]) { (self.bytes, isReading) = (bytes, true) }

    /// Whether all bytes were read without damage.
    var isComplete: Bool { !isDamaged && place == bytes.count }

    mutating func code(_ value: inout Int) {
        if !isReading {
            withUnsafeBytes(of: Int64(value).littleEndian) { bytes += $0 }
        } else if let word = take(8) {
            value = word.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }

    mutating func code(_ value: inout [UInt8]) {
        let count = code(count: value.count)
        if !isReading {
            bytes += value
        } else if let taken = take(count) {
            value = Array(taken)
        }
    }

    mutating func code(_ value: inout String) {
        var text = Array(value.utf8)
        code(&text)
        if isReading { value = String(decoding: text, as: UTF8.self) }
    }

    /// - Parameters:
    ///   - blank: The initial value of each element that is read.
    ///   - each: Writes or reads one element.
    mutating func code<Value>(
        _ values: inout [Value], blank: Value, _ each: (inout Value, inout CheckpointCoder) -> Void
    ) {
        let count = code(count: values.count)
        if isReading { values = [] }
        for index in 0..<count where !isDamaged {
            if isReading { values.append(blank) }
            each(&values[index], &self)
        }
    }

    mutating func code(_ values: inout [Int]) { code(&values, blank: 0) { $1.code(&$0) } }

    mutating func code<Value>(
        _ value: inout Value?, blank: Value, _ each: (inout Value, inout CheckpointCoder) -> Void
    ) {
        var list = value.map { [$0] } ?? []
        code(&list, blank: blank, each)
        if isReading { value = list.first }
    }

    mutating func code(_ value: inout String?) { code(&value, blank: "") { $1.code(&$0) } }

    private mutating func code(count: Int) -> Int {
        var count = count
        code(&count)
        // Each element takes at least one byte.
        if isReading && !(0...bytes.count - place ~= count) { isDamaged = true }
        return isDamaged ? 0 : count
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard !isDamaged, count <= bytes.count - place else {
            isDamaged = true
            return nil
        }
        place += count
        return bytes[place - count..<place]
    }
}
