internal import Assay

extension Validated {
    /// Demands that this field agrees with another, and says so among its errors when it does not. When the other field changes,
    /// those who listen to this one are told.
    ///
    ///     $end.require($start, errorMessage: "Ends before it starts") { end, start in
    ///         guard let end, let start else { return true }
    ///         return end >= start
    ///     }
    ///
    /// Call it once, where the form is made. Neither field keeps the other alive; one that is gone has no value.
    public func require<Other>(
        _ other: Validated<Other>, errorMessage: String, _ holds: @escaping (Value?, Other?) -> Bool
    ) {
        relations.append { [weak other] value in
            holds(value, other?.wrappedValue) ? nil : ValidationError(message: errorMessage)
        }
        // Once, however many relations there are.
        other.dependents.removeAll { $0.field == nil || $0.field === self }
        other.dependents.append(Dependent(field: self))
    }

    /// Demands that the same was entered as in another field: a password, an address. Texts are compared byte for byte.
    ///
    ///     init() { $repeated.confirm(origin: $password, errorMessage: "The passwords differ") }
    public func confirm(origin: Validated<Value>, errorMessage: String)
    where Value: Equatable & SendableMetatype {
        require(origin, errorMessage: errorMessage, areByteEqual)
    }
}

/// A field whose errors depend on another's value.
struct Dependent {
    weak var field: (any PublishingField)?
}

/// A field of any type of value.
protocol PublishingField: AnyObject {
    /// Tells those who listen that another field changed, and with it the errors of this one.
    func tellChange()
}

extension Validated: PublishingField {}
