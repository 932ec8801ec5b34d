internal import Assay
internal import AssayEvaluation
internal import AssayFiles
internal import AssayRules
internal import CAssayABI

extension Rules {
    /// Reads the referenced keys of some foreign keys, unless they have been read and are unchanged.
    ///
    /// - Throws: a fault if the keys exceed the memory limit; errors of reading a file.
    func held(_ options: CheckOptions, _ foreign: [Int]) throws -> HeldReferences {
        var held = HeldReferences(count: schema.foreignKeys.count, memory: options.keys.memory)
        for number in foreign {
            let key = file.schema.foreignKeys[number]
            if let keys = try options.keys.references?.keys(number, of: self) {
                held.hold(number, keys)
                continue
            }
            do {
                if let keys = try keys(number, options, memory: held.memoryLeft) { held.hold(number, keys) }
            } catch is KeysHaveNoRoom {
                throw Fault.hasNoRoom(key, memory: held.memoryLeft)
            }
        }
        return held
    }

    /// The keys in the file that a foreign key refers to, or `nil` if it refers to the table itself.
    ///
    /// - Parameter secret: the seed of the key hashes; `nil` for a random one.
    func keys(
        _ number: Int, _ options: CheckOptions, memory: Int, secret: KeySecret? = nil
    ) throws -> ReferencedKeys? {
        var quiet = options
        (quiet.keys.seen, quiet.keys.secret, quiet.keys.references) = (nil, nil, nil)
        let key = file.schema.foreignKeys[number]
        do {
            return try references.keys(
                number, of: cleaner(quiet), memory: memory, spills: false, secret: secret
            ) { _ in options.preparing.control(nil) }
        } catch var error as InputError where file.policy == .noFiles && error.remedy == .trustRules {
            error.hint =
                "load them from a file in the folder of that table, or give the table in memory "
                + "(assay_references_add_stream)"
            throw error
        } catch var error as InputError
            where file.directory.isEmpty && file.policy == .anyFile
            && !key.reference.resource.begins(withBytesOf: "/")
        {
            // Rules that were parsed from text are not in a folder.
            error.hint =
                "\(error.hint ?? "'\(printable(key.id))' refers to it"); rules that are given as text look "
                + "for it in the current directory, or in that of the name they are given"
            throw error
        }
    }
}

extension Fault {
    static func hasNoRoom(_ key: ForeignKey, memory: Int) -> Fault {
        Fault(
            ASSAY_FAULT_MEMORY,
            "the keys of \(printable(key.reference.resource)) (\(printable(key.id))) need more than the \(memory) "
                + "bytes that they may take",
            hint:
                "raise assay_options.key_memory, or clean a file (assay_clean_file), which keeps keys on disk"
        )
    }

    /// The fault for a sorted column if the parts of a table are checked separately.
    static func needsOrder(_ rule: String) -> Fault {
        Fault(
            ASSAY_FAULT_RULES,
            "the rule '\(printable(rule))' compares each record with the earlier ones: parts of a table in any order "
                + "cannot be checked alone",
            hint: "check them as one table or one stream, clean the file (assay_clean_file), or leave the rule out")
    }

    /// The fault for a foreign key into the table itself if the parts of a table are checked separately.
    static func needsOnePlace(_ key: ForeignKey) -> Fault {
        Fault(
            ASSAY_FAULT_RULES,
            "the foreign key '\(printable(key.id))' refers to the table itself: the records to keep are known only "
                + "after the last record",
            hint: "check them as one table or one stream, clean the file (assay_clean_file), or leave it out")
    }
}
