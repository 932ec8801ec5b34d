internal import Assay
internal import AssayRules
internal import CAssay

/// The templates of findings about keys, by key. Each file of a table has its own.
struct KeyTemplates: Sendable {
    /// Others hold it; the message is another one for each record.
    private let taken: [FindingTemplate]
    /// A part of the primary key is missing.
    private let lacking: [FindingTemplate]
    /// The names of the files; empty where there is only one.
    private let inputs: [String]

    init(_ keys: [BoundKey], style: FindingStyle, inputs: [String]) {
        func templates(_ code: String, _ message: (Key) -> String) -> [FindingTemplate] {
            keys.map { key in
                let (description, position) = (key.key.key, key.positions[0])
                let isColumn = description.fields.count == 1 && position != nil
                return FindingTemplate(
                    style: style, column: isColumn ? description.fields[0] : nil,
                    position: isColumn ? (position ?? 0) + 1 : 0, rule: description.id, code: code, severity: .reject,
                    message: message(description))
            }
        }
        taken = templates("unique") { _ in "" }
        lacking = templates("primaryKey", FindingText.lacksPrimaryKey)
        self.inputs = inputs.count > 1 ? inputs : []
    }

    /// Whether what is found in a key is said of the record, and not of a column.
    func isOfRecord(_ key: Int) -> Bool { taken[key].position == 0 }

    /// The template for a finding; `message` becomes what is said instead, where that is another thing each time.
    func template(_ finding: KeyFinding, in chunk: Chunk, message: inout [UInt8]) -> FindingTemplate {
        message.removeAll(keepingCapacity: true)
        guard let holder = finding.holder else { return lacking[finding.key] }
        let place = RecordPlace(bits: holder.place)
        message += Array("equals record ".utf8)
        appendDecimal(Int(holder.record), to: &message)
        message += Array(" (line ".utf8)
        appendDecimal(place.line, to: &message)
        if place.input != chunk.input && !inputs.isEmpty {
            message += Array(" of \(printable(inputs[place.input]))".utf8)
        }
        message.append(UInt8(ascii: ")"))
        return taken[finding.key]
    }

    /// The id of a key.
    func rule(_ key: Int) -> String { taken[key].rule }
}
