internal import Assay
internal import AssayFiles
internal import AssayRules
public import CAssayABI

/// Rules as C holds them: read, compiled, and shared by whoever has a reference.
final class Rules: Handle, Sendable {
    static let argument = "rules"

    let file: RuleFile
    /// Of files, with the repairs: columns in memory are repaired by their plans.
    let schema: CompiledSchema
    /// The fields, in the order of the file.
    let plans: [FieldPlan]
    /// What is asked of whole rows.
    let rowPlan: RowPlan
    /// Says of single records that they are clean; `nil`: that depends on other records, or on what repairs make of them.
    let recordPlan: RecordPlan?
    /// Where each stands there.
    private let placeOfField: [ByteEqualString: Int]
    let json: CText
    /// The folder with the files that they may name; `nil`: there is no such folder, because they may name no file, or any file.
    let folder: CText?
    /// What foreign keys refer to, as far as it has been read.
    let references: References

    /// - Parameter longest: the most bytes of a value that is judged, where it is not for the rules to say.
    private init(_ file: RuleFile, longest: Int?) throws(CompileError) {
        self.file = file
        let schema = try CompiledSchema(file.schema, maxPatternBytes: file.limits.patternBytes)
        self.schema = schema
        let maxPatternBytes = file.limits.patternBytes
        let judged =
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
                FieldPlan(judged, field: number, limits: file.limits, repairs: repairs, longest: longest))
        }
        self.plans = plans
        rowPlan = RowPlan(judged, limits: file.limits)
        let judgesAlone =
            file.schema.keys.isEmpty && file.schema.foreignKeys.isEmpty && !file.schema.hasRepairs
        recordPlan = judgesAlone ? RecordPlan(judged, limits: file.limits) : nil
        let names = file.schema.fields.enumerated().map { (ByteEqualString($1.name), $0) }
        placeOfField = Dictionary(names, uniquingKeysWith: { first, _ in first })
        json = CText(file.json())
        folder = if case .files(let folder) = file.policy { CText(folder) } else { nil }
        references = References(file.schema.foreignKeys.count)
    }

    /// - Throws: ``CompileError``; a fault for a name that C would cut short.
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

    /// One field that consists of one pattern. Nothing but null is missing, and no value is too long. The pattern is that of a
    /// developer, not of a rule file, so it may be as long as any.
    convenience init(pattern: String, options: Pattern.Options) throws(CompileError) {
        // By itself first, so that a mistake is told as one of the pattern and not of a rule in a field; it is kept, and used below.
        _ = try PatternCache.shared.pattern(pattern, options: options, maxBytes: Self.longestPattern)
        let rule = Rule(id: "value.pattern", code: "pattern", check: .matches(pattern: pattern, options: options))
        let field = Field(name: "value", missingValues: [], rules: [rule])
        var file = RuleFile(schema: Schema(fields: [field]))
        file.limits.patternBytes = Self.longestPattern
        try self.init(file, longest: Self.longestCell)
    }

    /// In bytes: the most that a rule file can allow.
    private static let longestPattern = 1 << 20

    /// The longest value that the C core can be given.
    private static let longestCell = Int(Int32.max)

    /// The field of a name that the rules have.
    func plan(_ name: String) -> FieldPlan { plans[placeOfField[ByteEqualString(name)]!] }

    /// The field at an index from C.
    func field(_ index: Int) throws(Fault) -> Int {
        guard plans.indices.contains(index) else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "there is no field \(index): the rules have \(plans.count)")
        }
        return index
    }

    /// Whether a later record can change what is to be said of an earlier one.
    var decidesAtTheEnd: Bool { schema.keys.isEmpty == false && file.schema.keep == .none || ownForeignKey != nil }

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
    // Of a path: what the rules refer to is looked for beside it.
    let name = try name.map { try String(path: $0, "name") } ?? "rules"
    var file = try RuleFile.parse(Array(bytes), name: name, limits: limits)
    if let folder { (file.directory, file.policy) = (folder, .files(below: folder)) }
    rules.pointee = try Rules(file).lent()
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
    rules.pointee = try Rules(file).lent()
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
        guard flags >> 6 == 0 else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "the flags \(flags) are not options of a pattern")
        }
        let bytes = try borrowedBytes(text, count, "text")
        guard let pattern = String(validating: bytes, as: UTF8.self) else {
            throw Fault(ASSAY_FAULT_RULES, "the pattern is not well-formed UTF-8")
        }
        rules.pointee = try Rules(pattern: pattern, options: Pattern.Options(rawValue: flags)).lent()
    }
}

/// Bytes that the caller lends for the call.
func borrowedBytes(
    _ text: UnsafePointer<CChar>?, _ count: Int, _ name: String
) throws(Fault) -> UnsafeBufferPointer<UInt8> {
    // size_t comes to Swift as Int: what is negative was beyond any memory.
    guard count >= 0 else { throw Fault(ASSAY_FAULT_ARGUMENT, "the count of '\(name)' is beyond any memory") }
    guard let text else {
        if count == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
        throw .null(name)
    }
    return UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: count)
}

@c @implementation
public func assay_rules_retain(_ rules: OpaquePointer?) -> OpaquePointer? {
    (try? Rules.behind(rules))?.lent()
}

@c @implementation
public func assay_rules_free(_ rules: OpaquePointer?) { Rules.release(rules) }

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
