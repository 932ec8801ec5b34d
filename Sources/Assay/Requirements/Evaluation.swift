/// What a requirement says of a value.
///
/// In JSON: `{"confirmed": true}`, or `{"confirmed": false, "reason": {…}}`.
public enum Evaluation: Hashable, Sendable {
    /// The value is as required.
    case confirmed
    /// The value is not as required, or could not be judged (``Reason/isUndecided``).
    case failed(reason: Reason)

    /// Whether the value is as required; `false` for a value that could not be judged.
    @inlinable public var isConfirmed: Bool {
        if case .confirmed = self { return true }
        return false
    }

    /// Why not; `nil` when confirmed.
    public var reason: Reason? {
        if case .failed(let reason) = self { return reason }
        return nil
    }

    /// The same in three values: a reason that is undecided proves nothing wrong.
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

/// How many reasons are wanted; chosen for each call.
///
///     password.failures(in: text, limit: .first)      // what comes after the first is not asked
///     password.failures(in: text, limit: .all)
///     password.failures(in: text, limit: .upTo(3))    // or simply 3
public struct FailurePolicy: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The most reasons that are given.
    public let limit: Int

    /// The first failure is enough: what follows it is not asked.
    public static let first = FailurePolicy.upTo(1)
    /// All failures are wanted.
    public static let all = FailurePolicy.upTo(.max)

    /// No more than so many; the asking stops there.
    public static func upTo(_ limit: Int) -> FailurePolicy { FailurePolicy(integerLiteral: limit) }

    public init(integerLiteral limit: Int) { self.limit = max(0, limit) }
}
