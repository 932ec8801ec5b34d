import Assay
import AssayRules
import Foundation
import Testing

@testable import AssayFiles

/// The paths of `Tests/Escapes`, in Swift.
@Suite("Rules open files in their folder only")
struct RuleFilePolicyTests {
    /// Runs `body` with a new tree, and removes the tree afterwards.
    private func withTree(_ body: (_ folder: String, _ files: [(kind: String, path: String)]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)").path
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let maker = Process()
        maker.executableURL = URL(filePath: "/usr/bin/env")
        maker.arguments = ["python3", tests.appending(path: "Escapes/escapes.py").path, folder]
        try maker.run()
        maker.waitUntilExit()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try #require(maker.terminationStatus == 0)
        let list = try String(contentsOfFile: folder + "/list.tsv", encoding: .utf8)
        let files = list.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t")
            return (String(parts[0]), "\(folder)/rules/\(parts[1])")
        }
        #expect(files.count > 60)
        try body(folder, files)
    }

    private func isAccepted(by rules: RuleFile) throws -> Bool {
        let bytes = Array("id\nSECRET-0451\n".utf8)
        return try Cleaner(rules: rules).run(BytesSource(bytes, name: "t.csv")).rejected == 0
    }

    private func refusal(_ body: () throws -> Bool) -> String? {
        do {
            return try body() ? nil : "rejected"
        } catch { return "\(error)" }
    }

    private var trusting: Limits {
        var limits = Limits()
        limits.trustRuleFiles()
        return limits
    }

    @Test("escapes")
    func escapes() throws {
        try withTree { _, files in
            for (kind, path) in files {
                let loaded = refusal { try isAccepted(by: .read(FileSource(path: path))) }
                #expect((loaded == nil) == (kind == "allowed"), "\(path)")
                let bytes = try Array(Data(contentsOf: URL(filePath: path)))
                let parsed = refusal { try isAccepted(by: .parse(bytes, name: path)) }
                #expect(parsed != nil, "\(path)")
                for text in [loaded, parsed] { #expect(!(text ?? "").contains("SECRET-")) }
                if kind == "secret" {
                    #expect(try #require(loaded).hasPrefix("'foreignKeys.1' may not open "))
                    #expect(try #require(loaded).hasSuffix("read them after trustRuleFiles() on the limits"))
                }
                if kind != "other" {
                    #expect(try isAccepted(by: .read(FileSource(path: path), limits: trusting)))
                    #expect(try isAccepted(by: .parse(bytes, name: path, limits: trusting)))
                }
            }
        }
    }

    @Test("the policy of rules")
    func policies() throws {
        try withTree { folder, files in
            let (path, bytes) = (files[0].path, try Array(Data(contentsOf: URL(filePath: files[0].path))))
            #expect(try RuleFile.read(FileSource(path: path)).policy == .files(below: folder + "/rules/"))
            #expect(try RuleFile.read(FileSource(path: path), limits: trusting).policy == .anyFile)
            #expect(try RuleFile.parse(bytes, name: path).policy == .noFiles)
            #expect(try RuleFile.parse(bytes, name: path, limits: trusting).policy == .anyFile)
            // Rules made in code are trusted, but decoded rules are not.
            #expect(RuleFile().policy == .anyFile)
            let decoded = try JSONDecoder().decode(
                RuleFile.self, from: JSONEncoder().encode(RuleFile(limits: trusting)))
            #expect(decoded.policy == .noFiles && !decoded.limits.trustsRuleFiles)
            // A program may set the policy.
            var rules = try RuleFile.parse(bytes, name: path)
            rules.policy = .files(below: folder + "/rules")
            #expect(try isAccepted(by: rules))
            rules.policy = .files(below: folder + "/rules/sub/more")
            #expect(throws: InputError.self) { try isAccepted(by: rules) }
        }
    }

    @Test("raised limits are no trust")
    func limits() {
        var limits = Limits()
        limits.matchCeiling = trusting.matchCeiling
        #expect(!limits.trustsRuleFiles && trusting.trustsRuleFiles)
    }
}
