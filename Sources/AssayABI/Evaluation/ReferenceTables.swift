internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
public import CAssayABI

/// Tables in memory that foreign keys refer to, by their names in the rules.
final class ReferenceTables: Handle, @unchecked Sendable {
    // SAFETY: one thread adds all tables before checks use them, as the header requires.
    static let argument = "references"

    private let rules: Rules
    private var held: HeldReferences

    init(_ rules: Rules, memory: Int?) {
        self.rules = rules
        held = HeldReferences(count: rules.schema.foreignKeys.count, memory: memory)
    }

    /// The keys of an added table, or `nil` if it was not added.
    func keys(_ number: Int, of rules: Rules) throws(Fault) -> ReferencedKeys? {
        guard rules === self.rules else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "assay_options.references was made for other rules",
                hint: "make it with the rules of the check")
        }
        return held.keys[number]
    }

    /// Reads all batches of a table.
    fileprivate func add(_ resource: String, _ source: UnsafeMutablePointer<ArrowArrayStream>) throws {
        let numbers = rules.file.schema.foreignKeys.indices.filter { number in
            let name = rules.file.schema.foreignKeys[number].reference.resource
            return !name.isEmpty && ByteEqualString(name) == ByteEqualString(resource)
        }
        if numbers.isEmpty {
            let resources = rules.file.schema.foreignKeys.map(\.reference.resource).filter { !$0.isEmpty }
            let names = Set(resources.map(ByteEqualString.init)).sorted().map(\.text)
            let hint =
                names.isEmpty
                ? "they refer to no other table"
                : "they refer to \(names.map { printable($0) }.joined(separator: ", "))"
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "no foreign key of the rules refers to \(printable(resource))", hint: hint)
        }
        let tables = try numbers.map { try Table(rules, $0, memory: held.memoryLeft) }
        let reader = try ArrowReader(source)
        for table in tables { try table.expectColumns(reader.node) }
        func addNext() throws -> Bool {
            try reader.next { array in
                for table in tables { try table.add(array, reader.node) }
                return true
            } ?? false
        }
        while try addNext() {}
        for table in tables { held.hold(table.number, table.keys) }
    }

    /// A table as one foreign key refers to it.
    private final class Table {
        let number: Int
        let keys: ReferencedKeys
        private let key: ForeignKey
        private let rules: Rules
        private var options = CheckOptions()
        private let memory: Int

        init(_ rules: Rules, _ number: Int, memory: Int) throws {
            key = rules.file.schema.foreignKeys[number]
            self.rules = try rules.referenced(by: number)
            (self.number, self.memory) = (number, memory)
            keys = try ReferencedKeys(key, memory: memory, secret: KeySecret())
            options.keys.secret = keys.secret.seed
            options.keys.collected = keys
        }

        func expectColumns(_ node: ArrowNode) throws {
            do {
                try rules.lookForColumns(node)
            } catch {
                var fault = error
                fault.message = "'\(printable(key.id))': \(printable(key.reference.resource)): \(fault.message)"
                throw fault
            }
        }

        func add(_ array: UnsafePointer<ArrowArray>, _ node: ArrowNode) throws {
            do {
                let checked = try rules.check(array, node, field: nil, options: options)
                _ = try checked.settled()
            } catch is KeysHaveNoRoom {
                throw Fault.hasNoRoom(key, memory: memory)
            }
        }
    }
}

@c @implementation
public func assay_references_create(
    _ rules: OpaquePointer?, _ memory: UInt64, _ references: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let references else { throw Fault.null("references") }
        let rules = try Rules.behind(rules)
        references.pointee = ReferenceTables(rules, memory: memory == 0 ? nil : Int(clamping: memory)).retained()
    }
}

@c @implementation
public func assay_references_add_stream(
    _ references: OpaquePointer?, _ resource: UnsafePointer<CChar>?, _ source: UnsafeMutablePointer<ArrowArrayStream>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let source else { throw Fault.null("source") }
        guard source.pointee.release != nil else { throw Fault(ASSAY_FAULT_ARROW, "the stream was released already") }
        defer { if source.pointee.release != nil { source.pointee.release(source) } }
        guard let resource else { throw Fault.null("resource") }
        try ReferenceTables.behind(references).add(String(naming: resource, "resource"), source)
    }
}

@c @implementation
public func assay_references_free(_ references: OpaquePointer?) { ReferenceTables.release(references) }
