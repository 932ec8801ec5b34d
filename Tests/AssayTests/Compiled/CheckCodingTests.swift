import Assay
import Foundation
import Testing

@Suite("Checks as JSON") struct CheckCodingTests {
    static let checks: [(Check, String)] = [
        (.type(.integer), #"{"type":"integer"}"#),
        (
            .type(ValueType(.number, decimalChar: ",", isBareNumber: false)),
            #"{"bareNumber":false,"decimalChar":",","type":"number"}"#
        ),
        (.length(min: 8, max: nil, in: .characters), #"{"lengthUnit":"characters","minLength":8}"#),
        (.length(min: nil, max: 3, in: .utf8), #"{"lengthUnit":"utf8","maxLength":3}"#),
        (.length(min: nil, max: nil, in: .scalars), #"{"lengthUnit":"scalars","minLength":null}"#),
        (.count(min: 1, max: 2, as: .list), #"{"as":{"type":"list"},"maxLength":2,"minLength":1}"#),
        (.count(min: nil, max: nil, as: .array), #"{"as":{"type":"array"},"minLength":null}"#),
        (.matches(pattern: "a+"), #"{"pattern":"a+"}"#),
        (
            .matches(pattern: "a", options: [.search, .caseInsensitive]),
            #"{"options":["caseInsensitive","search"],"pattern":"a"}"#
        ),
        (.oneOf(["a", "b"]), #"{"enum":["a","b"]}"#),
        (.oneOf([], as: .integer), #"{"as":{"type":"integer"},"enum":[]}"#),
        (
            .range(min: Bound("1"), max: Bound("9", isExclusive: true), as: .integer),
            #"{"as":{"type":"integer"},"exclusiveMaximum":"9","minimum":"1"}"#
        ),
        (.range(min: Bound("0", isExclusive: true), max: nil, as: .number), #"{"exclusiveMinimum":"0"}"#),
        (.range(min: nil, max: nil, as: .date), #"{"as":{"type":"date"},"minimum":null}"#),
        (.multiple(of: "5"), #"{"multipleOf":"5"}"#),
        (.jsonType([.string, .null]), #"{"jsonType":["string","null"]}"#),
        (.all([]), #"{"all":[]}"#),
        (.any([.not(.oneOf(["x"]))]), #"{"any":[{"not":{"enum":["x"]}}]}"#),
        (
            .when(.matches(pattern: "a"), then: .all([.type(.string)])),
            #"{"then":{"all":[{"type":"string"}]},"when":{"pattern":"a"}}"#
        ),
    ]

    @Test(arguments: checks) func roundTrip(_ check: Check, _ text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(check), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(Check.self, from: Data(text.utf8)) == check)
    }

    @Test func mistakes() {
        for text in [
            #"{}"#, #"{"pattern": "a", "options": ["serach"]}"#, #"{"type": "strnig"}"#,
            // Keys of several checks, one of which would be lost.
            #"{"minLength": 8, "pattern": "x"}"#, #"{"type": "string", "minLength": 3}"#,
            #"{"minimum": "3", "exclusiveMinimum": "5"}"#, #"{"all": [], "any": []}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Check.self, from: Data(text.utf8)) }
        }
    }
}
