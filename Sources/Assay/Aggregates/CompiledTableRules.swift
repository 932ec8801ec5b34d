internal import CAssay

/// The rules on a table, compiled, with the columns that they aggregate. Immutable.
package final class CompiledTableRules: Sendable {
    let rules: [TableRule]
    let programs: [CELProgram]
    /// Whether a rule depends on the time of the run.
    package var usesNow: Bool { programs.contains { $0.usesNow } }
    /// The different aggregates of all rules. They are the variables of the programs.
    let aggregates: [CELAggregate]
    /// For each aggregate: the place of its column in ``columns``.
    let places: [Int?]
    /// The columns that are aggregated.
    let columns: [Column]
    /// The texts of the aggregates.
    let texts: [String]

    /// A column that is aggregated.
    struct Column: Sendable {
        /// The column as a key, whose equal values are counted once.
        let key: CompiledKey
        let parts: ColumnTotals.Parts
        /// The conversion of values that do not fit 64 bits; `nil` if only records and values are counted.
        let variable: RowVariable?
        var isNumber: Bool { variable?.kind == .number }
    }

    /// - Parameter typing: The typing of `schema`.
    /// - Throws: ``CompileError`` for the first mistake in an expression.
    package init(_ rules: [TableRule], _ schema: CompiledSchema, typing: Typing) throws(CompileError) {
        let fields = schema.schema.fields
        var found = CELAggregates(CELColumns(fields))
        var budget = ReadingBudget.trusting
        var programs: [CELProgram] = []
        for rule in rules {
            do {
                programs.append(try rule.program(for: fields, &found, &budget))
            } catch {
                throw CompileError(error, in: rule)
            }
        }
        let parts = found.all.reduce(into: [Int: ColumnTotals.Parts]()) { parts, aggregate in
            guard let column = aggregate.column else { return }
            parts[column, default: []].formUnion(aggregate.function.parts)
        }
        let named = parts.keys.sorted()
        let names = FieldPlaces(fields.lazy.map(\.name))
        var columns: [Column] = []
        for index in named {
            let key = Key(.unique, fields: [fields[index].name])
            let needed = parts[index] ?? []
            columns.append(
                Column(
                    key: try CompiledKey(key, schema.schema, names, schema.fields, typing: typing), parts: needed,
                    variable: needed.isDisjoint(with: [.values, .quantiles])
                        ? nil
                        : try RowVariable(
                            fields[index].type, isJSON: typing.isStrict, isWholeNumber: typing == .jsonSchema)))
        }
        (self.rules, self.programs, self.columns) = (rules, programs, columns)
        aggregates = found.all
        texts = found.variables.map(\.name)
        places = found.all.map { aggregate in aggregate.column.flatMap { named.firstIndex(of: $0) } }
    }

    /// The rules bound to the columns of a table.
    package func bound(to schema: BoundSchema) -> BoundTableRules {
        BoundTableRules(
            rules: self,
            keys: columns.map { BoundKey($0.key, positions: $0.key.positions(in: schema), secret: .ofAggregates) })
    }
}

/// The rules on a table, bound to its columns.
package struct BoundTableRules: Sendable {
    package let rules: CompiledTableRules
    /// By column of the rules.
    let keys: [BoundKey]
}

extension KeySecret {
    /// The seed of the hashes of different values. Constant, because an estimate must be the same in each run. Values
    /// that are constructed to have equal hashes only lower the count.
    fileprivate static let ofAggregates = KeySecret(
        assay_key_hash(low: 0x243F_6A88_85A3_08D3, high: 0x1319_8A2E_0370_7344))
}

extension CELAggregate.Function {
    fileprivate var parts: ColumnTotals.Parts {
        switch self {
        case .count, .missing: []
        case .distinct: .distinct
        case .sum, .mean, .min, .max: .values
        case .quantile: .quantiles
        }
    }
}

extension CompileError {
    fileprivate init(_ mistake: CELMistake, in rule: TableRule) {
        let advice = mistake.suggestion.map { "; \($0)" } ?? ""
        self.init(
            part: .check, message: "rule '\(rule.id)' on the table: \(mistake.message)\(advice)",
            offset: mistake.range.lowerBound)
    }
}
