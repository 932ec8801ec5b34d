import Testing

@testable import AssayFiles

/// The sum of the hashes of pieces, for any cut and order, is the hash of the whole.
@Suite struct RangeHashTests {
    private static func hash(_ key: UInt64, _ bytes: ArraySlice<UInt8>, at place: Int) -> RangeHash {
        let hash = RangeHash(key: key)
        Array(bytes).withUnsafeBytes { hash.add($0, at: place) }
        return hash
    }

    /// The definition, byte by byte: Σ byte · 256^(place mod 4) · key^(place / 4) modulo 2^61 - 1.
    private static func plain(_ key: UInt64, _ bytes: [UInt8], at place: Int) -> UInt64 {
        let prime: UInt64 = 1 << 61 - 1
        func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
            prime.dividingFullWidth((left % prime).multipliedFullWidth(by: right % prime)).remainder
        }
        var sum: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            var term = UInt64(byte)
            for _ in 0..<(place + index) % 4 { term = product(term, 256) }
            for _ in 0..<(place + index) / 4 { term = product(term, key) }
            sum = (sum + term) % prime
        }
        return sum
    }

    @Test func agreesWithItsDefinition() {
        for count in [0, 1, 2, 7, 8, 9, 63, 64, 65, 71, 72, 127, 128, 129, 200] {
            for place in [0, 1, 3, 7, 8, 9, 64, 100] {
                let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
                for key in [2, 3, (1 << 61) - 2, RangeHash.randomKey()] as [UInt64] {
                    #expect(Self.hash(key, bytes[...], at: place).value == Self.plain(key, bytes, at: place))
                    let full = [UInt8](repeating: 0xFF, count: count)
                    #expect(Self.hash(key, full[...], at: place).value == Self.plain(key, full, at: place))
                }
            }
        }
    }

    @Test func piecesInAnyOrder() {
        let (key, place) = (RangeHash.randomKey(), 1_234_567)
        let bytes = (0..<1_000).map { _ in UInt8.random(in: .min ... .max) }
        let expected = Self.hash(key, bytes[...], at: place).value
        for _ in 0..<200 {
            let cuts = ((0..<Int.random(in: 0..<9)).map { _ in Int.random(in: 0...1_000) } + [0, 1_000]).sorted()
            let pieces = RangeHash(key: key)
            for (start, end) in zip(cuts, cuts.dropFirst()).shuffled() {
                Array(bytes[start..<end]).withUnsafeBytes { pieces.add($0, at: place + start) }
            }
            #expect(pieces.value == expected)
        }
    }

    @Test func everyChangedByteIsSeen() {
        let key = RangeHash.randomKey()
        var bytes = (0..<300).map { _ in UInt8.random(in: .min ... .max) }
        let expected = Self.hash(key, bytes[...], at: 5).value
        for index in bytes.indices {
            for change in [1, 0x80, 0xFF] as [UInt8] {
                bytes[index] ^= change
                #expect(Self.hash(key, bytes[...], at: 5).value != expected)
                bytes[index] ^= change
            }
        }
        #expect(Self.hash(key, bytes[...], at: 6).value != expected)
    }

    /// With words of eight bytes, these would be the same modulo 2^61 - 1 under every key.
    @Test func changesByThePrimeAreSeen() {
        for place in 0..<16 {
            let key = RangeHash.randomKey()
            let one = Self.hash(key, Array("aaaaaaaa".utf8)[...], at: place).value
            #expect(Self.hash(key, Array("baaaaaaA".utf8)[...], at: place).value != one)
            let none = Self.hash(key, [UInt8](repeating: 0, count: 8)[...], at: place).value
            let prime = [UInt8](repeating: 0xFF, count: 7) + [0x1F]
            #expect(Self.hash(key, prime[...], at: place).value != none)
        }
    }

    @Test func isCodedAgain() {
        var coder = CheckpointCoder()
        let hash = RangeHash(key: 3, value: (1 << 61) - 2)
        hash.code(with: &coder)
        var reader = CheckpointCoder(reading: coder.bytes)
        let other = RangeHash(key: 3)
        other.code(with: &reader)
        #expect(other.value == hash.value && reader.isComplete)
    }
}
