import ArgumentParser

/// The tables and records of the inputs to read.
struct SelectionOptions: ParsableArguments {
    @Flag(help: "The files are one table, with the same header.")
    var asOne = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Of a Data Package only this table. May be repeated.", valueName: "name"))
    var resource: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("Read only the first records.", valueName: "n"))
    var head: Int?

    func validate() throws {
        if let head, head < 0 { throw ValidationError("--head takes 0 or a positive number.") }
    }
}
