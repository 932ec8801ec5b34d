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
        paths = try JSONPaths(rules)
        plain = BoundSchema(schema, fields: paths.plain, hasRows: true)
        lists = paths.lists.map { BoundSchema(schema, fields: [$0], hasRows: false) }
    }
}

/// The judges of a worker's list columns, and their findings in a slice.
struct ListJudges: ~Copyable {
    // SAFETY: The memory is initialized in `init` and freed in `deinit`. An array cannot hold noncopyable values.
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

    /// Sets the account for later work.
    mutating func charge(to account: BudgetAccount) {
        let judges = judges
        for index in judges.indices { judges[index].charge(to: account) }
    }

    var tallies: [RuleTally] { judges.indices.map { judges[$0].tally } }

    /// Resets all counts to 0.
    mutating func resetTallies() {
        // Copy the pointer, because under the thread sanitizer `self` would be accessed twice at once.
        let judges = judges
        for index in judges.indices { judges[index].resetTally() }
    }

    mutating func judge(_ slice: Slice, _ repairs: ChunkRepairs?) throws(NoMemoryError) {
        if judges.isEmpty { return }
        findings.begin(rows: slice.rows)
        guard let reader = slice.json else { return }
        // See `resetTallies`.
        let judges = judges
        for index in judges.indices {
            try judges[index].judge(slice, reader, number: index, into: &findings, repairs)
        }
    }

    /// The number of list columns. `column(_:)` returns the field of each.
    var count: Int { judges.count }
    func column(_ list: Int) -> Int { judges[list].column }

    /// Set if memory ran out. The findings are then incomplete.
    var failure: NoMemoryError? {
        for index in judges.indices {
            if let failure = judges[index].failure { return failure }
        }
        return nil
    }

    // The findings of each list; see ``ListJudge``.

    mutating func nextElement(_ list: Int, ofRow row: Int, _ slice: Slice) -> Int? {
        // See `resetTallies`.
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

    /// Returns the rows of a word that an element rejects.
    func rejects(_ word: Int) -> UInt64 { findings.rejects.isEmpty ? 0 : findings.rejects[word] }
}
