internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
internal import CAssay
public import CAssayABI

// The tables that foreign keys refer to, for programs that compare keys themselves.

@c @implementation
public func assay_rules_of_reference(
    _ rules: OpaquePointer?, _ foreignKey: Int, _ referenced: UnsafeMutablePointer<OpaquePointer?>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let referenced else { throw Fault.null("referenced") }
        referenced.pointee = try Rules.behind(rules).referenced(by: foreignKey).retained()
    }
}

@c @implementation
public func assay_rules_export_reference(
    _ rules: OpaquePointer?, _ foreignKey: Int, _ options: UnsafePointer<assay_options>?,
    _ array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let array else { throw Fault.null("array") }
        guard let schema else { throw Fault.null("schema") }
        let rules = try Rules.behind(rules)
        let options = try CheckOptions(options)
        guard let secret = options.keys.secret else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "assay_options.key_secret is NULL")
        }
        try rules.expectForeignKey(foreignKey)
        let memory = options.keys.memory ?? usualKeyMemory()
        let keys: ReferencedKeys
        do {
            guard
                let read = try rules.keys(foreignKey, options, memory: memory, secret: KeySecret(secret))
            else { throw Fault.needsOnePlace(rules.file.schema.foreignKeys[foreignKey]) }
            keys = read
        } catch is KeysHaveNoRoom {
            throw Fault.hasNoRoom(rules.file.schema.foreignKeys[foreignKey], memory: memory)
        }
        let values = try Block(MemoryLayout<assay_key_hash>.stride * keys.count, options.allocator)
        var next = values.bytes.assumingMemoryBound(to: UInt64.self)
        keys.forEach { hash in
            (next[0], next[1]) = (hash.low, hash.high)
            next += 2
        }
        OutgoingArray(length: keys.count, buffers: [nil, values]).write(to: array)
        OutgoingSchema(format: "w:16").write(to: schema)
    }
}

extension Rules {
    /// The rules for reading the table that a foreign key refers to.
    func referenced(by number: Int) throws -> Rules {
        try expectForeignKey(number)
        let schema = file.schema.schema(referredToBy: file.schema.foreignKeys[number])
        var referenced = RuleFile(schema: schema, limits: file.limits)
        referenced.jsonTypes = file.jsonTypes
        return try Rules(referenced)
    }

    fileprivate func expectForeignKey(_ number: Int) throws(Fault) {
        let count = file.schema.foreignKeys.count
        if (0..<count).contains(number) { return }
        throw Fault(
            ASSAY_FAULT_ARGUMENT, "there is no foreign key \(UInt(bitPattern: number)): the rules have \(count)")
    }
}
