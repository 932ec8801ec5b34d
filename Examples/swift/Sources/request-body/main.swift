import Assay
import Foundation

// swift run request-body < order.json
// Prints every mistake of an order with its place. The exit status is 1 if there are any.

struct Order: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        var sku: String
        var quantity: Int
    }
    var email: String
    var items: [Item]
    var isGift: Bool
    var giftNote: String?
}

let item = Requirement<Order.Item>.all {
    Requirement<Order.Item>.at(
        \.sku, named: "sku",
        .matches(.literal(#"[A-Z]{3}-\d{4}"#)).because(code: "sku", message: "is not an article number"))
    Requirement<Order.Item>.at(\.quantity, named: "quantity", .inRange(1...99))
}

let order = Requirement<Order>.all {
    Requirement<Order>.at(\.email, named: "email", .email)
    Requirement<Order>.at(\.items, named: "items", .notEmpty() && .count(max: 50) && .each(item))
    Requirement<Order>.when(.require(\.isGift), .at(\.giftNote, named: "giftNote", .notNil(.maxLength(200))))
}

do {
    let decoded = try JSONDecoder().decode(Order.self, from: FileHandle.standardInput.readToEnd() ?? Data())
    let reasons = order.failures(in: decoded, limit: 20)
    for reason in reasons { print("\(reason.path): \(reason.message)") }
    exit(reasons.isEmpty ? 0 : 1)
} catch {
    print("this is not an order: \(error)")
    exit(1)
}
