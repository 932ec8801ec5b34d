internal import AssayRules
internal import CAssay

/// The required number of fields of a record.
struct RecordWidth: Sendable {
    let fields: Int
    /// Whether more fields are allowed.
    let allowsMore: Bool
    /// The dialect, which may allow a trailing delimiter.
    let dialect: assay_dialect

    init(_ head: TableHead) {
        fields = head.columnCount
        allowsMore = head.dialect.extraFields == .keep
        dialect = head.recordDialect
    }
}
