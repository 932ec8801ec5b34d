internal import CAssay

/// The checks of a schema in a form for single records: whether a record has any finding, without masks and counts.
///
///     field   missing       required   checks
///     id      ""            yes        type, pattern      a value is clean if it passes each check
///     note    "", "NULL"    no         maxLength
///
/// Immutable; any number of threads may use one value at the same time. Must agree with ``SchemaEvaluator``.
package final class RecordChecks: @unchecked Sendable {
    // SAFETY: the fields and checks do not change after their creation, and `schema` keeps the handles alive.
    private let schema: CompiledSchema
    private let fields: UnsafeMutableBufferPointer<FieldChecks>
    /// The checks of all fields. A single check of the C core needs no reference counting.
    private let handles: UnsafeMutableBufferPointer<OpaquePointer>
    /// The other checks of all fields.
    private let nodes: [Node]

    private struct FieldChecks {
        /// Whether the empty text is a missing value, and the set of all missing texts; `nil`: no others.
        var isEmptyMissing = false
        var missingTexts: OpaquePointer?
        var isRequired = false
        var handles = 0..<0
        var nodes = 0..<0
    }

    /// Returns `nil` if the schema has row rules or repairs, which need a ``SchemaEvaluator``.
    package init?(_ schema: CompiledSchema) {
        guard schema.rowRules.isEmpty, schema.fields.allSatisfy({ $0.repairs == nil }) else { return nil }
        var fields: [FieldChecks] = []
        var handles: [OpaquePointer] = []
        var nodes: [Node] = []
        for field in schema.fields {
            var checks = FieldChecks(isRequired: field.hasRequired)
            let first = (handles: handles.count, nodes: nodes.count)
            if let presence = field.presence {
                checks.isEmptyMissing = field.onlyEmptyIsMissing
                if !field.onlyEmptyIsMissing {
                    guard case .not(.leaf(let texts)) = presence else { return nil }
                    checks.missingTexts = texts.handle
                }
            }
            for rule in field.rules { Self.add(rule.node, to: &handles, &nodes) }
            checks.handles = first.handles..<handles.count
            checks.nodes = first.nodes..<nodes.count
            fields.append(checks)
        }
        self.schema = schema
        self.nodes = nodes
        self.fields = .allocate(capacity: fields.count)
        _ = self.fields.initialize(from: fields)
        self.handles = .allocate(capacity: handles.count)
        _ = self.handles.initialize(from: handles)
    }

    deinit {
        fields.deallocate()
        handles.deallocate()
    }

    /// Adds a check that must pass. The order does not matter, because any other verdict is a finding.
    private static func add(_ node: Node, to handles: inout [OpaquePointer], _ nodes: inout [Node]) {
        switch node {
        case .constant(true): break
        case .leaf(let leaf): handles.append(leaf.handle)
        case .kinds(_, let ofText): add(ofText, to: &handles, &nodes)
        case .all(let parts): for part in parts { add(part, to: &handles, &nodes) }
        default: nodes.append(node)
        }
    }

    /// Returns whether a record has no findings, under the default ``MatchLimits``.
    ///
    /// - Parameters:
    ///   - values: The value of each field; `nil` is missing.
    ///   - longest: The maximum length of a value, in bytes.
    package func accepts(
        _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int
    ) -> Bool {
        withThreadScratch { accepts(values, lengths, longest: longest, scratch: $0) }
    }

    @inline(__always)
    func accepts(
        _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int,
        scratch: OpaquePointer
    ) -> Bool {
        for index in fields.indices {
            let field = fields[index]
            guard let value = values[index] else {
                if field.isRequired { return false }
                continue
            }
            let count = lengths[index]
            guard count >= 0, count <= longest,
                isASCII(value, count) || assay_utf8_valid_prefix(value, count) == count
            else { return false }
            let isMissing =
                count == 0 && field.isEmptyMissing
                || field.missingTexts.map { assay_check_value($0, scratch, value, count) == .ASSAY_PASS } ?? false
            if isMissing {
                if field.isRequired { return false }
                continue
            }
            for check in field.handles where !assay_check_passes(handles[check], scratch, value, count) { return false }
            if field.nodes.isEmpty { continue }
            let bytes = UnsafeBufferPointer(start: value, count: count)
            for node in field.nodes where nodes[node].verdict(of: bytes, scratch: scratch) != .pass { return false }
        }
        return true
    }
}

extension SchemaEvaluator {
    /// Returns whether a record has no findings, under the limits of this evaluator.
    package borrowing func accepts(
        _ values: UnsafePointer<UnsafePointer<UInt8>?>, _ lengths: UnsafePointer<Int>, longest: Int,
        by checks: RecordChecks
    ) -> Bool {
        checks.accepts(values, lengths, longest: longest, scratch: scratch.handle)
    }
}
