/// A rule between columns as it runs. Immutable.
final class CompiledRowRule: Sendable {
    let program: CELProgram
    /// How it runs over columns; `nil`: row by row.
    let operation: RowOperation?
    /// The fields that it names.
    let fields: Set<Int>

    init(_ program: CELProgram, compiler: CheckCompiler) {
        self.program = program
        operation = RowOperationBuilder(program: program, compiler: compiler).operation(program.root)
        fields = Set(program.fields)
    }
}
