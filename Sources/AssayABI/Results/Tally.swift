internal import Assay
internal import AssayEvaluation
public import CAssayABI

/// Counts that are summed over results.
///
/// Not `Sendable`: only one thread at a time may use it, as the header requires.
final class Tally: Handle {
    static let argument = "tally"

    private struct Key: Hashable {
        let column: ByteEqualString?
        let rule: ByteEqualString
    }

    private(set) var totals = assay_totals()
    private(set) var counts: [RuleCount] = []
    private var places: [Key: Int] = [:]

    func add(_ other: assay_totals, _ rules: [RuleCount]) {
        totals.records += other.records
        totals.clean += other.clean
        totals.rejected += other.rejected
        totals.undecided += other.undecided
        totals.findings += other.findings
        for count in rules {
            let key = Key(
                column: count.rule.rule.column.map(ByteEqualString.init),
                rule: ByteEqualString(count.rule.rule.id))
            if let place = places[key] {
                counts[place].add(count)
            } else {
                places[key] = counts.count
                counts.append(count)
            }
        }
    }
}

@c @implementation
public func assay_tally_create() -> OpaquePointer? { Tally().retained() }

@c @implementation
public func assay_tally_free(_ tally: OpaquePointer?) { Tally.release(tally) }

@c @implementation
public func assay_tally_add(_ tally: OpaquePointer?, _ result: OpaquePointer?) {
    guard let tally = try? Tally.behind(tally), let result = try? CheckResult.behind(result) else { return }
    tally.add(result.totals, result.ruleCounts)
}

@c @implementation
public func assay_tally_merge(_ tally: OpaquePointer?, _ other: OpaquePointer?) {
    guard let tally = try? Tally.behind(tally), let other = try? Tally.behind(other) else { return }
    tally.add(other.totals, other.counts)
}

@c @implementation
public func assay_tally_totals(
    _ tally: OpaquePointer?, _ totals: UnsafeMutablePointer<assay_totals>?, _ size: Int
) {
    write((try? Tally.behind(tally))?.totals ?? assay_totals(), to: totals, size: size)
}

@c @implementation
public func assay_tally_count(_ tally: OpaquePointer?) -> Int { (try? Tally.behind(tally))?.counts.count ?? 0 }

@c @implementation
public func assay_tally_get(
    _ tally: OpaquePointer?, _ index: Int, _ count: UnsafeMutablePointer<assay_rule_count>?,
    _ size: Int
) -> Bool {
    guard let tally = try? Tally.behind(tally), let count, tally.counts.indices.contains(index) else { return false }
    let item = tally.counts[index]
    write(
        assay_rule_count(
            column: item.rule.column?.pointer, rule: item.rule.id.pointer, severity: item.rule.cSeverity, reserved: 0,
            failed: item.failed, undecided: item.undecided),
        to: count, size: size)
    return true
}
