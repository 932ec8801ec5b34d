import Testing

@testable import AssayRules

@Suite("Limits by name") struct LimitsTests {
    @Test func everyLimitHasAName() throws {
        #expect(
            Limits.names == [
                "field-bytes", "record-bytes", "columns", "rule-file-bytes", "depth", "rules", "pattern-bytes",
                "match-base", "match-per-byte", "heap-kib", "jit-stack-bytes", "row-rule-bytes",
            ])
        for setting in Limits.settings {
            var limits = Limits()
            #expect(setting.range.contains(setting.value(in: limits)), "\(setting.name)")
            for value in [setting.range.lowerBound, setting.range.upperBound] {
                try limits.set(setting.name, to: setting.text(value))
                #expect(setting.value(in: limits) == value)
            }
        }
    }

    @Test(
        arguments: [
            ("1", 1), ("64K", 65_536), ("64k", 65_536), ("4M", 4 << 20), ("4MiB", 4 << 20), ("2KiB", 2_048),
            ("536870912", 512 << 20), ("00012", 12),
        ])
    func bytes(_ text: String, _ value: Int) throws {
        var limits = Limits()
        try limits.set("record-bytes", to: text)
        #expect(limits.recordBytes == value)
    }

    @Test("the default limit is the one to change")
    func limitsThatDoNotFit() throws {
        var limits = Limits()
        try limits.set("record-bytes", to: "200")
        #expect(throws: LimitError.self) { try limits.check() }
        do { try limits.check() } catch { #expect(error.suggestion == "set field-bytes=200 too") }
        limits = Limits()
        try limits.set("field-bytes", to: "8M")
        do { try limits.check() } catch { #expect(error.suggestion == "set record-bytes=8388608 too") }
    }

    @Test(
        arguments: [
            ("feild-bytes", "1", "unknown limit 'feild-bytes'; did you mean 'field-bytes'?"),
            (
                "x", "1",
                """
                unknown limit 'x'; known are field-bytes, record-bytes, columns, rule-file-bytes, depth, rules, \
                pattern-bytes, 
                """
                    + "match-base, match-per-byte, heap-kib, jit-stack-bytes, row-rule-bytes"
            ),
            ("record-bytes", "", "'' is not a value of record-bytes; write a whole number such as 65536, 64K or 4M"),
            ("record-bytes", "K", "'K' is not a value of record-bytes; write a whole number such as 65536, 64K or 4M"),
            (
                "record-bytes", "4iB",
                "'4iB' is not a value of record-bytes; write a whole number such as 65536, 64K or 4M"
            ),
            (
                "record-bytes", "-1",
                "'-1' is not a value of record-bytes; write a whole number such as 65536, 64K or 4M"
            ),
            (
                "record-bytes", "1.5M",
                "'1.5M' is not a value of record-bytes; write a whole number such as 65536, 64K or 4M"
            ),
            ("record-bytes", "0", "record-bytes is from 1 to 512M, not 0"),
            ("record-bytes", "513M", "record-bytes is from 1 to 512M, not 513M"),
            ("record-bytes", "99999999999999999999G", "record-bytes is from 1 to 512M, not 99999999999999999999G"),
            ("columns", "5K", "'5K' is not a value of columns; write a whole number"),
            ("depth", "3", "depth is from 4 to 256, not 3"),
        ])
    func refused(_ name: String, _ text: String, _ expected: String) throws {
        var limits = Limits()
        let error = try #require(throws: LimitError.self) { try limits.set(name, to: text) }
        #expect(error.description == expected)
        #expect(limits == Limits())
    }

    @Test func aFieldIsNoLongerThanItsRecord() throws {
        var limits = Limits()
        try limits.set("field-bytes", to: "8M")
        let error = try #require(throws: LimitError.self) { try limits.check() }
        #expect(
            error.description
                == "field-bytes (8388608) is more than record-bytes (4194304); set record-bytes=8388608 too")
        try limits.set("record-bytes", to: "8M")
        try limits.check()
    }
}
