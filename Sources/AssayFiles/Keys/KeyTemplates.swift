package import Assay
internal import AssayRules
internal import CAssay

/// The templates of findings about keys, by key. Each file of a table has its own.
struct KeyTemplates: Sendable {
    /// Templates for a value that another record already holds. The caller supplies the message, because it names that
    /// record.
    private let taken: [FindingTemplate]
    /// Templates for a missing part of the primary key, or for a foreign key without a target.
    private let absent: [FindingTemplate]
    /// The names of the files; empty if there is only one.
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

    /// Whether findings about a key concern the whole record instead of one column.
    func isOfRecord(_ key: Int) -> Bool { taken[key].position == 0 }

    /// Returns the template for a finding. Sets `message` to the message that replaces the template's, or to an empty
    /// one.
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
    /// The message for a record with a foreign key that has no target.
    package var findingMessage: String {
        let fields = printable(reference.fields.joined(separator: ", "))
        return reference.isOwnTable
            ? "is not in '\(fields)' of a clean record" : "is not in '\(fields)' of \(printable(reference.resource))"
    }
}
