internal import Assay

extension Validated {
    /// What must hold between this field and another. `error` is what is wrong with a value of this field.
    struct Relation {
        let error: (Value?) -> ValidationError?
    }

    /// Demands that this field agrees with another, and says so among its errors when it does not. When the other field changes,
    /// those who listen to this one are told.
    ///
    ///     $end.require($start, errorMessage: "Ends before it starts") { end, start in
    ///         guard let end, let start else { return true }
    ///         return end >= start
    ///     }
    ///
    /// Call it once, where the form is made. The other field lives as long as this one.
    public func require<Other>(
        _ other: Validated<Other>, errorMessage: String, _ holds: @escaping (Value?, Other?) -> Bool
    ) {
        relations.append(
            Relation { value in
                holds(value, other.wrappedValue) ? nil : ValidationError(message: errorMessage)
            })
        other.dependents.append { [weak self] in self?.publish() }
    }

    /// Demands that the same was entered as in another field: a password, an address.
    ///
    ///     init() { $repeated.confirm(origin: $password, errorMessage: "The passwords differ") }
    public func confirm(origin: Validated<Value>, errorMessage: String)
    where Value: Equatable & SendableMetatype {
        require(origin, errorMessage: errorMessage, ==)
    }
}
