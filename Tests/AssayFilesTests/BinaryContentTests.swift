import Foundation
import Testing

@testable import AssayFiles

@Suite("Files that are not text") struct BinaryContentTests {
    @Test("random bytes are not text", arguments: [512, 1000, 4096, 1 << 17])
    func random(count: Int) {
        var random = SeededGenerator(seed: 50)
        for _ in 0..<(1 << 18) / count {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(BinaryContent(firstBytes: bytes[...]) != nil)
        }
    }

    @Test("each of the three conditions is needed")
    func conditions() {
        /// 1,000 bytes with this number of control characters, of kinds of control characters, and of bytes that are
        /// not UTF-8.
        func content(controls: Int, kinds: Int, illFormed: Int) -> [UInt8] {
            let controls = (0..<controls).map { [0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17][$0 % kinds] as UInt8 }
            let text = controls + [UInt8](repeating: 0xE4, count: illFormed)
            return text + [UInt8](repeating: UInt8(ascii: "a"), count: 1000 - text.count)
        }
        func isText(_ bytes: [UInt8]) -> Bool { BinaryContent(firstBytes: bytes[...]) == nil }
        #expect(!isText(content(controls: 50, kinds: 12, illFormed: 20)))
        #expect(isText(content(controls: 49, kinds: 12, illFormed: 20)))
        #expect(isText(content(controls: 50, kinds: 11, illFormed: 20)))
        #expect(isText(content(controls: 50, kinds: 12, illFormed: 19)))
        #expect(!isText(Array(content(controls: 50, kinds: 12, illFormed: 20).prefix(512))))
        #expect(isText(Array(content(controls: 50, kinds: 12, illFormed: 20).prefix(511))))
    }

    @Test("no text file of this repository is refused")
    func texts() throws {
        let root = URL(filePath: #filePath).pathComponents.dropLast(3).dropFirst().joined(separator: "/")
        let endings: Set = ["swift", "c", "h", "py", "md", "txt", "json", "tsv", "csv", "yaml", "dict"]
        var count = 0
        for folder in ["Tests", "Docs", "Sources"] {
            let files = FileManager.default.enumerator(atPath: "/\(root)/\(folder)")
            while let file = files?.nextObject() as? String {
                let url = URL(filePath: "/\(root)/\(folder)/\(file)")
                guard endings.contains(url.pathExtension), let bytes = try? Data(contentsOf: url).prefix(1 << 16) else {
                    continue
                }
                count += 1
                #expect(BinaryContent(firstBytes: Array(bytes)[...]) == nil, "\(file)")
                #expect(ForeignFormat(magicOf: Array(bytes)) == nil, "\(file)")
            }
        }
        #expect(count > 1000)
    }
}
