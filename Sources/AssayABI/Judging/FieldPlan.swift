internal import Assay
internal import AssayRules

/// A field of the rules, ready to judge columns: made once with the rules, used by every check of them.
final class FieldPlan: Sendable {
    /// Its place among the fields of the rules.
    let field: Int
    let name: CText
    let type: ValueType
    let schema: BoundSchema
    /// What its findings say, in reported order; our own rules come first.
    let reported: [ReportedRule]
    /// The place of the rule that a null breaks, among those of the field.
    let required: Int?
    /// The most bytes of a value that is judged.
    let longest: Int
    /// Whether that is a limit of ours and not of the rules: then nobody can say what a longer one is.
    let leavesLongUndecided: Bool
    let limits: MatchLimits
    /// What becomes of its values before they are judged; `nil`: nothing. The schema knows nothing of it.
    let repairs: CompiledRepairs?
    /// Under what names its repairs are counted.
    let repairNames: [CText]
    /// Judges that nobody uses now: making one costs more than judging a small batch.
    private let idle = Lock<[Judge]>([])
    private static let mostIdle = 16

    /// A judge that can be put aside. It has one user at a time.
    final class Judge: @unchecked Sendable {
        // SAFETY: whoever took it from the pool has it alone.
        var judge: SchemaJudge

        fileprivate init(_ schema: BoundSchema, limits: MatchLimits) throws(NoMemoryError) {
            judge = try SchemaJudge(schema, limits: limits)
        }
    }

    /// - Parameters:
    ///   - compiled: without repairs.
    ///   - longest: instead of the limit of the rules.
    init(
        _ compiled: CompiledSchema, field index: Int, limits: Limits, repairs: CompiledRepairs?, longest: Int? = nil
    ) {
        let field = (description: compiled.schema.fields[index], schema: BoundSchema(compiled, field: index))
        self.field = index
        name = CText(field.description.name)
        type = field.description.type
        schema = field.schema
        self.longest = longest ?? limits.fieldBytes
        leavesLongUndecided = longest != nil
        self.limits = limits.match
        self.repairs = repairs
        repairNames = (repairs?.description.names ?? []).map { CText($0) }
        reported = ReportedRule.all(of: field.description.name, schema, longest: self.longest)
        required = schema.rules.firstIndex { $0.code == "required" }
    }

    // A process may have forked while another thread held the lock: then nobody will ever unlock it in the child, so that
    // it is never waited for.

    func takeJudge() throws(NoMemoryError) -> Judge {
        if let judge = idle.withLockIfAvailable({ $0.popLast() }).flatMap(\.self) { return judge }
        return try Judge(schema, limits: limits)
    }

    func giveBack(_ judge: Judge) {
        _ = idle.withLockIfAvailable { if $0.count < Self.mostIdle { $0.append(judge) } }
    }
}
