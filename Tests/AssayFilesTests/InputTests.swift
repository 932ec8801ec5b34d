import Assay
import AssayRules
import CAssaySystem
import Testing

@testable import AssayFiles

/// Compressed inputs and other encodings: raw bytes, as a table, and in pieces.
@Suite("Inputs that are packed or in other encodings") struct InputTests {
    private static let table: [UInt8] = {
        var table = Array("id,name\n".utf8)
        for row in 0..<20_000 { table += Array("\(row),Müller \(row % 7 == 0 ? "" : "ö")\n".utf8) }
        return table
    }()

    private static func packed(_ bytes: [UInt8], _ compression: Compression) throws -> [UInt8] {
        let memory = MemorySink()
        let sink = Packed(memory, as: compression)
        for start in stride(from: 0, to: bytes.count, by: 100_000) {
            try sink.write(Array(bytes[start..<min(bytes.count, start + 100_000)]))
        }
        return memory.take()
    }

    private static func all(_ source: any Source) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while try !source.readPiece(onto: &bytes, upTo: bytes.count + 70_000) {}
        return bytes
    }

    @Test("packed data is unpacked, by the reader or ahead of it", arguments: Compression.allCases)
    func unpacked(compression: Compression) throws {
        let packed = try Self.packed(Self.table, compression)
        #expect(packed.count < Self.table.count / 2)
        for threads in [0, 1, 3] {
            let source = try Decompressed(PieceSource(packed), from: compression, threads: threads)
            #expect(try Self.all(source) == Self.table)
        }
    }

    @Test("a file is unpacked from the place of reading, also after a wrong guess", arguments: [0, 1, 3])
    func position(threads: Int) throws {
        // Stored blocks contain bytes that look like the headers of members.
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let content = Self.table + (0..<30_000).flatMap { _ in header + [10] }
        let stored = Self.stored(content)
        try withTemporaryFile(Array("before".utf8) + stored + stored) { path in
            let file = try FileSource(path: path)
            var before = [UInt8](repeating: 0, count: 6)
            _ = try before.withUnsafeMutableBytes { bytes throws(FileError) in try file.read(into: bytes) }
            #expect(try Self.all(Decompressed(file, from: .gzip, threads: threads)) == content + content)
        }
    }

    /// A gzip member of stored blocks (RFC 1951, 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start..<min(bytes.count, start + 0xFFFF)]
            member += [start + 0xFFFF >= bytes.count ? 1 : 0] + little(block.count, 2) + little(~block.count, 2) + block
        }
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
        }
        return member + little(Int(~crc), 4) + little(bytes.count, 4)
    }

    @Test("a reader that stops early leaves no thread waiting")
    func dropped() throws {
        let packed = try Self.packed(Self.table, .gzip)
        for _ in 0..<50 {
            let source = try Decompressed(PieceSource(packed), from: .gzip, threads: 2)
            var bytes: [UInt8] = []
            _ = try source.readPiece(onto: &bytes, upTo: 10)
            #expect(!bytes.isEmpty)
        }
    }

    @Test(
        "text is decoded and encoded back", arguments: ["windows-1252", "UTF-16LE", "UTF-16BE", "UTF-32LE", "GB18030"])
    func decoded(encoding: String) throws {
        let memory = MemorySink()
        try Encoded(memory, as: encoding).write(Self.table)
        let encoded = memory.take()
        #expect(encoded != Self.table)
        for threads in [0, 1, 3] {
            #expect(try Self.all(Decoded(PieceSource(encoded), from: encoding, threads: threads)) == Self.table)
        }
        #expect(throws: InputError.self) { try Decoded(PieceSource([]), from: "latin-99") }
    }

    /// Surrogate pairs at every position where a block may end. 400 KB are six blocks of 64 KiB.
    @Test(
        "a file that is read in parallel blocks decodes like a pipe",
        arguments: ["UTF-16LE", "UTF-16BE", "UTF-32LE", "windows-1252"], [0, 1, 2, 3])
    func decodedFile(encoding: String, shift: Int) throws {
        let isSingle = encoding == "windows-1252"
        let text =
            String(repeating: "a", count: shift)
            + String(repeating: isSingle ? "züg," : "\u{1F600}", count: 100_000) + "é\n"
        let memory = MemorySink()
        try Encoded(memory, as: encoding).write(Array(text.utf8))
        let encoded = memory.take()
        // Incomplete units and pairs at the end are decoded in the same way.
        for cut in 0...4 {
            let bytes = Array(encoded.dropLast(cut))
            let expected = try Self.all(Decoded(PieceSource(bytes), from: encoding, threads: 0))
            if cut == 0 { #expect(expected == Array(text.utf8)) }
            try withTemporaryFile(bytes) { path in
                for threads in [0, 1, 3] {
                    let file = try Decoded(FileSource(path: path), from: encoding, threads: threads)
                    let isSame = try Self.all(file) == expected
                    #expect(isSame, "\(cut) bytes cut off, \(threads) threads")
                }
            }
        }
    }

    @Test("a file that grows while it is decoded is read to its new end")
    func decodedGrowingFile() throws {
        let memory = MemorySink()
        let text = "\u{FEFF}" + String(repeating: "ab\u{1F600}", count: 1000)
        try Encoded(memory, as: "UTF-16LE").write(Array(text.utf8))
        let encoded = memory.take()
        // After the first half of a pair, and inside a unit.
        for cut in [0, 1, 2, 3] {
            try withTemporaryFile(encoded.dropLast(cut)) { path in
                let source = try FileSource(path: path)
                let file = try #require(fopen(path, "a"))
                for byte in encoded.suffix(cut) + [0x78, 0] { fputc(Int32(byte), file) }
                fclose(file)
                let decoded = try Self.all(Decoded(source, from: "UTF-16LE", threads: 0))
                let isComplete = decoded == Array((text.dropFirst() + "x").utf8)
                #expect(isComplete, "\(cut) bytes are added later")
            }
        }
    }

    @Test("a stream takes packed and encoded pieces of any size", arguments: [1, 7, 1000, 1 << 20])
    func streamed(size: Int) throws {
        let memory = MemorySink()
        try Encoded(Packed(memory, as: .gzip), as: "UTF-16LE").write(Array("\u{FEFF}".utf8) + Self.table)
        let input = memory.take()
        let good = MemorySink()
        var stream = try Cleaner(rules: RuleFile(), options: threads(1)).stream(
            named: "upload", to: Outputs(clean: good))
        for start in stride(from: 0, to: input.count, by: size) {
            try stream.write(input[start..<min(input.count, start + size)])
        }
        let result = try stream.finish()
        #expect(good.take() == Self.table)
        #expect(result.compression == .gzip && result.encoding.name == "UTF-16LE" && result.records == 20_000)
    }

    @Test("several files are one table: records are numbered on, lines and offsets are each file's")
    func asOne() throws {
        let rules = try RuleFile.parse(Array("fields: [{name: id, type: integer}, {name: name}]".utf8), name: "r")
        let cleaner = try Cleaner(rules: rules, options: threads(3))
        let (good, bad) = (MemorySink(), MemorySink())
        let files = ["id,name\n1,a\nx,b", "id,name\n", "id,name\n3,c\ny,d\n"].map { PieceSource(Array($0.utf8)) }
        let result = try cleaner.run(asOne: files, to: Outputs(clean: good, rejects: bad))
        #expect(String(decoding: good.take(), as: UTF8.self) == "id,name\n1,a\n3,c\n")
        #expect(String(decoding: bad.take(), as: UTF8.self) == "id,name\nx,b\ny,d\n")
        #expect(result.firstFindings.map { [$0.record, $0.line, $0.offset] } == [[2, 3, 12], [4, 3, 12]])
        #expect(result.inputs.map(\.records) == [2, 0, 2])
        #expect(throws: InputError.self) {
            try cleaner.run(asOne: [PieceSource(Array("id,name\n".utf8)), PieceSource(Array("id,nam\n".utf8))])
        }
    }
}
