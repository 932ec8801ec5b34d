internal import Assay
internal import AssayEvaluation
internal import CAssay

/// The findings of a rule that requires a type, one for each failure reason that a value can have.
struct FailureReasonTemplates: Sendable {
    private let rule: Int
    private let position: Int
    /// Whether the check of the rule reports reasons.
    private let needsCheck: Bool
    /// The template without a reason, followed by those of ``FailureReason/all`` if the check reports reasons.
    private let templates: [FindingTemplate]
    /// For the type of a JSON field, by kind: the template for a value of the wrong kind.
    private let byKind: [FindingTemplate?]

    /// Returns `nil` if no reasons can be reported.
    ///
    /// - Parameters:
    ///   - rule: The index of the rule in the schema.
    ///   - plain: The template of the rule.
    ///   - json: The fields as paths, if the rule is the type of the field at the position.
    init?(_ rule: Int, _ plain: FindingTemplate, style: FindingStyle, json: JSONPaths?) {
        needsCheck = plain.reported.hasFailureReasons
        if !needsCheck && json == nil { return nil }
        self.rule = rule
        position = plain.position
        templates = [plain] + plain.reported.reasonMessages.map { plain.saying($0, style: style) }
        byKind =
            json?.textsOfOtherKinds(at: plain.position - 1).map { text in
                text.map { plain.saying(plain.reported.message(because: $0), style: style) }
            } ?? []
    }

    /// Returns the finding of a failed value. The evaluator that failed it determines the reason, under its own limits.
    ///
    /// - Parameter kind: The kind of the JSON value; `nil` if it is not JSON.
    func template(for value: [UInt8], kind: UInt8?, evaluator: borrowing SchemaEvaluator) -> FindingTemplate {
        if let kind, let template = byKind.isEmpty ? nil : byKind[Int(kind)] { return template }
        var failureReason: Int?
        if needsCheck {
            value.withUnsafeBufferPointer { failureReason = evaluator.failureReason(of: $0, rule: rule) }
        }
        return templates[failureReason.map { $0 + 1 } ?? 0]
    }

    /// Calls `body` for each distinct finding of the failed rows, with the mask of its rows.
    func forEachTemplate(
        in slice: Slice, evaluator: borrowing SchemaEvaluator, dialect: assay_dialect, masks: inout ReasonMasks,
        _ body: (FindingTemplate, _ rows: UnsafePointer<UInt64>) -> Void
    ) {
        let failed = evaluator.failed(byRule: rule)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: slice.rows) { reasons in
            if needsCheck {
                slice.withCells(of: position - 1, in: failed, dialect: dialect) { bytes, cells in
                    evaluator.findFailureReasons(bytes: bytes, cells: cells, rule: rule, into: reasons.baseAddress!)
                }
            } else {
                reasons.initialize(repeating: 0)
            }
            if !byKind.isEmpty, let kinds = slice.json?.kinds(position - 1) {
                for word in 0..<maskWords(slice.rows) {
                    forEachBit(in: failed[word]) { bit in
                        let (row, kind) = (64 * word + bit, kinds[64 * word + bit])
                        if byKind[Int(kind)] != nil { reasons[row] = UInt8(templates.count) + kind }
                    }
                }
            }
            masks.part(failed, rows: slice.rows, by: reasons.baseAddress!, kinds: templates.count + byKind.count) {
                body($0 < templates.count ? templates[$0] : byKind[$0 - templates.count]!, $1)
            }
        }
    }
}

extension JSONPaths {
    /// Returns by JSON kind the error for a value of that kind at a path; `nil` for the kinds that are valid there.
    fileprivate func textsOfOtherKinds(at path: Int) -> [String?] {
        // An absent member is not a value, and null is one only with the types of JSON Schema.
        let names = [nil, isNullValue ? "null" : nil, "string", "number", "boolean", "object", "array"]
        return names.enumerated().map { kind, name in
            guard let name, kinds[path] >> UInt32(kind) & 1 == 0 else { return nil }
            let isText = kindsAsText[path] >> UInt32(kind) & 1 != 0
            return (name == "null" ? "it is null" : "it is a JSON \(name)")
                + (isText ? "; 'types: text' would read its text" : "")
        }
    }
}

/// Masks of one slice, each for the rows that share the same finding. Keeps its memory from slice to slice.
struct ReasonMasks: ~Copyable {
    private let words: Int
    private var masks: [UnsafeMutablePointer<UInt64>] = []
    private var used = 0

    init(rows: Int) { words = maskWords(rows) }

    deinit { for mask in masks { mask.deallocate() } }

    mutating func removeAll() { used = 0 }

    /// Splits the rows of a mask by kind. All kinds must be below `kinds`. Calls `body` for every kind that occurs,
    /// with a mask that is valid until `removeAll`.
    mutating func part(
        _ mask: UnsafePointer<UInt64>, rows: Int, by kindOfRow: UnsafePointer<UInt8>, kinds: Int,
        _ body: (_ kind: Int, _ rows: UnsafePointer<UInt64>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt64>?.self, capacity: kinds) { parts in
            parts.initialize(repeating: nil)
            for word in 0..<maskWords(rows) {
                forEachBit(in: mask[word]) { bit in
                    let kind = Int(kindOfRow[word * 64 + bit])
                    let part = parts[kind] ?? next()
                    part[word] |= 1 << UInt64(bit)
                    parts[kind] = part
                }
            }
            for (kind, part) in parts.enumerated() {
                if let part { body(kind, part) }
            }
        }
    }

    /// Returns an empty mask that is valid until `removeAll`.
    mutating func next() -> UnsafeMutablePointer<UInt64> {
        if used == masks.count { masks.append(.allocate(capacity: words)) }
        let mask = masks[used]
        mask.update(repeating: 0, count: words)
        used += 1
        return mask
    }
}
