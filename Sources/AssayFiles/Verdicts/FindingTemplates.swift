internal import Assay
internal import AssayEvaluation
internal import AssayRules
internal import CAssay

/// The templates of a run, by rule.
struct FindingTemplates: Sendable {
    let failed: [FindingTemplate]
    private let plainUndecided: [FindingTemplate]
    /// For row rules, by their index: one template for each ``CELResource``.
    private let exhausted: [[FindingTemplate]]
    private let firstRowRule: Int
    /// The templates of rules that report failure reasons.
    let reasonTemplates: [FailureReasonTemplates?]
    /// The template for a record that the budget of the run left undecided.
    let budget: FindingTemplate
    let structure: StructureTemplates
    let style: FindingStyle

    init(_ schema: BoundSchema, style: FindingStyle, structure: StructureTemplates, json: JSONPaths? = nil) {
        let reported = ReportedRule.all(of: schema, limits: structure.limits.match)
        func undecided(_ rule: ReportedRule, _ message: String) -> FindingTemplate {
            FindingTemplate(rule, style: style, code: ReportedRule.undecidedCode, message: message)
        }
        failed = reported.map { FindingTemplate($0, style: style) }
        plainUndecided = reported.map { undecided($0, $0.undecidedMessage) }
        firstRowRule = schema.rowRuleRange.lowerBound
        exhausted = reported[schema.rowRuleRange].map { rule in
            rule.exhaustedMessages.map { undecided(rule, $0) }
        }
        let types = Set(schema.columns.compactMap(\.typeRule))
        reasonTemplates = failed.indices.map { [failed] rule in
            FailureReasonTemplates(rule, failed[rule], style: style, json: types.contains(rule) ? json : nil)
        }
        budget = FindingTemplate(.budget, style: style)
        self.structure = structure
        self.style = style
    }

    /// Returns the template for a row that a rule left undecided.
    ///
    /// - Parameter resource: The exhausted limit on row rules.
    func undecided(_ rule: Int, _ resource: CELResource? = nil) -> FindingTemplate {
        resource.map { exhausted[rule - firstRowRule][$0.rawValue] } ?? plainUndecided[rule]
    }
}
