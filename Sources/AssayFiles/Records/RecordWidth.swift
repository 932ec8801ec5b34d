internal import AssayRules

/// How many fields a record must have.
struct RecordWidth: Hashable, Sendable {
    let fields: Int
    /// Whether it may have more.
    let allowsMore: Bool

    init(_ head: TableHead) {
        fields = head.columnCount
        allowsMore = head.dialect.extraFields == .keep
    }
}
