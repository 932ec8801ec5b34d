internal import Assay

extension Validated {
    /// Adds a relation with another field. If it does not hold, its message is one of this field's errors. When the
    /// other field changes, listeners to this field are notified.
    ///
    ///     $end.require($start, errorMessage: "Ends before it starts") { end, start in
    ///         guard let end, let start else { return true }
    ///         return end >= start
    ///     }
    ///
    /// Call it once, when the form is created. Neither field retains the other; a deallocated field has no value.
    public func require<Other>(
        _ other: Validated<Other>, errorMessage: String, _ holds: @escaping (Value?, Other?) -> Bool
    ) {
        relations.append { [weak other] value in
            holds(value, other?.wrappedValue) ? nil : ValidationError(message: errorMessage)
        }
        // A single dependent, even with several relations to the same field.
        other.dependents.removeAll { $0.field == nil || $0.field === self }
        other.dependents.append(Dependent(field: self))
    }

    /// Requires the same value as in another field, such as a repeated password. Texts are compared byte by byte.
    ///
    ///     init() { $repeated.confirm(origin: $password, errorMessage: "The passwords differ") }
    public func confirm(origin: Validated<Value>, errorMessage: String)
    where Value: Equatable & SendableMetatype {
        require(origin, errorMessage: errorMessage, areByteEqual)
    }
}

/// A field with errors that depend on another field's value.
struct Dependent {
    weak var field: (any PublishingField)?
}

/// A field with a value of any type.
protocol PublishingField: AnyObject {
    /// Notifies listeners that another field changed, which may change the errors of this field.
    func reportChange()
}

extension Validated: PublishingField {}
