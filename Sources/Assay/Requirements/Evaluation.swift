/// What a requirement says of a value.
public enum Evaluation: Hashable, Sendable {
    case confirmed
    case failed(reason: Reason)

    @inlinable public var isConfirmed: Bool {
        if case .confirmed = self { return true }
        return false
    }

    /// Why not; `nil` when confirmed.
    public var reason: Reason? {
        if case .failed(let reason) = self { return reason }
        return nil
    }
}
