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
    let style: FindingStyle

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
        lacking = templates("primaryKey") { key in
            key.fields.count == 1 ? "is missing, and is the primary key" : "lacks a part of the primary key"
        }
        self.style = style
        self.inputs = inputs.count > 1 ? inputs : []
    }

    /// For a record of a chunk, one of whose keys another holds; `nil`: a part of it is missing.
    func template(_ key: Int, heldBy holder: assay_key?, from input: Int) -> (FindingTemplate, message: String?) {
        guard let holder else { return (lacking[key], nil) }
        let place = RecordPlace(bits: holder.place)
        let file = place.input == input || inputs.isEmpty ? "" : " of \(printable(inputs[place.input]))"
        return (taken[key], "equals record \(holder.record) (line \(place.line)\(file))")
    }
}
