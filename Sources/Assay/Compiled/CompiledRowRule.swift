/// A compiled row rule. Immutable.
final class CompiledRowRule: Sendable {
    let program: CELProgram
    /// The column form of the program; `nil` if it runs row by row.
    let operation: RowOperation?
    /// The indices of the fields in the expression.
    let fields: Set<Int>

    init(_ program: CELProgram, compiler: CheckCompiler) {
        self.program = program
        operation = RowOperationBuilder(program: program, compiler: compiler).operation(program.root)
        fields = Set(program.fields)
    }
}
