internal import CAssay

extension NoMemoryError {
    /// The repaired values of a slice exceed their limit or the available memory.
    package static let repairedValues = NoMemoryError(
        for: "repaired values: those of a few thousand records may have \(ASSAY_REPAIR_MAX >> 20) MiB together",
        hint: "shorten the texts that the repairs write, or give the process more memory")
}
