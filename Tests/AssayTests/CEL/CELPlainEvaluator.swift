import Assay

extension CELProgram {
    /// The outcome of the expression for cells that the test has as values.
    func outcome(_ cell: (Int) -> CELOutcome) -> CELOutcome { outcome { index, _ in cell(index) } }
}
