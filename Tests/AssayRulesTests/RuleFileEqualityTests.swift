import Assay
import AssayRules
import Testing

@Suite("Rule files are equal only if they behave alike")
struct RuleFileEqualityTests {
    @Test("texts byte by byte")
    func texts() {
        func differ(_ change: (inout RuleFile, String) -> Void) {
            let files = ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}"].map { text in
                var file = RuleFile()
                change(&file, text)
                return file
            }
            #expect(files[0] == files[2] && files[0] != files[1] && files[0] != RuleFile() && Set(files).count == 2)
        }
        differ { $0.schema.fields = [Field(name: $1)] }
        differ { $0.directory = $1 }
        differ { $0.policy = .files(below: $1) }
        differ { $0.dialect.headerJoin = $1 }
        differ { $0.dialect.encoding = $1 }
        differ { $0.thresholds.columns = [.init(name: $1, max: .count(1))] }
        differ { $0.tableRules = [TableRule(id: $1, check: "")] }
        differ { $0.tableRules = [TableRule(id: "", check: $1)] }
        differ { $0.tableRules = [TableRule(id: "", check: "", message: $1)] }
        differ { $0.referencedTables = [ReferencedTable(name: $1, paths: [])] }
        differ { $0.referencedTables = [ReferencedTable(name: "a", paths: [$1])] }
    }

    @Test("everything else")
    func others() {
        let changes: [(inout RuleFile) -> Void] = [
            { _ in }, { $0.limits.ruleFileBytes += 1 }, { $0.jsonTypes = .text }, { $0.jsonTypes = .jsonSchema },
            { $0.thresholds.minRecords = 1 },
            { $0.dialect.delimiter = 0x3B }, { $0.dialect.secondDelimiter = 0x3B }, { $0.dialect.quoteChar = nil },
            { $0.dialect.escapeChar = 0x5C }, { $0.dialect.commentChar = 0x23 },
            { $0.dialect.skipInitialSpace = true }, { $0.dialect.skip = 1 }, { $0.dialect.header = false },
            { $0.dialect.headerRows = [1, 2] }, { $0.dialect.extraFields = .keep },
            { $0.dialect.trailingDelimiter = true }, { $0.dialect.lineTerminator = .cr },
            { $0.dialect.blankLines = .keep },
            { $0.thresholds.columns = [.init(name: "a", max: .count(1))] },
            { $0.thresholds.columns = [.init(name: "a", max: .count(2))] },
            { $0.tableRules = [TableRule(id: "", check: "")] },
            { $0.tableRules = [TableRule(id: "", check: "", severity: .warn)] },
            { $0.policy = .noFiles }, { $0.policy = .files(below: "") }, { $0.policy = .files(below: "a/") },
            { $0.limits.trustRuleFiles() },
            { $0.referencedTables = [ReferencedTable(name: "a", paths: [])] },
            { $0.referencedTables = [ReferencedTable(name: "a", paths: [], dialect: Dialect(delimiter: 0x3B))] },
        ]
        let files = changes.map { change in
            var file = RuleFile()
            change(&file)
            return file
        }
        #expect(Set(files).count == files.count)
        for file in files { #expect(files.count { $0 == file } == 1) }
    }

    @Test("errors have a localizedDescription without Foundation, too")
    func localized() {
        #expect(throws: Never.self) {
            do throws(RuleFileError) {
                _ = try Requirement<String>(yaml: "- 7", name: "r")
            } catch {
                #expect(error.localizedDescription == error.description)
            }
        }
    }
}
