package import Assay
internal import AssayRules
internal import CAssay

/// The templates of findings about keys, by key. Each file of a table has its own.
struct KeyTemplates: Sendable {
    /// Others hold it; the message is another one for each record.
    private let taken: [FindingTemplate]
    /// A part of the primary key is missing, or what a foreign key refers to.
    private let absent: [FindingTemplate]
    /// The names of the files; empty where there is only one.
    private let inputs: [String]

    init(_ columns: [KeyColumn], foreign: [ForeignKey], style: FindingStyle, inputs: [String]) {
        let keys = columns[..<columns.foreign.upperBound]
        let first = columns.uniqueCount
        func template(_ column: KeyColumn, _ code: String, _ message: String) -> FindingTemplate {
            let (key, position) = (column.key.key.key, column.onlyPosition)
            return FindingTemplate(
                style: style, column: position.map { _ in key.fields[0] }, position: position.map { $0 + 1 } ?? 0,
                rule: key.id, code: code, severity: .reject, message: message)
        }
        taken = keys.map { template($0, "unique", "") }
        absent = keys.enumerated().map { index, column in
            if index >= first { return template(column, "foreignKey", foreign[index - first].findingMessage) }
            let key = column.key.key.key
            let isWithoutColumn = key.fields.count == 1 && column.onlyPosition == nil
            return template(
                column, "primaryKey",
                isWithoutColumn
                    ? "has no '\(printable(key.fields[0]))', which is the primary key"
                    : FindingText.lacksPrimaryKey(key))
        }
        self.inputs = inputs.count > 1 ? inputs : []
    }

    /// Whether what is found in a key is said of the record, and not of a column.
    func isOfRecord(_ key: Int) -> Bool { taken[key].position == 0 }

    /// The template for a finding; `message` becomes what is said instead, where that is another thing each time.
    func template(_ finding: KeyFinding, in chunk: Chunk, message: inout [UInt8]) -> FindingTemplate {
        message.removeAll(keepingCapacity: true)
        guard let holder = finding.holder else { return absent[finding.column] }
        let place = RecordPlace(bits: holder.place)
        message += Array("equals record ".utf8)
        appendDecimal(Int(holder.record), to: &message)
        message += Array(" (line ".utf8)
        appendDecimal(place.line, to: &message)
        if place.input != chunk.input && !inputs.isEmpty {
            message += Array(" of \(printable(inputs[place.input]))".utf8)
        }
        message.append(UInt8(ascii: ")"))
        return taken[finding.column]
    }

    /// The id of a key.
    func rule(_ key: Int) -> String { taken[key].rule }
}

extension ForeignKey {
    /// What is said of a record that refers to nothing.
    package var findingMessage: String {
        let fields = printable(reference.fields.joined(separator: ", "))
        return reference.isOwnTable
            ? "is not in '\(fields)' of a clean record" : "is not in '\(fields)' of \(printable(reference.resource))"
    }
}
