import Assay

/// Generates expressions over the columns of the tests, and rows. The results depend only on the seed.
struct CELExpressionGenerator {
    private var random: SeededGenerator
    /// The variables of the enclosing macros, with their types.
    private var locals: [(name: String, type: CELType)] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// An expression of a type.
    mutating func expression(of type: CELType = .bool, depth: Int = 4) -> String {
        if depth == 0 || below(8) == 0 { return leaf(of: type) }
        if case .list(let element) = type { return list(of: element, depth) }
        if type == .bool && below(8) == 0 {
            return macro(pick(["all", "exists", "exists_one"]), of: pick(Self.scalars), body: .bool, depth)
        }
        return expanded(pick(Self.productions[type, default: ["[][0]"]] + ["($b ? $0 : $0)", "$l[$i]"]), type, depth)
    }

    private static let scalars: [CELType] = [.bool, .int, .number, .string, .timestamp, .duration]

    /// The productions of each type: `$b` is a bool, `$i` an int, `$n` a number, `$s` a string, `$t` a timestamp, `$d`
    /// a duration, `$0` a value of the type and `$l` a list of such values, `$a` a value of any type and `$m` a list of
    /// such values, `$x` and `$y` lists of ints and of numbers.
    private static let productions: [CELType: [String]] = [
        .bool: [
            "($b && $b)", "($b || $b)", "!$b", "($a == $a)", "($a != $a)", "($a < $a)", "($a <= $a)", "($a > $a)",
            "($a >= $a)", "($i < $n)", "($n == $i)", "($a in $m)", "($i in $y)", "($x == $y)", "($m == $m)",
            "$s.startsWith($s)", "$s.endsWith($s)", "$s.contains($s)", "$s.matches('^b?$')", "$s.matches('[a-c]+1')",
            "bool($s + '')", "($a in [])", "[].all(z, z)", "has(price)", "has(row['unit price'])", "has(tags)",
            "isFormat($s, 'uuid')", "isFormat($s, 'regex')", "sets.contains($x, $y)", "sets.intersects($m, $m)",
            "sets.equivalent($m, $m)",
        ],
        .int: [
            "($i + $i)", "($i - $i)", "($i * $i)", "($i / $i)", "($i % $i)", "-($i)", "size($s)", "size($m)",
            "size([])",
            "int($n + 0)", "int($s + '')", "int($t)", "$t.getDayOfYear()", "$t.getHours('-03:30')",
            "$t.getDate('14:00')", "$d.getMinutes()", "$s.indexOf($s)", "$s.indexOf($s, $i)", "$s.lastIndexOf($s)",
            "$s.lastIndexOf($s, $i)",
            "math.abs($i)", "math.sign($i)", "math.greatest($i, $i)", "math.least($x)",
        ],
        .number: [
            "($n + $n)", "($n - $n)", "($n * $n)", "($n / $n)", "-($n)", "($i + $n)", "($n / $i)", "double($s + '')",
            "double($i)", "math.abs($n)", "math.sign($n)", "math.ceil($n)", "math.floor($n)", "math.round($n)",
            "math.trunc($i)", "math.greatest($i, $n)", "math.least($y)",
        ],
        .string: [
            "($s + $s)", "string($a)", "$s.charAt($i)", "$s.substring($i)", "$s.substring($i, $i)", "$s.lowerAscii()",
            "$s.upperAscii()", "$s.trim()", "$s.reverse()", "$s.replace($s, $s)", "$s.replace($s, $s, $i)",
            "$s.split($s).join()", "$s.split($s, $i).join($s)",
        ],
        .timestamp: ["($t + $d)", "($d + $t)", "($t - $d)", "timestamp($i + 0)", "timestamp($s + '')"],
        .duration: ["($d + $d)", "($d - $d)", "($t - $t)", "duration($s + '')"],
    ]

    private mutating func expanded(_ production: String, _ type: CELType, _ depth: Int) -> String {
        let any = pick(Self.scalars)
        let types: [Character: CELType] = [
            "b": .bool, "i": .int, "n": .number, "s": .string, "t": .timestamp, "d": .duration, "0": type,
            "l": .list(type), "a": any, "m": .list(any), "x": .list(.int), "y": .list(.number),
        ]
        var text = ""
        for piece in production.split(separator: "$", omittingEmptySubsequences: false).enumerated() {
            guard piece.offset > 0, let type = piece.element.first.flatMap({ types[$0] }) else {
                // A piece without such a letter follows a literal "$" of a pattern.
                text += (piece.offset > 0 ? "$" : "") + piece.element
                continue
            }
            text += expression(of: type, depth: depth - 1) + piece.element.dropFirst()
        }
        return text
    }

    private mutating func list(of element: CELType, _ depth: Int) -> String {
        switch below(5) {
        case 4: expanded("$0.\(pick(["distinct()", "reverse()", "sort()", "slice(0, 1)"]))", .list(element), depth)
        case 0: expanded("[$0, $0]", element, depth)
        case 1: expanded("($0 + $0)", .list(element), depth)
        case 2: macro("map", of: pick(Self.scalars), body: element, depth)
        default: macro("filter", of: element, body: .bool, depth)
        }
    }

    /// Cells for the columns of the tests, some of which are missing.
    mutating func row() -> [CELOutcome] {
        celColumns.map { variable in
            switch below(8) {
            case 0: .absent
            case 1: .undecided
            default: .value(value(of: variable.type))
            }
        }
    }

    private mutating func value(of type: CELType) -> CELValue {
        switch type {
        case .bool: .bool(below(2) == 0)
        case .int: .int(pick([0, 1, -1, 2, 7, 1_000, .max, .min]))
        case .number:
            .number(CELNumber(coefficient: pick([0, 1, -1, 3, 250, .max, .min]), scale: pick([0, 0, 1, 2, 30])))
        case .string: .string(pick(["", "a", "ab", "b", "1", "-2.5", "true", "é", "2024-02-29T00:00:00Z", "90s"]))
        case .timestamp: .timestamp(CELTime(seconds: pick([0, -1, 1_709_208_000, 253_402_300_799]), nanoseconds: 5))
        case .duration: .duration(CELTime(seconds: pick([0, 1, -90, 9_223_372_035]), nanoseconds: 999_999_999))
        case .list(let element): .list((0..<below(4)).map { _ in value(of: element) })
        case .nothing: .list([])
        }
    }

    private mutating func leaf(of type: CELType) -> String {
        var names = celColumns.filter { $0.type == type }.map { "row['\($0.name)']" }
        names += locals.filter { $0.type == type }.map(\.name)
        if let name = names.isEmpty || below(3) == 0 ? nil : pick(names) { return name }
        return switch type {
        case .bool: pick(["true", "false"])
        case .int: pick(["0", "1", "-3", "7", "9223372036854775807"])
        case .number: pick(["0.0", "0.1", "-2.50", "1e20", "1e-20", "3.3333333333333333333333333333333333"])
        case .string: pick(["''", "'a'", "'ab'", "'12'", "'é'"])
        case .timestamp:
            pick([
                "timestamp(0)", "timestamp('9999-12-31T23:59:59Z')", "timestamp('2024-02-29T12:00:00Z')", "now()",
                "today()",
            ])
        case .duration: pick(["duration('0')", "duration('-1h')", "duration('1.5s')", "duration('2000000h')"])
        case .list(let element): "[\(leaf(of: element))]"
        case .nothing: "[][0]"
        }
    }

    private mutating func macro(_ name: String, of element: CELType, body: CELType, _ depth: Int) -> String {
        let list = expression(of: .list(element), depth: depth - 1)
        let variable = "x\(locals.count)"
        locals.append((variable, element))
        defer { locals.removeLast() }
        return "\(list).\(name)(\(variable), \(expression(of: body, depth: depth - 1)))"
    }

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
