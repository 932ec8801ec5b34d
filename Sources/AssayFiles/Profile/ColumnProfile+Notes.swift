internal import Assay
internal import AssayRules

/// A part of a note about a column.
package struct ProfileNotePiece {
    package let text: String
    /// Whether the part should be emphasized.
    package let isStrong: Bool

    static func plain(_ text: String) -> Self { Self(text: text, isStrong: false) }
    static func strong(_ text: String) -> Self { Self(text: text, isStrong: true) }
}

extension ColumnProfile {
    /// The range of the values or of their lengths, as text; empty if there are no values.
    package var range: String {
        if let from = type.from, let to = type.to { return "\(from) … \(to)" }
        if [.integer, .number].contains(type.type.kind), let numbers {
            return "\(numbers.minimumText) … \(numbers.maximumText)"
        }
        guard let lengths else { return "" }
        let (minimum, maximum) = (Int(lengths.minimum), Int(lengths.maximum))
        return minimum == maximum
            ? "length \(grouped(minimum))"
            : "length \(grouped(minimum)) to \(grouped(maximum)), mean \(fixed(lengths.mean, 1))"
    }

    /// The notes about the column. They contain unescaped texts of the data.
    ///
    /// - Parameter isKey: Whether this is the column that most likely identifies records.
    package func notes(isKey: Bool) -> [[ProfileNotePiece]] {
        [
            isKey ? keyNote : nil, misfitNote, ambiguityNote, otherTypeNote, wordNote, zeroNote, beyondNote, padNote,
            encodingNote, placeholderNote, kindNote,
        ].compactMap(\.self) + anomalies.map(\.note)
    }

    private var keyNote: [ProfileNotePiece] {
        let count = duplicates ?? 0
        if count == 0 {
            return [.plain("likely key: all values \(duplicatesAreEstimated ? "seem to be" : "are") unique")]
        }
        let about = duplicatesAreEstimated ? "about " : ""
        return [.plain("likely key, but "), .strong("\(about)\(plural(count, "duplicate"))")]
    }

    private var misfitNote: [ProfileNotePiece]? {
        guard type.type != .string, type.fits < type.of else { return nil }
        return [
            .strong("\(grouped(type.of - type.fits)) of \(grouped(type.of))"),
            .plain(
                " \(type.of - type.fits == 1 ? "is" : "are") no \(type.name)"
                    + (type.firstMisfit.map { ", first in record \(grouped($0))" } ?? "")
                    + (type.isExact ? "" : " (of a random sample)")),
        ]
    }

    private var ambiguityNote: [ProfileNotePiece]? {
        if let otherNumber {
            return [.plain("group and decimal separators are ambiguous: \(type.name) or \(otherNumber.name)")]
        }
        guard isAmbiguous, let other = otherTypes.first(where: isOtherReading) else { return nil }
        return [.plain("day and month are ambiguous: \(type.name) or \(other.name)")]
    }

    private var otherTypeNote: [ProfileNotePiece]? {
        guard type.type == .string, let other = otherTypes.first else { return nil }
        return [
            .plain(
                "\(percentage(other.fits, of: other.of)) are \(other.name)"
                    + (other.firstMisfit.map { ", first that is not in record \(grouped($0))" } ?? "")
                    + (other.isExact ? "" : " (of a random sample)"))
        ]
    }

    private var wordNote: [ProfileNotePiece]? {
        if words.isEmpty { return nil }
        let texts = words.prefix(4).map { "\($0.text) (\(grouped($0.count)))" }
        return [.plain("may mean a missing value: " + texts.joined(separator: ", "))]
    }

    private var zeroNote: [ProfileNotePiece]? {
        guard leadingZeros > 0,
            type.type.kind == .integer || otherTypes.contains(where: { $0.type.kind == .integer })
        else { return nil }
        return [.plain("\(plural(leadingZeros, "number")) with leading zeros")]
    }

    private var beyondNote: [ProfileNotePiece]? {
        // In a column of text, such as 12E345, it is no number.
        if beyondDoubles == 0 || ![.integer, .number].contains(type.type.kind) { return nil }
        return [.plain("\(plural(beyondDoubles, "number")) such as 1e400, too large for the range")]
    }

    private var padNote: [ProfileNotePiece]? {
        if padded == 0 { return nil }
        return [
            .plain(
                "\(plural(padded, "value")) with spaces at the ends"
                    + (firstPadded.map { ", first in record \(grouped($0))" } ?? ""))
        ]
    }

    private var encodingNote: [ProfileNotePiece]? {
        if twiceEncoded == 0 { return nil }
        return [
            .strong(plural(twiceEncoded, "value")),
            .plain(
                " \(twiceEncoded == 1 ? "seems" : "seem") to be UTF-8 that was read as windows-1252, as Ã© for é"
                    + (firstTwiceEncoded.map { ", first in record \(grouped($0))" } ?? "")),
        ]
    }

    private var kindNote: [ProfileNotePiece]? {
        if kinds.filter({ !["absent", "null"].contains($0.name) }).count <= 1 { return nil }
        let counts = kinds.map { "\($0.name) \(grouped($0.count))" }
        return [.plain("of several kinds: " + counts.joined(separator: ", "))]
    }
}
