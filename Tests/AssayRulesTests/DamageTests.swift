import Testing

@testable import AssayRules

/// Any content must lead to rules, or to errors with places.
@Suite("Damaged files") struct DamageTests {
    static let samples = [
        """
        # Users
        dialect: {delimiter: ';'}
        fields:
          - name: größe
            type: integer
            constraints: {required: true, minimum: 1, enum: [1, 2]}
            rules:
              - {id: x, pattern: 'it''s [a-z]', options: [search]}
              - when: {pattern: "a\\tb"}
                then: {any: [{maxLength: 5}, {not: {enum: [NO, "\\u00e9"]}}]}
          - name: when
            type: date
            format: '%d/%m/%Y'
        missingValues: ['', NA]
        """,
        #"{"fields": [{"name": "\ud83d\ude00", "type": "number", "constraints": {"pattern": "\\d+", "maximum": 5}}]}"#,
    ]

    @Test(arguments: samples.indices, 0..<8) func mutations(_ sample: Int, _ seed: UInt64) throws {
        var random = Seeded(state: seed)
        let original = Array(Self.samples[sample].utf8)
        let spice = Array("\"'{}[]:,-#&*!|>%@`\\\n\t\r \u{0}\u{1B}aé😀\u{2028}\u{FEFF}".utf8) + [0xFF, 0xC3, 0xED, 0xA0]
        for _ in 0..<100 {
            var bytes = original
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = spice.randomElement(using: &random)!
                case 1: bytes.insert(spice.randomElement(using: &random)!, at: place)
                case 2: bytes.remove(at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...30, using: &random)))
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            try look(at: bytes)
        }
    }

    /// Every prefix of a file, as an editor may save it.
    @Test(arguments: samples.indices) func prefixes(_ sample: Int) throws {
        let bytes = Array(Self.samples[sample].utf8)
        for count in 0..<bytes.count { try look(at: Array(bytes.prefix(count))) }
    }

    private func look(at bytes: [UInt8]) throws {
        do {
            let file = try RuleFile.parse(bytes, name: "x")
            #expect(try RuleFile.parse(Array(file.json().utf8), name: "x") == file)
        } catch {
            let lines = String(decoding: bytes, as: UTF8.self).reduce(into: 1) { $0 += $1.isNewline ? 1 : 0 }
            #expect(!error.problems.isEmpty)
            for problem in error.problems {
                #expect((1...lines).contains(problem.line), "\(error)")
                #expect(problem.column >= 1 && problem.width >= 1)
                #expect(!problem.message.isEmpty && !problem.message.hasSuffix("."))
                #expect(!problem.description.unicodeScalars.contains { $0.isInvisible && $0 != "\n" })
            }
        }
    }
}
