internal import Assay

// As with `Schema`, two values are equal only if they behave in the same way, so texts are compared byte by byte.

extension RuleFile {
    public static func == (one: RuleFile, other: RuleFile) -> Bool {
        one.schema == other.schema && one.dialect == other.dialect && one.limits == other.limits
            && one.jsonTypes == other.jsonTypes && one.thresholds == other.thresholds
            && one.tableRules == other.tableRules
            && areByteEqual(one.directory, other.directory) && one.referencedTables == other.referencedTables
            && one.policy == other.policy
    }
}

extension ReferencedTable {
    public static func == (one: ReferencedTable, other: ReferencedTable) -> Bool {
        areByteEqual(one.name, other.name) && areByteEqual(one.paths, other.paths) && one.dialect == other.dialect
    }
}

extension Dialect {
    public static func == (one: Dialect, other: Dialect) -> Bool {
        one.delimiter == other.delimiter && one.secondDelimiter == other.secondDelimiter
            && one.quoteChar == other.quoteChar && one.escapeChar == other.escapeChar
            && one.commentChar == other.commentChar && one.skipInitialSpace == other.skipInitialSpace
            && one.skip == other.skip && one.header == other.header && one.headerRows == other.headerRows
            && areByteEqual(one.headerJoin, other.headerJoin) && one.extraFields == other.extraFields
            && one.trailingDelimiter == other.trailingDelimiter && one.blankLines == other.blankLines
            && one.rejectsLastBlankLines == other.rejectsLastBlankLines && one.lineTerminator == other.lineTerminator
            && areByteEqual(one.encoding, other.encoding) && one.trustEncoding == other.trustEncoding
    }
}

extension Thresholds.Named {
    public static func == (one: Self, other: Self) -> Bool {
        areByteEqual(one.name, other.name) && one.max == other.max
    }
}
