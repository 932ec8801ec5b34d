/// A column of generated values in the layout of Arrow: value *i* is `bytes[offsets[i]..<offsets[i + 1]]`.
struct Column: Sendable {
    let subject: Subject
    let bytes: [UInt8]
    let offsets: [Int32]
    /// Whether each value is bad, as the generator knows.
    private let isBad: [Bool]

    var count: Int { offsets.count - 1 }
    var bytesPerValue: Double { Double(bytes.count) / Double(count) }

    /// Returns the number of matching values among the first `count`.
    func passing(_ count: Int) -> Int { isBad.prefix(count).count { !$0 } }
    var passing: Int { passing(count) }

    init(_ subject: Subject, count: Int, badPercent: Double) {
        var random = Random(seed: UInt64(subject.pattern.utf8.reduce(17) { ($0 &* 31) &+ Int($1) } & 0xFFFF_FFFF))
        var bytes: [UInt8] = []
        var offsets: [Int32] = [0]
        var isBad: [Bool] = []
        bytes.reserveCapacity(count * 80)
        offsets.reserveCapacity(count + 1)
        isBad.reserveCapacity(count)
        for _ in 0..<count {
            let bad = random.chance(badPercent)
            (bad ? subject.bad : subject.good)(&bytes, &random)
            isBad.append(bad)
            offsets.append(Int32(bytes.count))
        }
        self.subject = subject
        self.bytes = bytes
        self.offsets = offsets
        self.isBad = isBad
    }

    /// Creates a column of `count` values that are drawn from `distinct` values.
    init(_ subject: Subject, count: Int, badPercent: Double, distinct: Int) {
        let pool = Column(subject, count: distinct, badPercent: badPercent)
        var random = Random(seed: UInt64(distinct))
        var bytes: [UInt8] = []
        var offsets: [Int32] = [0]
        var isBad: [Bool] = []
        offsets.reserveCapacity(count + 1)
        for _ in 0..<count {
            let index = random.below(distinct)
            bytes.append(contentsOf: pool.bytes[Int(pool.offsets[index])..<Int(pool.offsets[index + 1])])
            offsets.append(Int32(bytes.count))
            isBad.append(pool.isBad[index])
        }
        self.subject = subject
        self.bytes = bytes
        self.offsets = offsets
        self.isBad = isBad
    }

    /// Calls `body` with pointers to the bytes and the offsets, which are valid only during the call.
    func withPointers<Result>(_ body: (UnsafePointer<UInt8>?, UnsafePointer<Int32>?) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            offsets.withUnsafeBufferPointer { body(bytes.baseAddress, $0.baseAddress) }
        }
    }

    /// Returns the first `count` values as strings.
    func strings(_ count: Int) -> [String] {
        (0..<count).map { String(decoding: bytes[Int(offsets[$0])..<Int(offsets[$0 + 1])], as: UTF8.self) }
    }
}
