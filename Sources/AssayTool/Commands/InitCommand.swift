import ArgumentParser
import Assay
import AssayFiles
import AssayRules

struct InitCommand: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a skeleton of rules for the columns of a file, ready to be edited.",
        discussion: """
            EXAMPLE:
              assay init users.csv > users.rules.yaml
            """)

    @Argument(help: "The file with the column names in its header; - is standard input.", completion: .file())
    var file: String

    @OptionGroup(title: "Input") var dialect: DialectOptions
    @OptionGroup(title: "Input") var input: InputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run(_ line: Invocation) throws {
        let options = JobOptions(line: line, inputs: [file], dialect: dialect, input: input, limits: limits)
        let rules = try options.ruleFile(options.baseRules(), for: file)
        let source = try openInput(file)
        if source.isStandardOutput {
            throw InputError(
                "standard output is redirected to the input \(printable(file))",
                hint: "redirect the rules elsewhere: > users.rules.yaml")
        }
        let head = try forEachInput([file], of: line) { _ in
            let opened = try OpenedInput(
                source, unpacks: input.unpacks, encoding: input.encoding, trustsEncoding: input.trustEncoding,
                hasHeader: rules.dialect.header, threads: 1)
            let head = try TableHead(
                opened.source, dialect: rules.dialect, limits: rules.limits, format: options.inputFormat,
                formatIsImplied: options.formatIsImplied, encoding: opened.encoding,
                emptyHint: "a skeleton needs the names of the columns: give init a file that has them in its first line"
            )
            if head.format == .jsonLines { try options.refuseTableOptions(file) }
            return head
        }
        var dialect = head[0].format == .csv ? head[0].dialect : Dialect()
        // Omit the default delimiter.
        if rules.dialect.delimiter == nil && !head[0].choseDelimiter { dialect.delimiter = nil }
        try writeOutput(head[0].skeleton(dialect: dialect, limits: rules.limits))
    }
}
