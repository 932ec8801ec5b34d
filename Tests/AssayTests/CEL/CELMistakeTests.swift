import Assay
import Foundation
import Testing

/// The columns of the tests.
let celColumns: [CELVariable] = [
    CELVariable("start_date", .timestamp), CELVariable("end_date", .timestamp), CELVariable("wait", .duration),
    CELVariable("price", .number), CELVariable("count", .int), CELVariable("name", .string), CELVariable("paid", .bool),
    CELVariable("tags", .list(.string)), CELVariable("unit price", .number), CELVariable("address.city", .string),
]

@Suite("CEL: mistakes, with place and suggestion")
struct CELMistakeTests {
    /// A mistake in the form that a user sees.
    struct Expected: Sendable {
        let expression: String
        /// The underlined part.
        let place: String
        let message: String
        let suggestion: String?

        init(_ expression: String, _ place: String, _ message: String, _ suggestion: String? = nil) {
            (self.expression, self.place, self.message, self.suggestion) = (expression, place, message, suggestion)
        }
    }

    /// Column names that are not names in CEL, written as if they were.
    @Test(arguments: [
        Expected("order-date > paid", "order", "there is no column 'order'", "write row[\"order-date\"]"),
        Expected("paid < order-date", "order", "there is no column 'order'", "write row[\"order-date\"]"),
        Expected(
            "paid - order_date > paid", "order_date", "there is no column 'order_date'", "did you mean 'order-date'?"),
    ]) func namesWithHyphens(_ expected: Expected) {
        check(expected, [CELVariable("order-date", .timestamp), CELVariable("paid", .timestamp)])
    }

    @Test(
        "of the time of the run",
        arguments: [
            Expected(
                "end_date < now", "now", "there is no column 'now', and the time of the run is a function",
                "write now()"),
            Expected(
                "end_date < today", "today", "there is no column 'today', and the time of the run is a function",
                "write today()"),
            Expected("now(1) > end_date", "now", "'now' takes no arguments, and there are 1"),
            Expected("end_date.now() > end_date", "now", "'now' is not a method of a value", "write now()"),
            Expected("noww() > end_date", "noww", "there is no function 'noww'", "did you mean 'now'?"),
            Expected(
                "now() > '2024-01-01'", ">", "'>' needs two values of one type, found timestamp and string",
                "write timestamp('2024-01-01T00:00:00Z')"),
            Expected(
                "now() - end_date > 24", ">", "'>' needs two values of one type, found duration and int"),
            Expected(
                "now()", "now()", "the expression must be a bool, and this is timestamp",
                "compare it with something, as in x > 0"),
        ])
    func clock(_ expected: Expected) { check(expected) }

    @Test("a column may be called now")
    func columnsCalledNow() throws {
        let program = try CELProgram(compiling: "now < now()", variables: [CELVariable("now", .timestamp)])
        let time = CELTime(seconds: 0)
        #expect(program.outcome { _ in .value(.timestamp(time)) } == .value(.bool(true)))
    }

    private func check(_ expected: Expected, _ columns: [CELVariable] = celColumns) {
        do {
            _ = try CELProgram(compiling: expected.expression, variables: columns)
            Issue.record("\(expected.expression) has no mistake")
        } catch {
            #expect(error.message == expected.message)
            #expect(error.suggestion == expected.suggestion)
            let bytes = Array(expected.expression.utf8)[error.range]
            #expect(String(decoding: bytes, as: UTF8.self) == expected.place, "\(error.range)")
        }
    }

    @Test(
        "of the syntax",
        arguments: [
            Expected("", "", "the expression is empty"),
            Expected("  // only a comment", "  // only a comment", "the expression is empty"),
            Expected("price >", "", "the expression ends before a value"),
            Expected("price > * 2", "*", "a value is missing before '*'"),
            Expected("(price > 2", "(", "the '(' is never closed", "write ')'"),
            Expected("price in [1, 2", "[", "the '[' is never closed", "write ']'"),
            Expected("size(name", "(", "the '(' is never closed", "write ')'"),
            Expected("(price > 2]", "]", "')' or an operator is missing before ']'"),
            Expected("price > 2)", ")", "an operator is missing before ')'", "remove it, or open it before"),
            Expected("price > 2 and paid", "and", "an operator is missing before 'and'", "write '&&'"),
            Expected("paid or paid", "or", "an operator is missing before 'or'", "write '||'"),
            Expected("price = 2", "=", "'=' is no operator", "write '=='"),
            Expected("paid & paid", "&", "'&' is no operator", "write '&&'"),
            Expected("price <> 2", ">", "a value is missing before '>'", "write '!=' for '<>'"),
            Expected("paid ? 1", "?", "the ':' of this '?' is missing", "write condition ? value : value"),
            Expected("name == 'a", "'", "the text in quotes is never closed"),
            Expected("name == '''a", "'''", "the text in quotes is never closed"),
            Expected(
                "name == 'a\n'", "'", "the text in quotes is not closed on its line",
                "write \\n, or three quotes around several lines"),
            Expected(
                #"name.matches('\d')"#, #"\d"#, #"'\d' is no escape"#,
                #"write \\d, or r before the quotes of a pattern"#),
            Expected(#"name == '\u12'"#, #"\u12'"#, "an escape needs 4 hexadecimal digits here"),
            Expected(#"name == '\uD83D'"#, #"\uD83D"#, #"'\uD83D' is no character of Unicode"#),
            Expected("name == “a”", "“", "'“' is no quotation mark of CEL", "write ' or \""),
            Expected(
                "größe > 2", "größe", "'größe' is no name: names have letters from a to z, digits and '_'",
                "write row[\"größe\"]"),
            Expected("count > 12abc", "12abc", "'12abc' is not a number or a name"),
            Expected("count > 0x", "0x", "'0x' has no digits"),
            Expected(
                "count > 9223372036854775808", "9223372036854775808",
                "the integer 9223372036854775808 does not fit into 64 bits", "write 9223372036854775808.0, a number"),
            Expected(
                "count > -9223372036854775809", "-9223372036854775809",
                "the integer -9223372036854775809 does not fit into 64 bits", "write -9223372036854775809.0, a number"),
            Expected(
                "package == 'a'", "package", "'package' is a reserved word", "write row[\"package\"] for the column"),
            Expected("row.in == 'a'", "in", "a name is missing before 'in'", "write row[\"name\"]"),
            Expected("price # 2", "#", "'#' has no place in an expression"),
            Expected("price \u{1} 2", "\u{1}", "a control character has no place in an expression"),
        ])
    func syntax(expected: Expected) { check(expected) }

    @Test(
        "of names",
        arguments: [
            Expected(
                "start_dat < end_date", "start_dat", "there is no column 'start_dat'", "did you mean 'start_date'?"),
            Expected("row.prise > 2", "prise", "there is no column 'prise'", "did you mean 'price'?"),
            Expected(
                "row['unit prize'] > 2", "'unit prize'", "there is no column 'unit prize'", "did you mean 'unit price'?"
            ),
            Expected("has(nam)", "nam", "there is no column 'nam'", "did you mean 'name'?"),
            Expected("zzzzzz > 1", "zzzzzz", "there is no column 'zzzzzz'"),
            Expected("row == 1", "row", "'row' alone is not a value", "write row[\"name\"] for a column"),
            Expected("row[name] == 1", "name", "the name of a column must be a text in quotes", "write row[\"name\"]"),
            Expected("tags.all(t, has(t))", "t", "'has' needs a column, and 't' is a macro's variable"),
            Expected("has(1)", "1", "'has' needs a column", "write has(name), or has(row[\"name\"])"),
            Expected("sizeof(name) > 2", "sizeof", "there is no function 'sizeof'", "did you mean 'size'?"),
            Expected("length(name) > 2", "length", "there is no function 'length'", "did you mean 'size'?"),
            Expected("name.length() > 2", "length", "there is no function 'length'", "write size(name)"),
            Expected(
                "name.startswith('a')", "startswith", "there is no function 'startswith'",
                "did you mean 'startsWith'?"),
            Expected(
                "startsWith(name, 'a')", "startsWith", "'startsWith' is a method of a value",
                "write x.startsWith('…')"),
            Expected("name.int() > 2", "int", "'int' is written before its value", "write int(name)"),
            Expected(
                "name.length > 2", "length", "CEL's fields of values are not supported in row rules", "write size(name)"
            ),
        ])
    func names(expected: Expected) { check(expected) }

    @Test(
        "of types",
        arguments: [
            Expected(
                "price", "price", "the expression must be a bool, and this is number",
                "compare it with something, as in x > 0"),
            Expected(
                "end_date >= name", ">=", "'>=' needs two values of one type, found timestamp and string",
                "write timestamp(name)"),
            Expected(
                "end_date >= '2024-02-29'", ">=", "'>=' needs two values of one type, found timestamp and string",
                "write timestamp('2024-02-29T00:00:00Z')"),
            Expected(
                "name == count", "==", "'==' needs two values of one type, found string and int", "write int(name)"),
            Expected(
                "price == name", "==", "'==' needs two values of one type, found number and string",
                "write double(name)"),
            Expected("tags < tags", "<", "'<' needs values with an order, which lists do not have"),
            Expected("paid && count", "&&", "'&&' needs two bools, found bool and int"),
            Expected(
                "name || paid", "||", "'||' needs two bools, found string and bool", "compare it, as in name == '…'"),
            Expected("!count", "!", "'!' needs a bool, found int"),
            Expected("-name == 'a'", "-", "'-' needs an int or a number, found string"),
            Expected("name * 2 > 1", "*", "'*' needs two numbers, found string and int", "write int(name)"),
            Expected("price % 2 == 0", "%", "'%' needs two ints, found number and int", "write int(price)"),
            Expected(
                "name + count == 'a'", "+",
                """
                '+' needs two numbers, strings, lists or durations, or a timestamp and a duration, found string and \
                int
                """,
                "write string(count)"),
            Expected("count ? paid : paid", "?", "'?' needs a bool before it, found int"),
            Expected("paid ? name == 'a' : count", "?", "'?' needs two values of one type, found bool and int"),
            Expected("'a' in name", "in", "'in' needs a list behind it, found string", "write name.contains('a')"),
            Expected("1 in tags", "in", "'in' needs a value of the list's type, found int and list(string)"),
            Expected(
                "count in [1, 'a']", "'a'", "the elements of a list need one type, found int and string",
                "write 1 and this in one way"),
            Expected("name[0] == 'a'", "name", "only lists have an index, and this is string"),
            Expected("tags['a'] == 'a'", "'a'", "an index must be an int, and this is string"),
            Expected("size(count) > 1", "count", "'size' needs a string or a list, found int", "write string(count)"),
            Expected("size() > 1", "size", "'size' takes 1 argument, and there are 0"),
            Expected("matches(name)", "matches", "'matches' takes 2 arguments, and there are 1"),
            Expected("name.contains() ", "contains", "'contains' takes 1 argument, and there are 0"),
            Expected(
                "int(paid) > 1", "int", "'int' cannot convert bool", "it takes one of: int, number, string, timestamp"),
            Expected(
                "end_date > timestamp('2024-02-30T00:00:00Z')", "'2024-02-30T00:00:00Z'",
                "'2024-02-30T00:00:00Z' is no timestamp", "write it as in '2024-02-29T12:30:00Z'"),
            Expected(
                "end_date > timestamp('2024-02-29')", "'2024-02-29'", "'2024-02-29' is no timestamp",
                "write it as in '2024-02-29T00:00:00Z'"),
            Expected("wait > duration('1 hour')", "'1 hour'", "'1 hour' is no duration", "write it as in '1h30m'"),
            Expected(
                "name.matches(name)", "name", "the pattern of 'matches' must be a text in quotes",
                "write x.matches(r'…')"),
            Expected("name.matches('a(')", "", "missing closing parenthesis"),
            Expected(
                "name.getHours() > 1", "getHours", "'getHours' needs a timestamp or a duration, found string",
                "write timestamp(name).getHours()"),
            Expected("wait.getMonth() > 1", "getMonth", "'getMonth' needs a timestamp, found duration"),
            Expected(
                "end_date.getHours('Mars') > 1", "'Mars'", "there is no time zone 'Mars'",
                "write an offset, as in '+01:00', or a name, as in 'Europe/Berlin'"),
            Expected(
                "end_date.getHours(name) > 1", "name", "the time zone must be a text in quotes",
                "write an offset, as in '+01:00', or a name, as in 'Europe/Berlin'"),
            Expected("count.trim() == ''", "count", "'trim' needs a string, found int", "write string(count)"),
            Expected("name.charAt('0') == ''", "'0'", "'charAt' needs an int, found string"),
            Expected("trim(name) == ''", "trim", "'trim' is a method of a value", "write x.trim()"),
            Expected("name.trimm() == ''", "trimm", "there is no function 'trimm'", "did you mean 'trim'?"),
            Expected("name.join('') == ''", "name", "'join' needs a list(string), found string"),
            Expected("[1].join() == ''", "[1]", "'join' needs a list(string), found list(int)"),
            Expected("name.replace('a') == ''", "replace", "'replace' takes 2 to 3 arguments, and there are 1"),
            Expected("math.least() > 1", "least", "'least' takes at least 1 argument, and there are 0"),
            Expected(
                "end_date.getHours('Z', 'Z') > 1", "getHours", "'getHours' takes up to 1 argument, and there are 2"),
            Expected("math.abs(name) > 1", "name", "'math.abs' needs numbers, found string"),
            Expected("math.least(1, paid) > 1", "paid", "'math.least' needs numbers, found bool"),
            Expected("math.least(tags) > 1", "tags", "'math.least' needs numbers, found list(string)"),
            Expected("sets.contains(tags, name)", "name", "'sets.contains' needs lists, found string"),
            Expected(
                "sets.contains(tags, [1])", "contains",
                "'sets.contains' needs lists of one type, found list(string) and list(int)"),
            Expected("name.sort() == []", "name", "'sort' needs a list, found string"),
            Expected(
                "[[1]].sort() == []", "[[1]]", "'sort' needs elements that have an order, found list(int)"),
            Expected(
                "isFormat(name, 'emial')", "'emial'", "unknown format 'emial' of a string", "did you mean 'email'?"),
            Expected(
                "isFormat(name, name)", "name", "the format of 'isFormat' must be a text in quotes",
                "write isFormat(x, 'email')"),
            Expected("name.all(x, true)", "all", "'all' needs a list, found string"),
            Expected("tags.all(row, true)", "row", "'row' is the record", "write all(x, …)"),
            Expected("tags.all(1, true)", "1", "'all' begins with a name for the elements", "write all(x, …)"),
            Expected("tags.all(t, t)", "t", "'all' needs a bool here, found string"),
            Expected("tags.all(t)", "all", "'all' takes 2 arguments, and there are 1"),
        ])
    func types(expected: Expected) { check(expected) }

    @Test(
        "unsupported features are refused by name",
        arguments: [
            Expected(
                "1u == 1u", "1u", "CEL's unsigned integers are not supported in row rules",
                "write an integer without 'u'"),
            Expected("b'a' == b'a'", "b'a'", "CEL's bytes are not supported in row rules"),
            Expected(
                "name == null", "null", "CEL's null is not supported in row rules",
                "write !has(x) for a column without a value"),
            Expected(
                "{'a': 1}['a'] == 1", "{'a': 1}", "CEL's maps are not supported in row rules",
                "write a list, or row[\"name\"] for a column"),
            Expected("a.b.C{x: 1} == 1", "a.b.C{x: 1}", "CEL's messages are not supported in row rules"),
            Expected(
                "type(name) == string", "type", "'type' is not supported in row rules: it belongs to CEL's type values",
                "the types of the columns are those of the fields"),
            Expected(
                "name == string", "string", "CEL's type values are not supported in row rules",
                "the types of the columns are those of the fields"),
            Expected(
                "dyn(name) == 'a'", "dyn", "'dyn' is not supported in row rules: it belongs to CEL's dynamic values",
                "the types of the columns are those of the fields"),
            Expected(
                "name.?first == 'a'", "name.?first", "CEL's optional values are not supported in row rules",
                "has(x) tests whether a column has a value"),
            Expected(
                "tags[?0] == 'a'", "tags[?0]", "CEL's optional values are not supported in row rules",
                "has(x) tests whether a column has a value"),
            Expected(
                "tags.all(i, t, t != '')", "all", "CEL's two-variable macros are not supported in row rules",
                "write all, exists, exists_one, map or filter with one variable"),
            Expected(
                "name.format([1]) == 'A'", "format",
                "'format' is not supported in row rules: it belongs to CEL's string formats"),
            Expected(
                "math.isNaN(price)", "math.isNaN",
                "'math.isNaN' is not supported in row rules: it belongs to CEL's functions of binary numbers"),
            Expected(
                "sets.union(tags, tags) == []", "sets.union",
                "'sets.union' is not supported in row rules: it belongs to CEL's set extensions",
                "write all, exists or in"),
            Expected("price < 1e40", "1e40", "CEL's numbers of more than 38 digits are not supported in row rules"),
        ])
    func refusals(expected: Expected) { check(expected) }

    /// Copies of a text, between others.
    struct Long: CustomTestStringConvertible, Sendable {
        var start = ""
        let text: String
        let count: Int
        var end = ""

        var expression: String { start + String(repeating: text, count: count) + end }
        var testDescription: String { "\(start)\(text)… \(count) times" }
    }

    @Test(
        "an expression that is too large is a mistake that is found early",
        arguments: [
            Long(text: "(", count: 200_000), Long(text: "(", count: 60_000), Long(text: "[", count: 60_000),
            Long(text: "!", count: 60_000), Long(text: "{1:", count: 20_000),
            Long(start: "paid", text: "?paid", count: 10_000),
            Long(text: "paid ? paid : ", count: 4_000, end: "paid"),
            Long(start: "count", text: "+1", count: 30_000), Long(start: "name", text: ".a", count: 30_000),
            Long(start: "tags", text: "[0]", count: 20_000), Long(text: "size(", count: 10_000),
            Long(text: "a", count: 1 << 20), Long(start: "name == '", text: "a", count: 1 << 20, end: "'"),
        ])
    func tooLarge(long: Long) {
        #expect(throws: CELMistake.self) { try CELProgram(compiling: long.expression, variables: celColumns) }
    }

    @Test("long chains of methods are checked in linear time")
    func chains() throws {
        let calls = String(repeating: ".reverse().trim().replace('a', 'b')", count: 15)
        #expect((try? CELProgram(compiling: "name\(calls) == name", variables: celColumns)) != nil)
        let lists = String(repeating: ".reverse().distinct()", count: 25)
        #expect((try? CELProgram(compiling: "tags\(lists) == tags", variables: celColumns)) != nil)
    }

    @Test("the deepest expressions run on the small stack of a thread")
    func deep() {
        let sums = "count" + String(repeating: "+1", count: 190) + " > 0"
        let expressions = [
            String(repeating: "(", count: 58) + "paid" + String(repeating: ")", count: 58),
            String(repeating: "paid ? paid : ", count: 58) + "paid", sums,
            String(repeating: "[", count: 58) + String(repeating: "]", count: 58) + " == []",
            (0..<3_000).map { "count != \($0)" }.joined(separator: " && "),
            (0..<58).reduce("true") { body, depth in "tags.all(t\(depth), \(body))" },
        ]
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            for expression in expressions {
                do {
                    let program = try CELProgram(compiling: expression, variables: celColumns)
                    _ = program.outcome { celColumns[$0].type == .bool ? .value(.bool(false)) : .absent }
                } catch {
                    Issue.record("\(error): \(String(expression.prefix(40)))")
                }
            }
            done.signal()
        }
        // Without optimization, frames are about four times as large.
        thread.stackSize = 2 << 20
        thread.start()
        done.wait()
    }
}
