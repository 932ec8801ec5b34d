import ArgumentParser
import Assay
import AssayFiles
import AssayRules

/// A table that a command reads.
struct InputTable {
    /// The files: one, or several that are parts of the table.
    var files: [String]
    /// The format of the records, or `nil` if it is not given.
    var format: InputFormat?
    /// The rules, if the input contains them; `nil` means those of the command.
    var rules: RuleFile?
    /// The files that may be opened for the table: those in the folder of a descriptor, or any if the user names them.
    var policy = RuleFilePolicy.anyFile

    /// The base of the output names.
    var name: String { files.count > 1 ? OutputPaths.commonName(of: files) : files[0] }

    func open() throws -> [FileSource] { try files.map { try openInput($0, by: policy) } }
}

/// The inputs of a command: files, or the tables of a Data Package.
struct InputTables {
    var tables: [InputTable]
    /// Other files that are read: rules, descriptors, schemas.
    var otherFiles: [String]
    /// Notes that are printed before the run, as lines for standard error.
    var notes = ""
    /// Whether the tables come from a Data Package, whose descriptor specifies how to read them.
    var isPackage = false

    /// The first file of each table, which names the table in messages.
    var names: [String] { tables.map { $0.files[0] } }
}

extension JobOptions {
    /// The tables of the inputs. The descriptor of a Data Package represents all of its tables.
    func tables() throws -> InputTables {
        if inputs.filter({ $0 == CleanJob.standard }).count > 1 {
            throw ArgumentParser.ValidationError("Standard input (-) can be read only once.")
        }
        if input.format == nil, let descriptor = inputs.first(where: { DataPackage.isDescriptor(at: $0) }) {
            return try tables(ofPackage: descriptor)
        }
        if !selection.resource.isEmpty {
            throw InputError("--resource chooses tables of a Data Package, but \(printable(inputs[0])) is not one")
        }
        try refuseRuleFiles()
        if selection.asOne { try refuseRepeatedFile() }
        // Files that form one table are one job.
        let groups = selection.asOne ? [inputs] : inputs.map { [$0] }
        return InputTables(
            tables: groups.map { InputTable(files: $0, format: inputFormat) },
            otherFiles: rules.rules.map { [$0] } ?? [])
    }

    /// Refuses a file that is a part of the table twice, also by a link, because all of its records would be doubled.
    private func refuseRepeatedFile() throws {
        var names: [FileIdentity: String] = [:]
        for name in inputs where name != CleanJob.standard {
            guard let identity = FileIdentity(at: name) else { continue }
            if let other = names.updateValue(name, forKey: identity) {
                throw InputError(
                    areByteEqual(name, other)
                        ? "the input \(printable(name)) is named twice"
                        : "\(printable(other)) and \(printable(name)) are the same file",
                    hint: "name it once")
            }
        }
    }

    private func tables(ofPackage descriptor: String) throws -> InputTables {
        try refuseOptions(nextTo: descriptor)
        let package: DataPackage
        do {
            package = try .read(descriptor, limits: limits.limits(trustingRules: trust.trustRules))
        } catch let error as FileError {
            throw InputError("\(error)")
        } catch let error as RuleFileError where !DataPackage.hasDescriptor(at: descriptor) {
            complain(error)
            writeError(
                "  hint: \(printable(descriptor)) is named like a Data Package; to read it as a table, name the "
                    + "format: --format jsonl\n"
            )
            throw Ending(status: .couldNotStart)
        }
        let folder = splitPath(descriptor).directory
        let policy = DataPackage.policy(ofDescriptor: descriptor)
        var found = InputTables(
            tables: [], otherFiles: [descriptor] + package.readFiles.map { folder + $0 }, isPackage: true)
        let chosen = try chosenTables(of: package, descriptor)
        for other in package.otherResources where selection.resource.isEmpty {
            found.notes +=
                "assay: \(printable(other.name)) (\(printable(folder + other.path))) is left out: "
                + "it is not a table\n"
        }
        for table in chosen {
            try verify(table, of: package, in: folder, policy, descriptor)
            var rules = table.rules
            found.notes += limits.noteOnRaisedLimits(rules, named: "\(descriptor): \(table.name)") ?? ""
            try limits.apply(to: &rules.limits)
            if rules.dialect.delimiter == nil {
                rules.dialect.delimiter = Dialect.delimiter(suggestedBy: table.paths[0])
            }
            if evaluation.noRepair { rules.schema = rules.schema.withoutRepairs }
            // Paths in a package are relative to its descriptor, even if the schema is elsewhere.
            rules.directory = ""
            rules.policy = policy
            rules.referencedTables = package.tables(referredToBy: table, in: folder)
            if !table.hasSchema {
                found.notes += "assay: \(printable(table.name)) has no schema: only structure and encoding are judged\n"
            }
            found.tables.append(
                InputTable(
                    files: table.paths.map { folder + $0 }, format: table.format.map(InputFormat.init), rules: rules,
                    policy: policy))
        }
        return found
    }

    /// The requested tables: all, or those that `--resource` names.
    private func chosenTables(of package: DataPackage, _ descriptor: String) throws -> [DataResource] {
        for name in selection.resource where package.table(named: name) == nil {
            if package.otherResources.contains(where: { ByteEqualString($0.name) == ByteEqualString(name) }) {
                throw InputError("the resource '\(printable(name))' of \(printable(descriptor)) is not a table")
            }
            let names = package.tables.map(\.name)
            throw InputError(
                "\(printable(descriptor)) has no resource '\(printable(name))'",
                hint: closestName(to: name, among: names).map { "did you mean '\(printable($0))'?" }
                    ?? "its tables are \(names.map { "'\(printable($0))'" }.joined(separator: ", "))")
        }
        return selection.resource.isEmpty ? package.tables : package.tables.filter(isRequested)
    }

    private func isRequested(_ table: DataResource) -> Bool {
        selection.resource.contains { ByteEqualString($0) == ByteEqualString(table.name) }
    }

    /// Verifies that the files of a table, and of unrequested tables that it refers to, are those that the descriptor
    /// describes.
    private func verify(
        _ table: DataResource, of package: DataPackage, in folder: String, _ policy: RuleFilePolicy,
        _ descriptor: String
    ) throws {
        let referenced = table.rules.schema.foreignKeys.compactMap { package.table(named: $0.reference.resource) }
        for resource in [table] + referenced.filter({ !selection.resource.isEmpty && !isRequested($0) }) {
            do {
                try resource.verify(in: folder, by: policy, accordingTo: descriptor)
            } catch {
                // Ignore files that cannot be opened, because reading the table reports them.
                if error.operation == "verify" { throw error }
            }
        }
    }

    /// Refuses options that the descriptor of a Data Package specifies.
    private func refuseOptions(nextTo descriptor: String) throws {
        let name = printable(descriptor)
        if inputs.count > 1 {
            throw InputError(
                "\(name) is a Data Package, which cannot be combined with other inputs",
                hint: "it names its files; give it alone")
        }
        if let rules = rules.rules {
            throw InputError(
                "\(name) is a Data Package: its schemas are the rules, not \(printable(rules))",
                hint: "leave out --rules; to judge one of its files by other rules, give that file")
        }
        guard let option = line.firstOption(among: Self.ofTables) else { return }
        let isNamedOnly = !DataPackage.hasDescriptor(at: descriptor)
        throw InputError(
            "\(option) is for a single table, and \(name) is a Data Package",
            hint: "say it in the descriptor: a resource has 'path', 'dialect' and 'encoding'"
                + (isNamedOnly ? "; if it is a table, add --format csv or --format jsonl" : ""))
    }
}

extension InputFormat {
    init(_ format: DataResource.Format) {
        switch format {
        case .csv: self = .csv
        case .jsonLines: self = .jsonLines
        }
    }
}
