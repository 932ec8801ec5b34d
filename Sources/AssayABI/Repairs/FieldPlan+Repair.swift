internal import Assay

extension FieldPlan {
    /// The column with its values repaired; `nil`: there is nothing to repair.
    ///
    /// Repairs are of texts: numbers and times of Arrow are left alone, in whatever encoding.
    ///
    /// - Throws: a fault for a column that is not sound, or when the progress callback ends it.
    func repaired(_ column: SourceColumn, _ options: CheckOptions) throws -> RepairedValues? {
        guard let repairs, column.mayBeRepaired, column.count > 0 else { return nil }
        if let fault = column.faultOfValues { throw fault }
        return try RepairedValues(column, repairs, limits: limits, longest: longest, options: options)
    }
}

extension SourceColumn {
    fileprivate var mayBeRepaired: Bool {
        switch values {
        case .offsets32, .offsets64, .views, .pointers, .nothing: true
        case .dictionary(_, let values): values.mayBeRepaired
        case .written: false
        }
    }

    /// What is wrong with the layout of its values, or of those in its dictionary.
    var faultOfValues: Fault? {
        switch values {
        case .offsets32, .offsets64: return fault
        case .dictionary(_, let values): if let fault = values.faultOfValues { return fault }
        case .views, .pointers, .written, .nothing: break
        }
        return hasValidLayout(0..<count) ? nil : fault
    }
}
