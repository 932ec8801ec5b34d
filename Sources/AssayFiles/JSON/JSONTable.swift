internal import Assay
internal import AssayRules

/// The fields of a JSON Lines table as paths, and the rules for them.
struct JSONTable: Sendable {
    let paths: JSONPaths
    /// The rules of the fields with one value per record.
    let plain: BoundSchema
    /// The rules of each list field, in the order of ``JSONPaths/lists``.
    let lists: [BoundSchema]
    /// The findings of each list field, by file of the table.
    var listTemplates: [[FindingTemplates]] = []

    /// - Parameters:
    ///   - schema: The schema of the rules, compiled for JSON values.
    ///   - name: The name of the input.
    /// - Throws: ``InputError`` for an invalid path, and for rules that only apply to columns.
    init(_ rules: RuleFile, _ schema: CompiledSchema, name: String) throws {
        if rules.schema.fieldsMatch != .subset {
            throw InputError(
                "\(printable(name)) is JSON Lines, where objects may have any members, "
                    + "but the rules say fieldsMatch: \(rules.schema.fieldsMatch.rawValue)"
                    + (rules.schema.fieldsMatch == .equal ? " (in a JSON Schema, additionalProperties: false)" : ""),
                hint: "leave that out, and mark the required members with constraints: {required: true}",
                override: .format)
        }
        if rules.dialect.skip > 0 {
            throw InputError(
                "\(printable(name)) is JSON Lines, which has no lines above the table",
                hint: "leave out skip; a line that is no object is rejected", override: .format)
        }
        paths = try JSONPaths.reading(rules.schema, rules.jsonTyping)
        plain = BoundSchema(schema, fields: paths.plain, hasRows: true)
        lists = paths.lists.map { BoundSchema(schema, fields: [$0], hasRows: false) }
    }
}

/// The evaluators of a worker's list columns, and their findings in a slice.
struct ListEvaluators: ~Copyable {
    // SAFETY: The memory is initialized in `init` and freed in `deinit`. An array cannot hold noncopyable values.
    private let evaluators: UnsafeMutableBufferPointer<ListEvaluator>
    var findings = ListFindings()

    init(_ json: JSONTable?, limits: MatchLimits) throws(NoMemoryError) {
        let count = json?.lists.count ?? 0
        evaluators = .allocate(capacity: count)
        var made = 0
        do throws(NoMemoryError) {
            for index in 0..<count {
                guard let json else { break }
                let column = json.paths.lists[index]
                let evaluator = try ListEvaluator(
                    json.lists[index], column: column, name: json.paths.names[column], limits: limits,
                    templates: json.listTemplates[index])
                evaluators.initializeElement(at: index, to: evaluator)
                made += 1
            }
        } catch {
            for index in 0..<made { evaluators.deinitializeElement(at: index) }
            evaluators.deallocate()
            throw error
        }
    }

    deinit {
        for index in evaluators.indices { evaluators.deinitializeElement(at: index) }
        evaluators.deallocate()
    }

    /// Sets the account for later work.
    mutating func charge(to account: BudgetAccount) {
        let evaluators = evaluators
        for index in evaluators.indices { evaluators[index].charge(to: account) }
    }

    var tallies: [RuleTally] { evaluators.indices.map { evaluators[$0].tally } }

    /// Resets all counts to 0.
    mutating func resetTallies() {
        // Copy the pointer, because under the thread sanitizer `self` would be accessed twice at once.
        let evaluators = evaluators
        for index in evaluators.indices { evaluators[index].resetTally() }
    }

    mutating func evaluate(_ slice: Slice, _ repairs: ChunkRepairs?) throws(NoMemoryError) {
        if evaluators.isEmpty { return }
        findings.begin(rows: slice.rows)
        guard let reader = slice.json else { return }
        // See `resetTallies`.
        let evaluators = evaluators
        for index in evaluators.indices {
            try evaluators[index].evaluate(slice, reader, number: index, into: &findings, repairs)
        }
    }

    /// The number of list columns. `column(_:)` returns the field of each.
    var count: Int { evaluators.count }
    func column(_ list: Int) -> Int { evaluators[list].column }

    /// Set if memory ran out. The findings are then incomplete.
    var failure: NoMemoryError? {
        for index in evaluators.indices {
            if let failure = evaluators[index].failure { return failure }
        }
        return nil
    }

    // The findings of each list; see ``ListEvaluator``.

    mutating func nextElement(_ list: Int, ofRow row: Int, _ slice: Slice) -> Int? {
        // See `resetTallies`.
        let evaluators = evaluators
        return evaluators[list].nextElement(ofRow: row, slice)
    }

    func forEachFinding(_ list: Int, of element: Int, _ body: (_ rule: Int, _ isUndecided: Bool) -> Void) {
        evaluators[list].forEachFinding(of: element, body)
    }

    func template(_ list: Int, _ rule: Int, _ isUndecided: Bool, input: Int) -> FindingTemplate {
        evaluators[list].template(rule, isUndecided, input: input)
    }

    func finding(_ list: Int, of element: Int, _ rule: Int, _ isUndecided: Bool, _ slice: Slice) -> ListFinding {
        evaluators[list].finding(of: element, rule, isUndecided, slice)
    }

    /// Returns the rows of a word that an element rejects.
    func rejects(_ word: Int) -> UInt64 { findings.rejects.isEmpty ? 0 : findings.rejects[word] }
}

extension JSONPaths {
    /// Compiles the names of fields as paths.
    ///
    /// - Throws: ``InputError`` if a name is not a path, and ``NoMemoryError``.
    static func reading(_ schema: Schema, _ typing: Typing) throws -> JSONPaths {
        do throws(Failure) {
            return try JSONPaths(schema, typing)
        } catch {
            switch error {
            case .noMemory(let error): throw error
            case .noPath(let field, let message):
                throw InputError(
                    "the field '\(printable(field))' is no path into JSON: \(message)",
                    hint: "a dot or a bracket that belongs to the name has a backslash before it: \\. \\[ \\]",
                    override: .format)
            }
        }
    }
}
