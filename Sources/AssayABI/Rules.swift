internal import Assay
internal import AssayFiles
internal import AssayRules
public import CAssayABI

/// Compiled rules as an object of the C interface, shared by reference.
final class Rules: Handle, Sendable {
    static let argument = "rules"

    let file: RuleFile
    /// The schema for files, including repairs. Columns in memory are repaired by their plans.
    let schema: CompiledSchema
    /// The fields, in the order of the file.
    let plans: [FieldPlan]
    /// The plan for row rules.
    let rowPlan: RowPlan
    /// Checks single records, or `nil` if their verdicts depend on other records or on repairs.
    let recordPlan: RecordPlan?
    /// The index of each field in `plans`.
    private let placeOfField: [ByteEqualString: Int]
    let json: CText
    /// The folder of the files that the rules may refer to, or `nil` if they may not refer to files, or to any file.
    let folder: CText?
    /// The keys that foreign keys refer to, as far as they have been read.
    let references: References

    /// - Parameter longest: the maximum length of a checked value in bytes; `nil` uses the limit of the rules.
    private init(_ file: RuleFile, longest: Int?) throws(CompileError) {
        self.file = file
        let schema = try CompiledSchema(file.schema, maxPatternBytes: file.limits.patternBytes)
        self.schema = schema
        let maxPatternBytes = file.limits.patternBytes
        let checked =
            try file.schema.hasRepairs
            ? CompiledSchema(file.schema.withoutRepairs, maxPatternBytes: maxPatternBytes) : schema
        var plans: [FieldPlan] = []
        for (number, field) in file.schema.fields.enumerated() {
            let repairs =
                try field.repair.isEmpty
                ? nil
                : CompiledRepairs(
                    field.repair, of: field.type, missingValues: field.missingValues ?? file.schema.missingValues,
                    maxPatternBytes: maxPatternBytes)
            plans.append(
                FieldPlan(checked, field: number, limits: file.limits, repairs: repairs, longest: longest))
        }
        self.plans = plans
        rowPlan = RowPlan(checked, limits: file.limits)
        let evaluatesAlone = !file.schema.comparesRecords && !file.schema.hasRepairs
        recordPlan = evaluatesAlone ? RecordPlan(checked, limits: file.limits) : nil
        let names = file.schema.fields.enumerated().map { (ByteEqualString($1.name), $0) }
        placeOfField = Dictionary(names, uniquingKeysWith: { first, _ in first })
        json = CText(file.json())
        folder = if case .files(let folder) = file.policy { CText(folder) } else { nil }
        references = References(file.schema.foreignKeys.count)
    }

    /// - Throws: ``CompileError``, or a fault for a name or message with a NUL, which C would truncate.
    convenience init(_ file: RuleFile) throws {
        try self.init(file, longest: nil)
        for (number, plan) in plans.enumerated() {
            let name = file.schema.fields[number].name
            if name.utf8.contains(0) { throw Fault.nul("the name of the field '\(printable(name))'") }
            for rule in plan.schema.rules where rule.id.utf8.contains(0) || rule.message.utf8.contains(0) {
                throw Fault.nul("the name or the message of the rule '\(printable(rule.id))'")
            }
        }
        for rule in file.schema.rows where rule.id.utf8.contains(0) || rule.message?.utf8.contains(0) ?? false {
            throw Fault.nul("the name or the message of the rule '\(printable(rule.id))'")
        }
    }

    /// Rules with one field that has one pattern. Only null is missing, and the rules do not limit the length of
    /// values. The pattern is written by a developer, not in a rule file, so it may have the maximum length.
    convenience init(pattern: String, options: Pattern.Options) throws(CompileError) {
        // Compile the pattern alone first, so that a mistake is reported for the pattern, not for a rule in a field.
        // The cache keeps the result for the compilation below.
        _ = try PatternCache.shared.pattern(pattern, options: options, maxBytes: Self.longestPattern)
        let rule = Rule(id: "value.pattern", code: "pattern", check: .matches(pattern: pattern, options: options))
        let field = Field(name: "value", missingValues: [], rules: [rule])
        var file = RuleFile(schema: Schema(fields: [field]))
        file.limits.patternBytes = Self.longestPattern
        try self.init(file, longest: Self.longestCell)
    }

    /// The maximum length of a pattern that a rule file can allow, in bytes.
    private static let longestPattern = 1 << 20

    /// The maximum length of a value in the C core.
    private static let longestCell = Int(Int32.max)

    /// The plan of a field by name. The rules must have the field.
    func plan(_ name: String) -> FieldPlan { plans[placeOfField[ByteEqualString(name)]!] }

    /// Checks the index of a field from C.
    func field(_ index: Int) throws(Fault) -> Int {
        guard plans.indices.contains(index) else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "there is no field \(UInt(bitPattern: index)): the rules have \(plans.count)")
        }
        return index
    }

    /// Whether a later record can change the verdict on an earlier one.
    var decidesAtTheEnd: Bool { file.schema.decidesKeysAtTheEnd || ownForeignKey != nil }

    /// Refuses rules on the whole table where results have no place for them.
    func refuseTableRules() throws(Fault) {
        guard let rule = file.tableRules.first else { return }
        throw Fault(
            ASSAY_FAULT_RULES,
            "the rule '\(printable(rule.id))' under 'table' is about the whole table, and only files are checked with "
                + "such rules",
            hint: "use assay_clean_file, or leave out 'table'")
    }

    /// A foreign key into the table itself.
    var ownForeignKey: ForeignKey? { file.schema.foreignKeys.first { $0.reference.isOwnTable } }
}

extension Schema {
    fileprivate var hasRepairs: Bool { fields.contains { !$0.repair.isEmpty } }
}

extension Fault {
    fileprivate static func nul(_ what: String) -> Fault {
        Fault(ASSAY_FAULT_RULES, "\(what) has a NUL in it, where a text ends for C", hint: "write it without U+0000")
    }
}

@c @implementation
public func assay_rules_parse(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ name: UnsafePointer<CChar>?,
    _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting { try parse(text, count, name, Limits(), rules) }
}

@c @implementation
public func assay_rules_parse_trusted(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ name: UnsafePointer<CChar>?,
    _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting { try parse(text, count, name, .trusting, rules) }
}

@c @implementation
public func assay_rules_parse_within(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ name: UnsafePointer<CChar>?, _ folder: UnsafePointer<CChar>?,
    _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let folder else { throw Fault.null("folder") }
        let path = try String(path: folder, "folder")
        try parse(text, count, name, Limits(), rules, folder: path.isEmpty || path.hasSuffix("/") ? path : path + "/")
    }
}

@c @implementation
public func assay_rules_folder(_ rules: OpaquePointer?) -> UnsafePointer<CChar>? {
    (try? Rules.behind(rules))?.folder?.pointer
}

@c @implementation
public func assay_rules_load(
    _ path: UnsafePointer<CChar>?, _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting { try load(path, Limits(), rules) }
}

@c @implementation
public func assay_rules_load_trusted(
    _ path: UnsafePointer<CChar>?, _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting { try load(path, .trusting, rules) }
}

private func parse(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ name: UnsafePointer<CChar>?, _ limits: Limits,
    _ rules: UnsafeMutablePointer<OpaquePointer?>?, folder: String? = nil
) throws {
    guard let rules else { throw Fault.null("rules") }
    let bytes = try borrowedBytes(text, count, "text")
    // The name may be a path: files that the rules refer to are looked up in its folder.
    let name = try name.map { try String(path: $0, "name") } ?? "rules"
    var file = try RuleFile.parse(Array(bytes), name: name, limits: limits)
    if let folder { (file.directory, file.policy) = (folder, .files(below: folder)) }
    rules.pointee = try Rules(file).retained()
}

private func load(
    _ path: UnsafePointer<CChar>?, _ limits: Limits, _ rules: UnsafeMutablePointer<OpaquePointer?>?
) throws {
    guard let rules else { throw Fault.null("rules") }
    guard let path else { throw Fault.null("path") }
    var file = try RuleFile.read(FileSource(path: String(path: path, "path")), limits: limits)
    // A host may change its directory, and serialized rules may arrive in another process.
    file.directory = absolutePath(file.directory)
    if case .files(let folder) = file.policy { file.policy = .files(below: absolutePath(folder)) }
    rules.pointee = try Rules(file).retained()
}

extension Limits {
    fileprivate static var trusting: Limits {
        var limits = Limits()
        limits.trustRuleFiles()
        return limits
    }
}

@c @implementation
public func assay_rules_from_pattern(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ flags: UInt32, _ rules: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let rules else { throw Fault.null("rules") }
        guard flags >> 7 == 0 else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "the flags \(flags) are not options of a pattern")
        }
        let bytes = try borrowedBytes(text, count, "text")
        guard let pattern = String(validating: bytes, as: UTF8.self) else {
            throw Fault(ASSAY_FAULT_RULES, "the pattern is not well-formed UTF-8")
        }
        var options = Pattern.Options(rawValue: flags & ~UInt32(ASSAY_MATCH_LINEAR_TIME))
        if flags & UInt32(ASSAY_MATCH_LINEAR_TIME) != 0 { options.insert(.linearTime) }
        rules.pointee = try Rules(pattern: pattern, options: options).retained()
    }
}

/// The bytes that the caller lends for the call.
func borrowedBytes(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ name: String
) throws(Fault) -> UnsafeBufferPointer<UInt8> {
    // Swift imports size_t as Int, so a negative count exceeds any memory.
    guard count >= 0 else { throw Fault(ASSAY_FAULT_ARGUMENT, "the count of '\(name)' is beyond any memory") }
    guard let text else {
        if count == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
        throw .null(name)
    }
    return UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
}

@c @implementation
public func assay_rules_retain(_ rules: OpaquePointer?) -> OpaquePointer? {
    (try? Rules.behind(rules))?.retained()
}

@c @implementation
public func assay_rules_free(_ rules: OpaquePointer?) { Rules.release(rules) }

@c @implementation
public func assay_rules_uses_now(_ rules: OpaquePointer?) -> Bool {
    (try? Rules.behind(rules))?.schema.usesNow ?? false
}

@c @implementation
public func assay_rules_field_count(_ rules: OpaquePointer?) -> Int { (try? Rules.behind(rules))?.plans.count ?? 0 }

@c @implementation
public func assay_rules_field_name(_ rules: OpaquePointer?, _ field: Int) -> UnsafePointer<CChar>? {
    guard let rules = try? Rules.behind(rules), rules.plans.indices.contains(field) else { return nil }
    return rules.plans[field].name.pointer
}

@c @implementation
public func assay_path_keys(
    _ path: UnsafePointer<CChar>?, _ keys: UnsafeMutablePointer<CChar>?, _ lists: UnsafeMutablePointer<Int>?
) -> Int {
    guard let path, let keys, let lists, let name = String(validatingCString: path), let read = RecordPath(name) else {
        return 0
    }
    var end = keys
    for key in read.keys {
        for byte in key.utf8 {
            end.pointee = CChar(bitPattern: byte)
            end += 1
        }
        end.pointee = 0
        end += 1
    }
    lists.pointee = read.lists
    return read.keys.count
}

@c @implementation
public func assay_rules_json(_ rules: OpaquePointer?) -> UnsafePointer<CChar>? {
    (try? Rules.behind(rules))?.json.pointer
}
