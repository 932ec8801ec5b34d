internal import CAssay

/// Checks single JSON objects, one at a time, with memory that is reused. Must give the verdicts of the pipeline for
/// JSON Lines.
final class BodyEvaluator: @unchecked Sendable {
    // SAFETY: only the thread that took an evaluator from its pool uses it.
    private let plan: BodyPlan
    private let reader: JSONReader
    private var plain: SchemaEvaluator
    private let lists: [ElementEvaluator]
    /// The body, room for unescaped strings, and the bytes that the parser may read after a record.
    private var buffer: UnsafeMutablePointer<UInt8>
    private var capacity = 4096
    private static let padding = 64
    private static let maxIdleCapacity = 256 << 10

    init(_ plan: BodyPlan) {
        do throws(NoMemoryError) {
            reader = try JSONReader(plan.paths)
            plain = try SchemaEvaluator(plan.plain, limits: plan.limits)
            var lists: [ElementEvaluator] = []
            for list in plan.lists { lists.append(try ElementEvaluator(plan, list)) }
            self.lists = lists
        } catch {
            outOfMemory()
        }
        self.plan = plan
        buffer = .allocate(capacity: 2 * capacity + Self.padding)
    }

    deinit { buffer.deallocate() }

    /// Whether the evaluator may be kept for the next body.
    var isSmall: Bool { capacity <= Self.maxIdleCapacity }

    /// Returns the reasons why a body breaks the rules, at most `limit`.
    func failures(in body: UnsafeBufferPointer<UInt8>, limit: Int) -> [Reason] {
        if limit == 0 { return [] }
        var body = body
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = UnsafeBufferPointer(rebasing: body[3...]) }
        if body.count > plan.maxBytes {
            return [Reason(rule: "json.size", parameters: ["max": .integer(plan.maxBytes)])]
        }
        if assay_utf8_valid_prefix(body.cBase, body.count) != body.count { return [Reason(rule: "json.encoding")] }
        if let mistake = read(body) { return [mistake] }
        check()
        return reasons(limit)
    }

    /// Copies a body and reads its values. Returns the reason if it is not an object.
    private func read(_ body: UnsafeBufferPointer<UInt8>) -> Reason? {
        if body.count > capacity {
            buffer.deallocate()
            capacity = max(body.count, 2 * capacity)
            buffer = .allocate(capacity: 2 * capacity + Self.padding)
        }
        buffer.update(from: body.cBase, count: body.count)
        (buffer + body.count).update(repeating: 0, count: body.count + Self.padding)
        var used = UInt32(body.count)
        var broken: UInt64 = 0
        do throws(NoMemoryError) {
            try withUnsafeTemporaryAllocation(of: assay_record.self, capacity: 2) { records throws(NoMemoryError) in
                records[0] = assay_record(start: 0, end: used, first_field: 0, flags: 0)
                records[1] = assay_record(start: used, end: used, first_field: 0, flags: 0)
                var batch = assay_batch()
                (batch.records, batch.record_count, batch.consumed) = (records.baseAddress, 1, used)
                try reader.read(&batch, buffer, first: 0, rows: 1, broken: &broken, used: &used)
            }
        } catch {
            outOfMemory()
        }
        return broken == 0 ? nil : syntaxMistake(body)
    }

    private func syntaxMistake(_ body: UnsafeBufferPointer<UInt8>) -> Reason {
        let (code, place) = reader.mistake(0)
        if code == .ASSAY_JSON_BLANK || code == .ASSAY_JSON_NOT_OBJECT { return Reason(rule: "json.object") }
        let before = body[..<place]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: body[start..<place], as: UTF8.self).unicodeScalars.count + 1
        return Reason(
            rule: "json.syntax",
            parameters: [
                "line": .integer(line), "column": .integer(column),
                "mistake": .text(String(cString: assay_json_mistake_text(code))),
            ])
    }

    private func check() {
        var broken: UInt64 = 0
        // No room for repaired values in the buffer: the repairer allocates it.
        let room = plain.repairer == nil ? nil : UnsafeMutableBufferPointer(start: buffer, count: 0)
        // Each body is a run of its own.
        plain.setNow(nil)
        plain.evaluate(rows: 1, broken: &broken) { position, cells in
            reader.gather(position, rows: 1, bytes: buffer, room: room, into: cells)
        }
        if plain.repairer?.failure != nil { outOfMemory() }
    }

    private func reasons(_ limit: Int) -> [Reason] {
        var found: [(field: Int, reason: Reason)] = []
        for rule in plain.rulesWithFindings where found.count < limit || !lists.isEmpty {
            let reason = plan.plainReasons[rule]
            if reason.rejects { found.append((reason.field, self.reason(of: reason, rule))) }
        }
        if !lists.isEmpty {
            for list in lists { list.addReasons(reader, buffer, limit, to: &found) }
            // The sort is stable.
            found.sort { $0.field < $1.field }
        }
        return found.prefix(limit).map(\.reason)
    }

    private func reason(of rule: BodyReason, _ index: Int) -> Reason {
        if plain.failed(byRule: index)[0] & 1 == 0 {
            if rule.field != .max || plain.exhaustedRows(byRule: index)[0] != nil { return rule.undecided }
            return Reason.unanswered.named(rule.id)
        }
        if rule.isType, let kind = reader.kinds(rule.field)?[0],
            let wrong = plan.wrongKind(kind, of: rule.field, rule: rule.id)
        {
            return wrong.at(rule.failed.path)
        }
        if !rule.hasFailureReasons { return rule.failed }
        let repaired = plain.repairer?.cells(at: rule.field)
        let cell = repaired?.cells[0] ?? reader.cell(rule.field, 0)
        let value = UnsafeBufferPointer(
            start: (repaired?.bytes ?? UnsafePointer(buffer)) + Int(cell.start), count: Int(cell.length))
        return rule.failed.explained(plain.failureReason(of: value, rule: index))
    }
}

extension Reason {
    /// This reason with the failure reason at an index of ``FailureReason/all``.
    func explained(_ index: Int?) -> Reason { index.map { explained(by: FailureReason.all[$0]) } ?? self }
}

/// Checks the elements of one list field.
final class ElementEvaluator {
    private let plan: BodyPlan
    private let list: BodyPlan.List
    private var evaluator: SchemaEvaluator
    private let masks: ElementMasks
    private static let maxCount = JSONReader.maxRows

    init(_ plan: BodyPlan, _ list: BodyPlan.List) throws(NoMemoryError) {
        evaluator = try SchemaEvaluator(list.schema, limits: plan.limits)
        masks = try ElementMasks()
        (self.plan, self.list) = (plan, list)
    }

    /// Adds the reasons of all elements, at most `limit`.
    func addReasons(
        _ reader: JSONReader, _ bytes: UnsafeMutablePointer<UInt8>, _ limit: Int,
        to found: inout [(field: Int, reason: Reason)]
    ) {
        guard let elements = reader.elements(list.field) else { return }
        do throws(NoMemoryError) {
            try reader.mark(list.field, elements, in: masks)
        } catch {
            outOfMemory()
        }
        let end = limit > .max - found.count ? .max : found.count + limit
        for first in stride(from: 0, to: elements.count, by: Self.maxCount) where found.count < end {
            let count = min(Self.maxCount, elements.count - first)
            evaluate(first, count, elements, reader, bytes)
            if evaluator.rulesWithFindings.isEmpty { continue }
            let marked = evaluator.marked
            for word in 0..<maskWords(count) {
                forEachBit(in: marked[word]) { bit in
                    let row = 64 * word + bit
                    evaluator.forEachFinding(ofRow: row) { rule, isUndecided in
                        guard list.reasons[rule].rejects, found.count < end else { return }
                        let reason = reason(rule, isUndecided, first, row, elements, reader, bytes)
                        found.append((list.field, reason))
                    }
                }
            }
        }
    }

    private func evaluate(
        _ first: Int, _ count: Int, _ elements: JSONReader.Elements, _ reader: JSONReader,
        _ bytes: UnsafeMutablePointer<UInt8>
    ) {
        let kinds = reader.areText ? nil : reader.kinds(list.field)
        let nullValues = reader.hasNullValues ? masks.nullValues + first / 64 : nil
        let (word, masks) = (first / 64, masks)
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: maskWords(count)) { broken in
            broken.update(repeating: 0)
            evaluator.evaluate(rows: count, broken: broken.baseAddress!) { _, cells in
                cells.update(from: elements.cells + first, count: count)
                return GatheredCells(
                    bytes: UnsafePointer(bytes), nulls: masks.nulls + word, wrongTypes: masks.wrong + word,
                    unrepaired: masks.unrepaired + word,
                    nullValues: nullValues.map { UnsafePointer($0) }, kinds: kinds.map { $0 + first })
            }
        }
        if evaluator.repairer?.failure != nil { outOfMemory() }
    }

    private func reason(
        _ rule: Int, _ isUndecided: Bool, _ first: Int, _ row: Int, _ elements: JSONReader.Elements,
        _ reader: JSONReader, _ bytes: UnsafeMutablePointer<UInt8>
    ) -> Reason {
        let (reason, element) = (list.reasons[rule], first + row)
        let indexes = elements.indexes(element)
        let path = plan.recordPaths[list.field].valuePath(indexes)
        if isUndecided { return reason.undecided.at(path) }
        if reason.isType {
            let kind = reader.kinds(list.field)![element]
            if elements.isNoList(element, depth: list.depth) {
                let wrong = plan.wrongKind(kind, of: list.field, rule: reason.id)
                let found = wrong?.parameters["found"]?.description ?? plan.typeNames[list.field]
                return plan.wrongType(found, "array", rule: reason.id).at(path)
            }
            if let wrong = plan.wrongKind(kind, of: list.field, rule: reason.id) { return wrong.at(path) }
        }
        if !reason.hasFailureReasons { return reason.failed.at(path) }
        let repaired = evaluator.repairer?.repairedColumns.first
        let cell = repaired?.cells[row] ?? elements.cells[element]
        let value = UnsafeBufferPointer(
            start: (repaired?.bytes ?? UnsafePointer(bytes)) + Int(cell.start), count: Int(cell.length))
        return reason.failed.explained(evaluator.failureReason(of: value, rule: rule)).at(path)
    }
}
