import Assay

/// The body of `POST /users`, with its requirement.
struct NewUser: Decodable, Sendable {
    struct Address: Decodable, Sendable {
        var street: String
        var postalCode: String
        var country: String
    }
    var email: String
    var name: String
    var tags: [String]?
    var addresses: [Address]
    var newsletter: Bool
    var newsletterEmail: String?
}

extension NewUser {
    /// The requirement, compiled once and used by concurrent requests.
    static let requirement = Requirement<NewUser>.all {
        Requirement<NewUser>.at(\.email, named: "email", .email())
        Requirement<NewUser>.at(\.name, named: "name", .personName() && .maxLength(80))
        Requirement<NewUser>.at(
            \.tags, named: "tags", .ifPresent(.count(max: 10) && .each(.slug())))
        Requirement<NewUser>.at(
            \.addresses, named: "addresses", .count(min: 1, max: 5) && .each(Address.requirement))
        Requirement<NewUser>.when(
            .require(\.newsletter), .at(\.newsletterEmail, named: "newsletterEmail", .notNil(.email())))
    }
}

extension NewUser.Address {
    static let requirement = Requirement<NewUser.Address>.all {
        Requirement<NewUser.Address>.at(\.street, named: "street", .length(min: 1, max: 100))
        Requirement<NewUser.Address>.at(
            \.postalCode, named: "postalCode",
            .matches(.literal(#"[\dA-Z][\dA-Z -]{1,9}"#)).because(code: "postal-code", message: "is not a postal code"))
        Requirement<NewUser.Address>.at(\.country, named: "country", .country())
    }
}
