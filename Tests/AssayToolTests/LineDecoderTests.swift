import ArgumentParser
import Testing

@testable import AssayTool

/// Lines of all commands, read by ``LineDecoder`` and by ArgumentParser.
struct LineDecoderTests {
    private static let leaves = AssayCommand.leaves

    /// Words that some option takes. Each option of a value takes at least one.
    private static let values = [
        "1", "1%", "5M", "a=1", "x", "tab", "none", "auto", "csv", "keep", "skip", "lf", "utf-8", "gzip", "always",
        "/tmp", "typical", "2024-02-29T12:30:00Z",
    ]

    /// The arguments and options that a command requires.
    private static func required(_ words: [String]) -> [String] {
        switch words {
        case ["types"]: []
        case ["explain"]: ["a"]
        case ["diff"]: ["old.yaml", "new.yaml", "t.csv"]
        case ["bench"]: ["t.csv", "--rules", "r.yaml"]
        case ["init"]: ["t.csv"]
        default: ["a.csv", "b.csv"]
        }
    }

    /// The values of the properties, or `nil` if the line is left to ArgumentParser.
    private static func decoded<Command: LeafCommand>(_ type: Command.Type, _ line: [String]) -> String? {
        guard let line = Invocation("", line[...], options: LineDecoder.options(of: type)),
            let command = try? LineDecoder.decode(type, from: line)
        else { return nil }
        return "\(command)"
    }

    private static func parsed(_ type: any LeafCommand.Type, _ line: [String]) -> String? {
        guard let command = try? type.parseAsRoot(line), command is any LeafCommand else { return nil }
        return "\(command)"
    }

    @Test("the leaves are all commands without subcommands")
    func tree() {
        func leaves(_ command: any ParsableCommand.Type, _ words: [String]) -> [String] {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty { return [words.joined(separator: " ")] }
            return subcommands.flatMap { leaves($0, words + [$0._commandName]) }
        }
        #expect(Self.leaves.map { $0.words.joined(separator: " ") }.sorted() == leaves(AssayCommand.self, []).sorted())
    }

    @Test("options have the names that help shows")
    func names() {
        for leaf in Self.leaves {
            var shown: Set<String> = []
            for line in AssayCommand.helpMessage(for: leaf.type).split(separator: "\n") where line.hasPrefix("  -") {
                shown.formUnion(
                    line.matches(of: /--[a-z-]+/.asciiOnlyWordCharacters()).prefix(1).map { String($0.output) })
            }
            #expect(LineDecoder.names(of: leaf.type) == shown.subtracting(["--help", "--version"]), "\(leaf.words)")
        }
    }

    @Test("each option is read as ArgumentParser reads it")
    func options() {
        for leaf in Self.leaves {
            let required = Self.required(leaf.words)
            for (name, kind) in LineDecoder.options(of: leaf.type) where !required.contains(name) {
                var forms = kind == .list ? [[name, "a=1", name, "b=2"]] : []
                forms += [[name], [name, name], ["\(name)="], [name, "--"], [name, "-1"], [name, "-x"]]
                forms += Self.values.flatMap { [[name, $0], ["\(name)=\($0)"]] }
                var accepted = 0
                // Two lines are enough: ArgumentParser takes milliseconds for each.
                for line in forms.flatMap({ [$0 + required, required + $0] }) where accepted < 2 {
                    guard let decoded = Self.decoded(leaf.type, line) else { continue }
                    accepted += 1
                    let isSame = decoded == Self.parsed(leaf.type, line)
                    #expect(isSame, "\(leaf.words) \(line)")
                }
                let isAccepted = accepted > 0 || Self.hasNeeds.contains(name)
                #expect(isAccepted, "\(leaf.words) \(name)")
            }
        }
    }

    /// Options that are valid only with or without other words.
    private static let hasNeeds: Set = ["--seed", "--checkpoint-every", "--try", "--trust-rules", "--rules"]

    @Test("other forms of lines")
    func forms() {
        let lines: [(command: String, line: String, isDecoded: Bool)] = [
            ("check", "t.csv", true), ("check", "- t.csv", true), ("check", "-q t.csv", true),
            ("check", "-qr r t.csv", true),
            ("check", "-r r t.csv", true), ("check", "-r=r t.csv", true), ("check", "t.csv --rules=-r", true),
            ("check", "t.csv -- -q --nonsense", true), ("check", "--findings - t.csv", true),
            ("check", "-qq t.csv", true),
            ("check", "t.csv --limit=depth=9 --limit rules=5", true), ("check", "t.csv --seed 5 --sample 1%", true),
            ("clean", "t.csv --resume --checkpoint-every 1.5", true), ("check", "t.csv --escape=", false),
            ("explain", "a --trust-rules --rules r", false), ("explain", "a b c --search", true),
            ("explain", "a -i", false),
            ("types", "iban --try 1 --try 2", true), ("types", "iban --try -5", false), ("types", "", false),
            ("diff", "a b t.csv u.csv --first 3", true), ("diff", "a b", false), ("diff", "a b t.csv -r r", false),
            ("check", "", false), ("check", "--quiet", false), ("check", "t.csv --nonsense", false),
            ("check", "t.csv -x", false), ("check", "t.csv --quiet=1", false), ("check", "t.csv --rules", false),
            ("check", "t.csv --rules -q", false), ("check", "t.csv --rules --", false), ("check", "t.csv -rq r", false),
            ("check", "t.csv --head x", false), ("check", "t.csv --head -1", false), ("check", "t.csv --seed 5", false),
            ("check", "t.csv --format xml", false), ("check", "t.csv --delimiter abc", false),
            ("check", "--help", false),
            ("check", "t.csv -h", false), ("check", "t.csv --version", false), ("init", "a b", false),
            ("bench", "a", false),
            ("check", "t.csv ---", false), ("check", "t.csv -=x", false), ("check", "t.csv --=x", false),
        ]
        for (command, line, isDecoded) in lines {
            let type = Self.leaves.first { $0.words == [command] }!.type
            let words = line.split(separator: " ").map(String.init)
            let decoded = Self.decoded(type, words)
            #expect((decoded != nil) == isDecoded, "\(command) \(line)")
            if isDecoded { #expect(decoded == Self.parsed(type, words), "\(command) \(line)") }
        }
    }

    @Test("the words of a suggested command")
    func words() throws {
        let options = LineDecoder.options(of: CheckCommand.self)
        let line = try #require(
            Invocation("check", ["a b.csv", "-qr", "r.yaml", "--limit", "depth=9", "--", "-x.csv"], options: options))
        #expect(line.text == "assay check 'a b.csv' ./-x.csv --quiet --rules r.yaml --limit depth=9")
        #expect(
            line.values(of: "--limit") == ["depth=9"] && line.firstOption(among: ["--rules", "--head"]) == "--rules")
        let twice = try #require(Invocation("check", ["--head", "1", "t.csv", "--head=2"], options: options))
        #expect(throws: (any Error).self) { try twice.refuseRepeatedOptions(options) }
    }
}
