internal import CAssay

/// The compiled repairs of a field.
///
///     let repairs = try CompiledRepairs([.trim, .lower])
///     repairs.repaired(" Anna@Example.org ")      // "anna@example.org"
///
/// Immutable; any number of threads may use one value at the same time.
public final class CompiledRepairs: Sendable {
    /// The source of these repairs.
    public let description: [Repair]

    // SAFETY: assay_repairs do not change after their creation (repair.h).
    nonisolated(unsafe) let handle: OpaquePointer
    /// The types that canonical forms refer to.
    private let types: [CompiledType]
    private let leaves: [Leaf]
    /// The owner of the handle; `nil` if this object owns it.
    private let owner: CompiledRepairs?

    /// Repairs for values of a type.
    ///
    /// - Parameters:
    ///   - type: The type for the canonical form of ``Repair/canonical(_:)``.
    ///   - missingValues: Texts that mean "no value", for ``Repair/default(_:)``.
    ///   - maxPatternBytes: The maximum length of a pattern, in bytes.
    /// - Throws: ``CompileError`` if a pattern or format is invalid, or if the type has no canonical form.
    public convenience init(
        _ repairs: [Repair], of type: ValueType = .any, missingValues: [String] = [""], maxPatternBytes: Int = 10_000
    ) throws(CompileError) {
        do {
            try self.init(
                placing: repairs, of: type, missingValues: missingValues, maxPatternBytes: maxPatternBytes)
        } catch {
            throw error.error
        }
    }

    /// - Throws: The mistake with the index of its repair.
    package init(
        placing repairs: [Repair], of type: ValueType, missingValues: [String], maxPatternBytes: Int = 10_000
    ) throws(RepairError) {
        let builder = try RepairDescriptions(repairs, type: type)
        var error = assay_error()
        var which = 0
        let handle = builder.withDescriptions { list in
            withCTexts(missingValues) { missing in
                assay_repairs_create(
                    list.baseAddress, list.count, missing.baseAddress, missing.count, maxPatternBytes, &which,
                    &error)
            }
        }
        guard let handle else {
            let part = which < repairs.count ? repairs[which].part(of: error) : .check
            throw RepairError(index: which, error: CompileError(error, part: part))
        }
        description = repairs
        self.handle = handle
        types = builder.types
        leaves = builder.leaves
        owner = nil
    }

    /// See ``BoundSchema/copied()``.
    init(sharing owner: CompiledRepairs) {
        description = owner.description
        handle = owner.handle
        (types, leaves) = ([], [])
        self.owner = owner
    }

    deinit { if owner == nil { assay_repairs_free(handle) } }

    /// Returns the repaired value, or the value itself if the repairs do not change it. Thread-safe.
    public func repaired(_ text: String) -> String { repair(text)?.text ?? text }

    /// Whether the value stays unchanged because a second run of the repairs would change it again.
    package func isUnsettled(_ text: String) -> Bool {
        guard let scratch = assay_repaired_create() else { outOfMemory() }
        defer { assay_repaired_free(scratch) }
        return withUTF8(of: text) { bytes in
            withThreadScratch {
                assay_repairs_value(handle, scratch, $0, bytes.cBase, bytes.count, false).is_unsettled
            }
        }
    }

    /// The repaired value and the indices of the repairs that changed it; `nil` if the value stays unchanged.
    package func repair(_ text: String) -> (text: String, repairs: [Int])? {
        guard let scratch = assay_repaired_create() else { outOfMemory() }
        defer { assay_repaired_free(scratch) }
        return withUTF8(of: text) { bytes in
            let result = withThreadScratch {
                assay_repairs_value(handle, scratch, $0, bytes.cBase, bytes.count, false)
            }
            if result.status != .ASSAY_OK { outOfMemory() }
            if result.causes == 0 { return nil }
            let repaired = UnsafeBufferPointer(start: result.text.bytes, count: result.text.count)
            return (String(decoding: repaired, as: UTF8.self), Self.indices(of: result.causes))
        }
    }

    /// The indices of the repairs with set bits.
    package static func indices(of causes: UInt32) -> [Int] {
        (0..<Repair.maxCount).filter { causes >> UInt32($0) & 1 != 0 }
    }
}

/// An error in a list of repairs.
package struct RepairError: Error {
    /// The index of the repair; the count of the list if the error is about the whole list.
    package var index: Int
    package var error: CompileError
}

extension Repair {
    /// The part of a repair that an error is about.
    fileprivate func part(of error: assay_error) -> CompileError.Part {
        guard case .replace = self else { return .check }
        return error.engine_code == Int32(ASSAY_REPAIR_BAD_TEXT) ? .format : .pattern
    }
}
