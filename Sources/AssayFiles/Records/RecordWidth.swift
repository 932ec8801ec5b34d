internal import AssayRules
internal import CAssay

/// How many fields a record must have.
struct RecordWidth: Sendable {
    let fields: Int
    /// Whether it may have more.
    let allowsMore: Bool
    /// The dialect, which may allow a trailing delimiter.
    let dialect: assay_dialect

    init(_ head: TableHead) {
        fields = head.columnCount
        allowsMore = head.dialect.extraFields == .keep
        dialect = head.recordDialect
    }
}
