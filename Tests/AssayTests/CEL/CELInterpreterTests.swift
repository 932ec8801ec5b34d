import Assay
import Testing

@Suite("CEL: values of expressions")
struct CELInterpreterTests {
    /// One row of the columns of the tests.
    private static let row: [String: CELValue] = [
        "start_date": .timestamp(CELTime(seconds: 1_709_208_000)),
        "end_date": .timestamp(CELTime(seconds: 1_709_294_400)),
        "wait": .duration(CELTime(seconds: 90)), "price": .number(CELNumber(coefficient: 1_999, scale: 2)),
        "count": .int(3), "name": .string("Žofie"), "paid": .bool(true),
        "tags": .list([.string("new"), .string("red")]), "unit price": .number(CELNumber(coefficient: 5, scale: 1)),
        "address.city": .string("Brno"),
    ]

    /// Runs an expression on the row, with some columns replaced by missing values.
    private func outcome(
        of expression: String, without missing: [String: CELOutcome] = [:], mustBe type: CELType? = nil
    ) throws -> CELOutcome {
        let program = try CELProgram(compiling: expression, variables: celColumns, mustBe: type)
        return program.outcome { index in
            let name = celColumns[index].name
            return missing[name] ?? Self.row[name].map { .value($0) } ?? .absent
        }
    }

    @Test(
        "true",
        arguments: [
            "end_date >= start_date", "end_date - start_date == duration('24h')", "start_date + wait < end_date",
            "wait + start_date == start_date + wait", "price * 2 > 39", "price * count == 59.97", "price == 19.990",
            "count / 2 == 1", "count / 2.0 == 1.5", "-count == -3", "7 % -4 == 3", "-7 / 2 == -3",
            "count in [1, 2.5, 3]", "price in [19.99]", "[1, 2] == [1.0, 2]", "[count] == [3.0]",
            "tags.map(t, size(t)) == [3.0, 3.0]", "tags.map(t, size(t)) + [1.5] == [3, 3, 1.5]", "[[]] != [[1]]",
            "row['unit price'] == 0.5", "row.price > 1", "row.address.city == 'Brno' || true", "address.city == 'Brno'",
            "row['address.city'].startsWith('B')", ".price > 1",
            "has(price) && has(row.price) && has(row['unit price'])",
            "size(name) == 5", "name.size() == 5", "size(tags) == 2", "'Z\\u030Cofie' != name", "'\\u017Dofie' == name",
            "name.startsWith('Ž') && name.endsWith('ie') && name.contains('of')", "!name.contains('foe')",
            "''.contains('') && !''.contains('a') && 'aab'.contains('ab')",
            "name.matches('^Ž') && matches(name, r'\\w$')",
            "!name.matches('^of')", "tags[0] == 'new'", "tags.exists(t, t == 'red') && tags.all(t, t.size() == 3)",
            "tags.exists_one(t, t < 'p')", "tags.filter(t, t > 'p') == ['red']", "tags.map(t, t + '!')[1] == 'red!'",
            "tags.map(t, t != 'new', t.size()) == [3]", "[1, 2].all(price, price < 3) && price > 3",
            "[1].all(price, .price > 3)", "[1, 2].all(x, [3, 4].all(y, x < y && [x, y].exists(z, z == y)))",
            "[].all(x, x > 1) && ![].exists(x, x.startsWith('a')) && [].map(x, x + 1) == []",
            "[].all(x, end_date - x == x + start_date && x - end_date < x && -x % 2 == 1 && x)",
            "paid ? count == 3 : count / 0 == 1", "paid == true && paid > false", "int('-5') == -5",
            "string(price) == '19.99' && string(count) == '3' && string(paid) == 'true'", "string(wait) == '90s'",
            "string(start_date) == '2024-02-29T12:00:00Z'", "double('1e2') == 100", "int(price) == 19",
            "timestamp(1709208000) == start_date && int(start_date) == 1709208000", "bool('True')",
            "timestamp(string(start_date)) == start_date && duration(string(wait)) == wait",
            "start_date.getFullYear() == 2024 && start_date.getMonth() == 1 && start_date.getDate() == 29",
            "start_date.getHours('+01:00') == 13 && start_date.getHours('02:30') == 14", "wait.getMinutes() == 1",
            "'b' > 'a' && 'Z' < 'a' && '\\U0001F431' > '\\uFFFD'", "0x10 == 16 && 1e3 == 1000 && .5 == 0.5",
            "size('''a\nb''') == 3 && size(r'\\d') == 2", "count > 2 // a comment", "!!paid && - -count == 3",
            "' Žofie\\u2003'.trim() == name && name.upperAscii() == 'ŽOFIE' && name.reverse() == 'eifoŽ'",
            "'a-b-c'.split('-') == ['a', 'b', 'c'] && 'a-b-c'.split('-', 2) == ['a', 'b-c'] && ''.split('-') == ['']",
            "'Žof'.split('') == ['Ž', 'o', 'f'] && ''.split('') == [] && 'a-b'.replace('-', '+') == 'a+b'",
            "'Žo'.replace('', '.') == '.Ž.o.' && 'aaa'.replace('a', 'b', 2) == 'bba'",
            "'aa'.replace('', '-', 1) == '-aa'",
            "'aaa'.lastIndexOf('aa') == 1 && name.indexOf('e') == 4 && name.indexOf('x') == -1",
            "tags.join('+') == 'new+red'",
            "name.substring(1) == 'ofie' && name.substring(0, 1) == 'Ž' && name.charAt(5) == ''",
            "name.charAt(0) == 'Ž'",
            "math.abs(-count) == 3 && math.abs(-price) == price && math.greatest(1, price, 3) == 19.99",
            "math.least([count, 1]) == 1 && math.sign(-price) == -1 && math.ceil(price) == 20",
            "math.floor(-price) == -20",
            "math.round(2.5) == 3 && math.round(-2.5) == -3 && math.round(2.49) == 2 && math.trunc(-price) == -19",
            "[2, 1, 2].distinct() == [2, 1] && ['b', 'a'].sort() == ['a', 'b'] && tags.reverse()[0] == 'red'",
            "[1, 2, 3].slice(1, 3) == [2, 3] && [1].slice(1, 1) == [] && sets.contains(tags, ['red'])",
            "!sets.contains(tags, ['blue']) && sets.equivalent([1, 1, 2], [2.0, 1.0]) && !sets.intersects(tags, [])",
            "isFormat('a@example.com', 'email') && !isFormat(name, 'email') && isFormat('DE', 'country')",
        ])
    func holds(expression: String) throws {
        #expect(try outcome(of: expression, mustBe: .bool) == .value(.bool(true)))
    }

    @Test("time zones have names", .enabled(if: ZoneOffsets(named: "Europe/Berlin") != nil, "no time zones here"))
    func zones() throws {
        let expression = "start_date.getHours('Europe/Berlin') == 13 && start_date.getDate('Pacific/Kiritimati') == 1"
        #expect(try outcome(of: expression) == .value(.bool(true)))
    }

    @Test(
        "undecided",
        arguments: [
            "count / 0 == 1", "count % 0 == 1", "price / 0 > 1", "9223372036854775807 + count > 0",
            "-(-9223372036854775808 + 0) > 0", "tags[2] == 'a'", "tags[-1] == 'a'", "int(name) > 1",
            "double(name) > 1", "bool(name)", "timestamp(name) < end_date", "duration(name) < wait",
            "end_date + duration('290y'.size() > 0 ? string(wait) + 'x' : '1s') > end_date",
            "int(price * 1000000000000000000.0 * 1000) > 0", "tags.map(t, 1 / (size(t) - 3)) == [1]",
            "timestamp('9999-12-31T23:59:59Z') + wait > end_date",
            "timestamp('0001-01-01T00:00:00Z') - end_date < wait",
            "name.charAt(6) == ''", "name.charAt(-1) == ''", "name.substring(3, 2) == ''", "name.substring(6) == ''",
            "name.indexOf('e', 6) == -1", "name.lastIndexOf('e', -1) == -1", "tags.slice(1, 3) == []",
            "math.greatest([]) > 0", "math.abs(-9223372036854775808) > 0",
            "[1, 0].all(x, 1 / x > 0)", "[0, 1].exists(x, 1 / x > 1)", "[0, 1].exists_one(x, 1 / x > 0)",
            "[0, 1].filter(x, 1 / x > 0) == []", "[1 / (count - 3)].all(x, true)",
            "[1 / (count - 3), 2].exists(x, x == 2)", "[1, 1 / (count - 3)].all(x, x > 1)",
            "[[1 / (count - 3)]].all(l, true)", "[[1], [2, 1 / (count - 3)]].exists(l, l == [1])",
            "[[1 / (count - 3)] + [1]].all(l, true)", "[int(name)].exists(x, true)",
            "[1 / (count - 3)].exists_one(x, true)", "[1 / (count - 3), 1].filter(x, x == 1) == [1]",
            "[1 / (count - 3), 1].map(x, 1) == [1, 1]", "1 in [1, 1 / (count - 3)]", "size([1 / (count - 3)]) == 1",
            "[1, 1 / (count - 3)][0] == 1", "[1].all(x, [1 / (x - 1)].all(y, true))",
            "(paid ? [1 / (count - 3)] : [1]).all(x, true)",
            "name.matches('(a|aa)+$') && count / 0 == 1 || count / 0 == 1",
        ])
    func undecided(expression: String) throws {
        #expect(try outcome(of: expression, mustBe: .bool) == .undecided)
    }

    @Test(
        "a missing cell, and one that is undecided",
        arguments: [
            ("price > 1", .absent), ("count > 1", .undecided), ("price > count", .absent), ("count > price", .absent),
            ("price > 1 || paid", .value(.bool(true))), ("paid || price > 1", .value(.bool(true))),
            ("price > 1 && !paid", .value(.bool(false))), ("price > 1 && paid", .absent),
            ("count > 1 && price > 1", .undecided), ("count > 1 || price > 1", .undecided),
            ("count > 1 && paid", .undecided),
            ("has(price)", .value(.bool(false))), ("has(count)", .value(.bool(true))),
            ("!has(price) || price > 1", .value(.bool(true))), ("has(price) && price > 1", .value(.bool(false))),
            ("has(price) ? price > 1 : paid", .value(.bool(true))), ("paid ? paid : price > 1", .value(.bool(true))),
            ("price > 1 ? paid : paid", .absent), ("count > 1 ? paid : price > 1", .undecided),
            ("[1.0, price] == [1.0]", .absent), ("price in [1.0, 2.0]", .absent), ("1.0 in [count, price]", .absent),
            ("tags.exists(t, price > 1 || t == 'red')", .value(.bool(true))), ("tags.all(t, price > 1)", .absent),
            ("tags.all(t, t == 'new' ? count > 1 : price > 1)", .undecided), ("tags.map(t, price) == []", .absent),
            ("tags.filter(t, t == 'new' ? price > 1 : count > 1) == []", .absent), ("-price < 0", .absent),
            ("[-1.0, price].all(x, x >= 0)", .value(.bool(false))),
            ("[price, -1.0].all(x, x >= 0)", .value(.bool(false))),
            ("[1.0, price].all(x, x >= 0)", .absent), ("[price, 1.0].exists(x, x >= 0)", .value(.bool(true))),
            ("[price, -1.0].exists(x, x >= 0)", .absent), ("[price, double(count)].all(x, x >= 0)", .undecided),
            ("[double(count), price].exists(x, x >= 0)", .undecided), ("[price].all(x, paid)", .value(.bool(true))),
            ("[price, 1.0].exists(x, [x, 2.0].all(y, x == y))", .absent),
            ("[price, 2.0].exists(x, [x, 2.0].all(y, x == y))", .value(.bool(true))),
            ("[1.0, price].exists_one(x, x > 0)", .absent), ("[1.0, price].filter(x, x > 0) == [1.0]", .absent),
        ] as [(String, CELOutcome)])
    func absent(expression: String, expected: CELOutcome) throws {
        #expect(try outcome(of: expression, without: ["price": .absent, "count": .undecided]) == expected)
    }

    @Test("the work of one row is bounded", .timeLimit(.minutes(1)))
    func budget() throws {
        let digits = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
        let nested = (0..<8).reduce("true") { body, depth in "\(digits).all(x\(depth), \(body))" }
        #expect(try outcome(of: "\(nested) || true") == .exhausted(.work))
        let doubled = (0..<40).reduce("[name]") { list, _ in "\(list).map(s, s + s)" }
        #expect(try outcome(of: "\(doubled) == []") == .exhausted(.memory))
        let lists = (0..<40).reduce("[tags]") { list, _ in "\(list).map(l, l + l)" }
        #expect(try outcome(of: "\(lists) == []") == .exhausted(.memory))
        let shared = (0..<40).reduce("[tags]") { list, _ in "\(list).map(l, [l, l])" }
        #expect(try outcome(of: "\(shared) == \(shared)") == .exhausted(.work))
        let few = (0..<4).reduce("true") { body, depth in "\(digits).all(x\(depth), \(body))" }
        #expect(try outcome(of: few) == .value(.bool(true)))
    }
}
