import Assay
import AssayRules

/// The body of `POST /users`, with its rules.
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
    /// The rules of the body, compiled once and used by concurrent requests. The ids of rules are the codes of errors.
    /// A valid body can be decoded.
    static let rules: Schema.Compiled = {
        let rules = """
            fields:
              - {name: email, format: email, constraints: {required: true}}
              - {name: name, format: person-name, constraints: {required: true, maxLength: 80}}
              - {name: tags, type: array, constraints: {maxLength: 10}}
              - {name: "tags[]", format: slug, constraints: {required: true}}
              - {name: addresses, type: array, constraints: {required: true, minLength: 1, maxLength: 5}}
              - {name: "addresses[].street", constraints: {required: true, maxLength: 100}}
              - name: addresses[].postalCode
                constraints: {required: true}
                rules: [{id: postal-code, pattern: '[\\dA-Z][\\dA-Z -]{1,9}', message: is not a postal code}]
              - {name: "addresses[].country", format: country, constraints: {required: true}}
              - {name: newsletter, type: boolean, constraints: {required: true}}
              - {name: newsletterEmail, format: email}
            rows:
              - id: newsletter-email
                check: '!newsletter || has(newsletterEmail)'
                message: A newsletter needs an e-mail address
            """
        do {
            return try RuleFile.parse(Array(rules.utf8), name: "NewUser").compiled()
        } catch {
            fatalError("\(error)")
        }
    }()
}
