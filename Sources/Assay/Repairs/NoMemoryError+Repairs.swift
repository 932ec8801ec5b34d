internal import CAssay

extension NoMemoryError {
    /// What a few thousand records have become is more than is allowed, or than there is memory for.
    package static let repairedValues = NoMemoryError(
        for: "repaired values: those of a few thousand records may have \(ASSAY_REPAIR_MOST >> 20) MiB together",
        hint: "shorten what the repairs of the rules write, or let the process have more memory")
}
