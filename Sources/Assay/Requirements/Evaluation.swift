/// The result of evaluating a requirement on a value.
///
/// In JSON: `{"confirmed": true}`, or `{"confirmed": false, "reason": {…}}`.
public enum Evaluation: Hashable, Sendable {
    /// The value meets the requirement.
    case confirmed
    /// The value fails, or could not be checked (``Reason/isUndecided``).
    case failed(reason: Reason)

    /// Whether the value meets the requirement; `false` for a value that could not be checked.
    @inlinable public var isConfirmed: Bool {
        if case .confirmed = self { return true }
        return false
    }

    /// The reason of the failure; `nil` if the value is confirmed.
    public var reason: Reason? {
        if case .failed(let reason) = self { return reason }
        return nil
    }

    /// The evaluation in three-valued logic. An undecided reason gives `.undecided`.
    public var verdict: Verdict {
        guard case .failed(let reason) = self else { return .pass }
        return reason.isUndecided ? .undecided : .fail
    }
}

extension Evaluation: Codable {
    private enum Key: String, CodingKey {
        case confirmed, reason
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self =
            try values.decode(Bool.self, forKey: .confirmed)
            ? .confirmed : .failed(reason: try values.decode(Reason.self, forKey: .reason))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(isConfirmed, forKey: .confirmed)
        try values.encodeIfPresent(reason, forKey: .reason)
    }
}

/// The maximum number of reasons that a call returns.
///
///     password.failures(in: text, limit: .first)      // stops after the first failure
///     password.failures(in: text, limit: .all)
///     password.failures(in: text, limit: .upTo(3))    // or simply 3
public struct FailurePolicy: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The maximum number of reasons.
    public let limit: Int

    /// Stops after the first failure.
    public static let first = FailurePolicy.upTo(1)
    /// Returns all failures.
    public static let all = FailurePolicy.upTo(.max)

    /// Stops after `limit` failures. Negative limits count as 0.
    public static func upTo(_ limit: Int) -> FailurePolicy { FailurePolicy(integerLiteral: limit) }

    public init(integerLiteral limit: Int) { self.limit = max(0, limit) }
}
