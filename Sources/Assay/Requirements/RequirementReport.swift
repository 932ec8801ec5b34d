/// What a requirement found among many values.
///
///     let report = password.report(on: passwords, limit: .all, maxFindings: 100)
///     report.failed                                // 12
///     report.findings[0].reason.message(in: "ja")
///
/// It holds no value of the data unless that was asked for. In JSON it is what it looks like.
public struct RequirementReport: Hashable, Sendable, Codable {
    /// A value that failed or is undecided.
    public struct Finding: Hashable, Sendable, Codable {
        /// The position among the values, from 0.
        public var index: Int
        /// The first reason.
        public var reason: Reason
        /// The value, only where it was asked for.
        public var value: String?
    }

    /// How many values were judged.
    public var count: Int
    /// How many are as required.
    public var confirmed: Int
    /// How many are not.
    public var failed: Int
    /// How many could not be judged.
    public var undecided: Int

    /// In the order of the values, and for each in declared order.
    public var findings: [Finding]

    /// Values that were not confirmed and have no finding here, since there were enough.
    public var omitted: Int
}

extension Requirement where Value: Sendable {
    /// Judges many values, and says why those that are not confirmed are not.
    ///
    /// All are judged at once, as by ``verdicts(for:threads:)``; only those that are not confirmed are asked again for their
    /// reasons.
    ///
    /// - Parameters:
    ///   - limit: how many reasons for each value.
    ///   - maxFindings: no value begins after so many findings. The counts go on.
    ///   - showingValues: whether findings hold the value's text.
    ///   - threads: as for ``verdicts(for:threads:)``.
    public func report(
        on values: [Value], limit: FailurePolicy = .first, maxFindings: Int = 1_000, showingValues: Bool = false,
        threads: Int? = nil
    ) -> RequirementReport {
        let mask =
            (self as? Requirement<String>).flatMap { texts in
                (values as Any as? [String]).map { texts.verdicts(for: $0, threads: threads) }
            } ?? verdicts(for: values, threads: threads)
        var report = RequirementReport(
            count: mask.count, confirmed: mask.passedCount, failed: mask.failedCount, undecided: mask.undecidedCount,
            findings: [], omitted: 0)
        let refused = (Array(mask.indices(of: .fail)) + Array(mask.indices(of: .undecided))).sorted()
        for (position, index) in refused.enumerated() {
            if report.findings.count >= maxFindings {
                report.omitted = refused.count - position
                break
            }
            let text = showingValues ? cellText(values[index]) ?? "\(values[index])" : nil
            report.findings += failures(in: values[index], limit: limit).map {
                RequirementReport.Finding(index: index, reason: $0, value: text)
            }
        }
        return report
    }
}
