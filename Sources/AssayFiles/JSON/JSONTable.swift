internal import Assay
internal import AssayRules

/// What is needed to judge a table of JSON Lines: the fields as paths, and the rules for them.
struct JSONTable: Sendable {
    let paths: JSONPaths
    /// The rules of the fields that have one value in a record.
    let plain: BoundSchema
    /// Those of each field that has a list, in the order of ``JSONPaths/lists``.
    let lists: [BoundSchema]
    /// The findings of each, by file of the table.
    var listTemplates: [[FindingTemplates]] = []

    /// - Parameters:
    ///   - schema: that of the rules, compiled for values of JSON.
    ///   - name: of the input.
    /// - Throws: ``InputError`` for a name that is no path, and for what the rules ask of columns alone.
    init(_ rules: RuleFile, _ schema: CompiledSchema, name: String) throws {
        if rules.schema.fieldsMatch != .subset {
            throw InputError(
                "\(printable(name)) is JSON Lines, whose objects may have any members, "
                    + "but the rules say fieldsMatch: \(rules.schema.fieldsMatch.rawValue)"
                    + (rules.schema.fieldsMatch == .equal ? " (in a JSON Schema, additionalProperties: false)" : ""),
                hint:
                    "leave that out, and mark what must be there with constraints: {required: true}; if it is CSV, add --format csv"
            )
        }
        if rules.dialect.skip > 0 {
            throw InputError(
                "\(printable(name)) is JSON Lines, which has no lines above the table",
                hint: "leave out skip; a line that is no object is rejected; if it is CSV, add --format csv")
        }
        paths = try JSONPaths(rules)
        plain = BoundSchema(schema, fields: paths.plain, hasRows: true)
        lists = paths.lists.map { BoundSchema(schema, fields: [$0], hasRows: false) }
    }
}

/// The judges of all list columns of a worker, and what they found in a slice.
struct ListJudges: ~Copyable {
    // SAFETY: memory of its own, initialized in `init` and freed in `deinit`: an array cannot hold what cannot be copied.
    private let judges: UnsafeMutableBufferPointer<ListJudge>
    var findings = ListFindings()

    init(_ json: JSONTable?, limits: MatchLimits) throws(NoMemoryError) {
        let count = json?.lists.count ?? 0
        judges = .allocate(capacity: count)
        var made = 0
        do throws(NoMemoryError) {
            for index in 0..<count {
                guard let json else { break }
                let column = json.paths.lists[index]
                let judge = try ListJudge(
                    json.lists[index], column: column, name: json.paths.names[column], limits: limits,
                    templates: json.listTemplates[index])
                judges.initializeElement(at: index, to: judge)
                made += 1
            }
        } catch {
            for index in 0..<made { judges.deinitializeElement(at: index) }
            judges.deallocate()
            throw error
        }
    }

    deinit {
        for index in judges.indices { judges.deinitializeElement(at: index) }
        judges.deallocate()
    }

    /// Sets the account that later work is charged to.
    mutating func charge(to account: BudgetAccount) {
        let judges = judges
        for index in judges.indices { judges[index].charge(to: account) }
    }

    var tallies: [RuleTally] { judges.indices.map { judges[$0].tally } }

    /// Begins to count anew.
    mutating func resetTallies() {
        // A copy of the pointer: with the thread sanitizer `self` would be used twice at once.
        let judges = judges
        for index in judges.indices { judges[index].resetTally() }
    }

    mutating func judge(_ slice: Slice, _ repairs: ChunkRepairs?) throws(NoMemoryError) {
        if judges.isEmpty { return }
        findings.begin(rows: slice.rows)
        guard let reader = slice.json else { return }
        // As above.
        let judges = judges
        for index in judges.indices {
            try judges[index].judge(slice, reader, number: index, into: &findings, repairs)
        }
    }

    /// How many lists there are, and which field each is.
    var count: Int { judges.count }
    func column(_ list: Int) -> Int { judges[list].column }

    /// There was no memory, so that what they found is not whole.
    var failure: NoMemoryError? {
        for index in judges.indices {
            if let failure = judges[index].failure { return failure }
        }
        return nil
    }

    // What each found, as ``ListJudge`` has it.

    mutating func nextElement(_ list: Int, ofRow row: Int, _ slice: Slice) -> Int? {
        // As above.
        let judges = judges
        return judges[list].nextElement(ofRow: row, slice)
    }

    func forEachFinding(_ list: Int, of element: Int, _ body: (_ rule: Int, _ isUndecided: Bool) -> Void) {
        judges[list].forEachFinding(of: element, body)
    }

    func template(_ list: Int, _ rule: Int, _ isUndecided: Bool, input: Int) -> FindingTemplate {
        judges[list].template(rule, isUndecided, input: input)
    }

    func finding(_ list: Int, of element: Int, _ rule: Int, _ isUndecided: Bool, _ slice: Slice) -> ListFinding {
        judges[list].finding(of: element, rule, isUndecided, slice)
    }

    /// The rows of a word that some element makes rejected.
    func rejects(_ word: Int) -> UInt64 { findings.rejects.isEmpty ? 0 : findings.rejects[word] }
}
