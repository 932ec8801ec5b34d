import Foundation
import Testing

@testable import Assay

@Suite("Shorter spellings of requirements, and the names of parts")
struct RequirementNameTests {
    @Test("lengths and counts in ranges accept the same values as those with bounds")
    func ranges() throws {
        typealias Text = Requirement<String>
        let texts: [(Text, Text)] = [
            (.length(3...5), .length(min: 3, max: 5)), (.length(3..<5), .length(min: 3, max: 4)),
            (.length(3...), .minLength(3)), (.length(...5), .maxLength(5)),
            (.length(0..<5), .length(min: 0, max: 4)), (.length(0...Int.max), .length(min: 0, max: .max)),
            (.length(2...4, in: .utf8), .length(min: 2, max: 4, in: .utf8)),
            (.count(3...5), .length(min: 3, max: 5)), (.count(3...), .minLength(3)),
        ]
        for (short, long) in texts {
            #expect(short.check == long.check)
            for count in 0...7 {
                for value in [String(repeating: "a", count: count), String(repeating: "é", count: count)] {
                    #expect(short.evaluate(value) == long.evaluate(value), "\(short) \(value)")
                }
            }
        }
        typealias List = Requirement<[Int]>
        let lists: [(List, List)] = [
            (.count(1...3), .count(min: 1, max: 3)), (.count(2...), .count(min: 2)),
            (.count(...2), .count(max: 2)), (.count(1..<3), .count(min: 1, max: 2)),
        ]
        for (short, long) in lists {
            for count in 0...4 {
                let value = Array(repeating: 0, count: count)
                #expect(short.evaluate(value) == long.evaluate(value), "\(short) \(value)")
            }
        }
        #expect(Text.length(3..<3).evaluate("abc").reason?.isUndecided == true)
        #expect(List.count(0..<0).evaluate([]).reason?.isUndecided == true)

        typealias Number = Requirement<Int>
        for value in -1...4 {
            #expect(Number.range(0...3).evaluate(value) == Number.inRange(0...3).evaluate(value))
            #expect(Number.range(0..<3).evaluate(value) == Number.inRange(0..<3).evaluate(value))
            #expect(Number.range(1...).evaluate(value) == Number.inRange(1...).evaluate(value))
            #expect(Number.range(...1).evaluate(value) == Number.inRange(...1).evaluate(value))
            #expect(Number.range(..<1).evaluate(value) == Number.inRange(..<1).evaluate(value))
        }
    }

    @Test("prefixes, suffixes and parts agree with Swift's on texts without equivalent spellings")
    func literals() throws {
        let hostile = [
            "", "a", "ab", "aba", "\\", "\\E", "\\Q", "\\E\\Q", "a\\Eb", "\\\\E", "E", ".*", "(", "[", "\n", "a\n",
            "\0",
            "$", "^", "é", "\u{301}", "E\u{301}", "\\E\u{301}", "\\z", "\\A", "👩‍👩‍👧", "ab\\",
        ]
        for part in hostile {
            let prefix = Requirement<String>.hasPrefix(part)
            let suffix = Requirement<String>.hasSuffix(part)
            let contains = Requirement<String>.contains(part)
            for requirement in [prefix, suffix, contains] {
                let check = try #require(requirement.check)
                let read = try Requirement<String>(check)
                #expect(TextClass(check) != nil)
                #expect(read.evaluate("-").reason?.rule == requirement.evaluate("-").reason?.rule, "\(part)")
            }
            #expect(prefix.evaluate("#").reason?.parameters["prefix"] == (part.isEmpty ? nil : .text(part)))
            for before in hostile {
                for after in hostile {
                    let value = before + part + after
                    let (bytes, of) = (Array(value.utf8), Array(part.utf8))
                    #expect(prefix.evaluate(value).isConfirmed == bytes.starts(with: of), "\(value) \(part)")
                    #expect(suffix.evaluate(value).isConfirmed == bytes.suffix(of.count).elementsEqual(of))
                    #expect(contains.evaluate(value).isConfirmed)
                }
                let isInside = Array(before.utf8).firstRange(of: Array(part.utf8)) != nil || part.isEmpty
                #expect(contains.evaluate(before).isConfirmed == isInside, "\(before) \(part)")
            }
        }
    }

    @Test("classes of characters, formats, lists, multiples and finite numbers")
    func others() throws {
        typealias Text = Requirement<String>
        for (value, isAlphanumeric, isASCII) in [
            ("", true, true), ("aZ09", true, true), ("é", true, false), ("e\u{301}", true, false), ("٣", true, false),
            ("a b", false, true), ("a_", false, true), ("a\n", false, true), ("\0", false, true),
            ("\u{7F}", false, true),
            ("\u{80}", false, false), ("½", true, false),
        ] {
            #expect(Text.alphanumeric.evaluate(value).isConfirmed == isAlphanumeric, "\(value.debugDescription)")
            #expect(Text.ascii.evaluate(value).isConfirmed == isASCII, "\(value.debugDescription)")
        }
        #expect(Text.email.check == Text.email().check && Text.url.check == Text.url().check)
        #expect(Text.pattern("[a-z]+").check == Text.matches(pattern: "[a-z]+").check)
        let spellings = ["é", "e\u{301}"]
        for value in spellings {
            #expect(Text.in(spellings).evaluate(value).isConfirmed)
            #expect(Requirement<Substring>.in(spellings.map { $0[...] }).evaluate(value[...]).isConfirmed)
            #expect(Text.in([value]).evaluate("é").isConfirmed == (value == spellings[0] && value.utf8.count == 2))
        }
        #expect(Requirement<Int>.in([]).evaluate(1).reason != nil)
        #expect(Text.in(["a", "b"]).evaluate("b").isConfirmed && !Text.in(["a", "b"]).evaluate("c").isConfirmed)
        #expect(
            Requirement<Int>.in([1, 2]).evaluate(2).isConfirmed && !Requirement<Int>.in([1]).evaluate(2).isConfirmed)

        for divisor in [-5, -1, 1, 2, 5, Int.max, Int.min] {
            for value in [0, 1, -1, 5, -10, 11, Int.min, Int.max, Int.min + 1] {
                let isMultiple = value.isMultiple(of: divisor)
                #expect(Requirement<Int>.multiple(of: divisor).evaluate(value).isConfirmed == isMultiple)
            }
        }
        #expect(Requirement<Int>.multiple(of: 0).evaluate(0).reason?.isUndecided == true)
        let five = Requirement<UInt8>.multiple(of: 5)
        #expect(five.evaluate(7).reason?.message == "Must be a multiple of 5")
        let read = try Requirement<UInt8>(try #require(five.check))
        for value in UInt8.min...UInt8.max { #expect(five.evaluate(value) == read.evaluate(value)) }

        for value in [0, -1, Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity, -.infinity, .nan] {
            #expect(Requirement<Double>.isFinite.evaluate(value).isConfirmed == value.isFinite)
            let read = try Requirement<Double>(try #require(Requirement<Double>.isFinite.check))
            #expect(read.evaluate(value) == Requirement<Double>.isFinite.evaluate(value))
        }
        #expect(Requirement<Float>.isFinite.evaluate(.infinity).reason?.message == "Must be a finite number")
        #expect("\(Requirement<Float>.isFinite)" == "a finite number")
        #expect(Requirement<Double>.inRange(0 ... .greatestFiniteMagnitude).evaluate(-1).reason?.rule == "number.range")
    }

    @Test("each rule has a message in each shipped language", arguments: ["en", "ru", "ja", "zh", "pt"])
    func messages(language: String) throws {
        typealias Text = Requirement<String>
        let reasons =
            [Text.alphanumeric, .ascii, .hasPrefix("§1"), .hasSuffix("§1"), .contains("§1")]
            .map { $0.evaluate("·").reason } + [Requirement<Double>.isFinite.evaluate(.nan).reason]
        for reason in reasons {
            let text = try #require(reason).message(in: language)
            #expect(!text.contains("{"))
            #expect(reason?.parameters.isEmpty == true || text.contains("§1"))
            #expect(language == "en" || text != reason?.message(in: "en"))
        }
    }

    private struct Address: Sendable {
        var city = ""
        var lines = ["", "x"]
    }

    private struct User: Sendable {
        var name = ""
        var nickname: String? = ""
        var address = Address()
        var other: Address? = Address()
        var full: String { name }
    }

    @Test("a part without a name has the name of its property")
    func parts() {
        func paths(_ requirement: Requirement<User>) -> [String] {
            requirement.failures(in: User()).map(\.path.description)
        }
        #expect(paths(.at(\.name, .notEmpty())) == ["name"])
        #expect(paths(.at(\.name, named: "n", .notEmpty())) == ["n"])
        #expect(paths(.at(\.address.city, .notEmpty())) == ["address.city"])
        #expect(paths(.at(\.address, .at(\.city, .notEmpty()))) == ["address.city"])
        #expect(paths(.at(\.other?.city, .notNil(.notEmpty()))) == ["other.city"])
        #expect(paths(.at(\.address.lines, .each(.notEmpty()))) == ["address.lines[0]"])
        // Swift knows the name of a stored property only; a value without a name is at the place of the whole.
        #expect(paths(.at(\.self, .at(\.name, .notEmpty()))) == ["name"])
        #expect(paths(.at(\.address.lines[0], .notEmpty())) == [""])
        #expect([[""], ["full"]].contains(paths(.at(\.full, .notEmpty()))))
        #expect(
            Requirement<[User]>.each(.at(\.name, .notEmpty())).failures(in: [User()]).map(\.path.description)
                == ["[0].name"])
        #expect(Requirement<[String]>.at(\.count, .greaterThan(0)).failures(in: []).map(\.path.description).count == 1)
    }

    @Test("a requirement of a value is one of an optional value, which may be nil")
    func optionals() {
        let nickname = Requirement<User>.at(\.nickname, .ifPresent(.length(3...)))
        #expect(nickname.evaluate(User(nickname: nil)).isConfirmed)
        #expect(nickname.evaluate(User(nickname: "anna")).isConfirmed)
        #expect(nickname.failures(in: User()).map(\.path.description) == ["nickname"])
        #expect(Requirement<User>.at(\.nickname, .notNil()).failures(in: User(nickname: nil)).count == 1)
        let text = Requirement<String?>(.length(3...))
        #expect(text.evaluate(nil).isConfirmed && text.evaluate("abc").isConfirmed && !text.evaluate("a").isConfirmed)
    }
}
