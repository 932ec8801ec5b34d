import CGzip
import Testing

/// The guarantees of `Sources/CGzip` about its output.
struct GzipTests {
    /// Without a workaround, ISA-L 2.30 compresses about 270 of these 69,000 members differently, depending on the
    /// address of its stream.
    @Test func theSameBytesGiveTheSameMemberWhereverInMemory() throws {
        try #require(gzip_is_available())
        let deflaters = try (0..<24).map { _ in try #require(gzip_deflater_create()) }
        defer { for deflater in deflaters { gzip_deflater_free(deflater) } }
        var random = SeededGenerator(seed: 30)
        var different = 0
        for round in 0..<3000 {
            // With few letters, texts repeat often: almost every position has occurred before.
            let letters = UInt8.random(in: 1...6, using: &random)
            let count =
                round % 8 == 0 ? Int.random(in: 0..<40, using: &random) : 60 + Int.random(in: 0..<600, using: &random)
            let text = (0..<count).map { _ in UInt8(ascii: "a") + UInt8.random(in: 0..<letters, using: &random) }
            let first = Self.packed(text, deflaters[0])
            #expect(first.count > 26)
            for deflater in deflaters[1...] where Self.packed(text, deflater) != first { different += 1 }
        }
        #expect(different == 0)
    }

    private static func packed(_ text: [UInt8], _ deflater: OpaquePointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: gzip_bound(text.count)) { output, count in
            count = gzip_deflate(deflater, text, text.count, output.baseAddress!)
        }
    }
}
