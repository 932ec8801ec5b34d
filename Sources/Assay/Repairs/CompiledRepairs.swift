internal import CAssay

/// The repairs of a field, ready to run.
///
///     let repairs = try CompiledRepairs([.trim, .lower])
///     repairs.repaired(" Anna@Example.org ")      // "anna@example.org"
///
/// Immutable and shared freely between threads.
public final class CompiledRepairs: Sendable {
    /// The data this was made from.
    public let description: [Repair]

    // SAFETY: assay_repairs never change after they are made (repair.h).
    nonisolated(unsafe) let handle: OpaquePointer
    /// What canonical forms point to.
    private let types: [CompiledType]
    private let leaves: [Leaf]
    /// Whose handle it is, if it is not its own.
    private let owner: CompiledRepairs?

    /// Repairs of values of a type.
    ///
    /// - Parameters:
    ///   - type: what ``Repair/canonical(_:)`` knows the form of.
    ///   - missingValues: texts that mean "no value here", for ``Repair/default(_:)``.
    ///   - maxPatternBytes: the longest pattern accepted, in bytes.
    /// - Throws: ``CompileError``: a pattern or format is wrong, or the type has no canonical form.
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

    /// - Throws: the mistake, and which of the repairs has it.
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

    /// The value as it is judged: repaired, or as it is where no repair changes it. Thread-safe.
    public func repaired(_ text: String) -> String { repair(text)?.text ?? text }

    /// Whether the value stays as it is since the list would change it a second time.
    package func isUnsettled(_ text: String) -> Bool {
        guard let scratch = assay_repaired_create() else { outOfMemory() }
        defer { assay_repaired_free(scratch) }
        return withUTF8(of: text) { bytes in
            withThreadScratch {
                assay_repairs_value(handle, scratch, $0, bytes.cBase, bytes.count, false).is_unsettled
            }
        }
    }

    /// What becomes of a value, and which of the repairs changed it; `nil`: nothing.
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

    /// The repairs whose bits are set.
    package static func indices(of causes: UInt32) -> [Int] {
        (0..<Repair.most).filter { causes >> UInt32($0) & 1 != 0 }
    }
}

/// A repair that cannot be compiled.
package struct RepairError: Error {
    /// Which of the list; its count: the list as a whole.
    package var index: Int
    package var error: CompileError
}

extension Repair {
    /// Which part of a repair an error is about.
    fileprivate func part(of error: assay_error) -> CompileError.Part {
        guard case .replace = self else { return .check }
        return error.engine_code == Int32(ASSAY_REPAIR_BAD_TEXT) ? .format : .pattern
    }
}
