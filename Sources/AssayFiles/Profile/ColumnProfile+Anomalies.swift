internal import Assay
internal import CAssay

extension ColumnProfile {
    /// A part of values that often results from a mistake, such as a control character.
    package struct Anomaly: Hashable, Sendable {
        package var kind: Kind
        /// The number of values that have it.
        package var count: Int
        package var firstRecord: Int
        /// For line breaks: the number of lines of the longest value, and its record.
        package var maxLines: Int?
        package var maxLinesRecord: Int?

        /// The kinds, in the order of `ASSAY_ANOMALIES`.
        package enum Kind: String, CaseIterable, Sendable {
            case nul, control, replacement, zeroWidth, direction, noBreakSpace, htmlEntity, lineBreak
        }
    }

    static func anomalies(of profile: OpaquePointer) -> [Anomaly] {
        let found = assay_profile_get_anomalies(profile).pointee
        let counts = withUnsafeBytes(of: found.kinds) { Array($0.bindMemory(to: assay_profile_anomaly.self)) }
        precondition(counts.count == Anomaly.Kind.allCases.count, "each kind of anomaly has a count")
        return zip(Anomaly.Kind.allCases, counts).filter { $1.values > 0 }.map { kind, count in
            let hasLines = kind == .lineBreak
            return Anomaly(
                kind: kind, count: Int(count.values), firstRecord: Int(count.first_record),
                maxLines: hasLines ? Int(found.max_lines) : nil,
                maxLinesRecord: hasLines ? Int(found.max_lines_record) : nil)
        }
    }
}

extension ColumnProfile.Anomaly {
    /// The anomaly in words. It contains no text of the data.
    var note: [ProfileNotePiece] {
        let first = ", first in record \(grouped(firstRecord))"
        let values = plural(count, "value")
        switch kind {
        case .nul: return [.strong("\(values) with NUL"), .plain(first)]
        case .control: return [.strong("\(values) with control characters"), .plain(first)]
        case .replacement:
            return [.strong("\(values) with U+FFFD"), .plain(", which replaces undecodable bytes\(first)")]
        case .zeroWidth: return [.strong("\(values) with zero-width characters"), .plain(first)]
        case .direction: return [.strong("\(values) with invisible marks of writing direction"), .plain(first)]
        case .noBreakSpace: return [.plain("\(values) with no-break spaces\(first)")]
        case .htmlEntity: return [.plain("\(values) with HTML entities such as &amp;\(first)")]
        case .lineBreak:
            let longest =
                maxLinesRecord == firstRecord ? "which" : "the longest in record \(grouped(maxLinesRecord ?? 0))"
            return [
                .plain("\(values) with line breaks\(first), \(longest) has \(grouped(maxLines ?? 0)) lines")
            ]
        }
    }

    /// For the report.
    var value: JSONValue {
        .object(
            [
                ("kind", .string(kind.rawValue)), ("count", .integer(count)), ("firstRecord", .integer(firstRecord)),
            ]
                + (maxLines == nil
                    ? [] : [("maxLines", .optional(maxLines)), ("maxLinesRecord", .optional(maxLinesRecord))]))
    }
}
