internal import Assay

extension FieldPlan {
    /// The column with repaired values, or `nil` if it has no repairs.
    ///
    /// Only texts are repaired. Numbers and times of Arrow remain unchanged in every encoding.
    ///
    /// - Throws: a fault for a column with an invalid layout, or if the progress callback ends the repair.
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

    /// The fault for an invalid layout of the values, or of those in the dictionary.
    var faultOfValues: Fault? {
        switch values {
        case .offsets32, .offsets64: return fault
        case .dictionary(_, let values): if let fault = values.faultOfValues { return fault }
        case .views, .pointers, .written, .nothing: break
        }
        return hasValidLayout(0..<count) ? nil : fault
    }
}
