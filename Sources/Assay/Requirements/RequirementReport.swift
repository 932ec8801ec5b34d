/// The results of a requirement on many values.
///
///     let report = password.report(on: passwords, limit: .all, maxFindings: 100)
///     report.failed                                // 12
///     report.findings[0].reason.message(in: "ja")
///
/// A report contains no checked values, except on request. Its JSON form has the names of the properties.
public struct RequirementReport: Hashable, Sendable, Codable {
    /// A value that failed or is undecided.
    public struct Finding: Hashable, Sendable, Codable {
        /// The index in the array of values, from 0.
        public var index: Int
        /// A reason against the value.
        public var reason: Reason
        /// The text of the value; `nil` unless requested.
        public var value: String?
    }

    /// The number of checked values.
    public var count: Int
    /// The number of confirmed values.
    public var confirmed: Int
    /// The number of failed values.
    public var failed: Int
    /// The number of undecided values.
    public var undecided: Int

    /// The findings in the order of the values, and in declared order for each value.
    public var findings: [Finding]

    /// The number of values without findings here, because `maxFindings` was reached.
    public var omitted: Int
}

extension Requirement where Value: Sendable {
    /// Checks many values and returns counts and the reasons of values that are not confirmed.
    ///
    /// The values are checked in bulk, as by ``verdicts(for:threads:)``. Only those that are not confirmed are then
    /// evaluated again for their reasons.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of reasons for each value.
    ///   - maxFindings: The number of findings after which no further value is added. The counts stay complete.
    ///   - showingValues: Whether findings contain the text of the value.
    ///   - threads: As for ``verdicts(for:threads:)``.
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
