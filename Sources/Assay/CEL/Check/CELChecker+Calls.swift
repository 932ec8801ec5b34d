extension CELChecker {
    /// `function(arguments)`
    mutating func call(
        _ syntax: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        if let node = try aggregate(syntax, name, arguments) { return node }
        if name.text == "has" { return try has(syntax, arguments) }
        if name.text == "isFormat" { return try isFormat(syntax, name, arguments) }
        if let clock = CELClock(rawValue: name.text) {
            try count(arguments, 0...0, name)
            return CELNode(.clock(clock), .timestamp, syntax.range)
        }
        if let refusal = CELRefusal.functions[name.text] { throw refusal.mistake(of: name.text, at: name.range) }
        if let conversion = Self.conversions[name.text] {
            return try converted(syntax, name, conversion, arguments)
        }
        if name.text == "size" || name.text == "matches" {
            let number = name.text == "size" ? 1 : 2
            try count(arguments, number...number, name)
            return try function(syntax, name, arguments[0], Array(arguments.dropFirst()))
        }
        if Self.methods.contains(name.text) || Self.extensionMethods.contains(name.text) {
            let usage = Self.usage[name.text] ?? CELStringFunction(rawValue: name.text)?.usage ?? ""
            throw CELMistake(
                "'\(name.text)' is a method of a value", "write x.\(name.text)(\(usage))", at: name.range)
        }
        if let mistake = misplacedAggregate(name) { throw mistake }
        let known =
            Array(Self.conversions.keys).sorted() + ["has", "isFormat", "size", "matches"]
            + CELClock.allCases.map(\.rawValue)
        throw unknownFunction(name, known)
    }

    /// `receiver.function(arguments)`
    mutating func method(
        _ syntax: CELSyntax, _ receiver: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        if let refusal = namespace(of: receiver) {
            if let call = try namespaceCall(syntax, receiver, name, arguments) { return call }
            let range = receiver.range.lowerBound..<name.range.upperBound
            throw refusal.mistake(of: text(of: range), at: range)
        }
        if aggregates != nil, let column = columnName(receiver), place(of: column) != nil,
            let mistake = misplacedAggregate(name, of: receiver)
        {
            throw mistake
        }
        if let macro = CELMacro(rawValue: name.text) {
            return try self.macro(syntax, macro, receiver, name, arguments)
        }
        if let refusal = CELRefusal.functions[name.text] { throw refusal.mistake(of: name.text, at: name.range) }
        if Self.methods.contains(name.text) { return try function(syntax, name, receiver, arguments) }
        if let node = try extensionMethod(syntax, receiver, name, arguments) { return node }
        if CELClock(rawValue: name.text) != nil {
            throw CELMistake(
                "'\(name.text)' is not a method of a value", "write \(name.text)()", at: name.range)
        }
        if Self.conversions[name.text] != nil || name.text == "has" {
            throw CELMistake(
                "'\(name.text)' is written before its value", "write \(name.text)(\(text(of: receiver.range)))",
                at: name.range)
        }
        if Self.namesOfSize.contains(name.text) {
            throw CELMistake(
                "there is no function '\(name.text)'", "write size(\(text(of: receiver.range)))", at: name.range)
        }
        throw unknownFunction(name, Self.methods.sorted() + Self.extensionMethods + CELMacro.allCases.map(\.rawValue))
    }

    /// A function of a supported namespace, such as `math.abs(x)`; `nil` for other functions.
    private mutating func namespaceCall(
        _ syntax: CELSyntax, _ receiver: CELSyntax, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode? {
        guard case .name(let namespace, _) = receiver.form else { return nil }
        if namespace == "math", let function = CELMathFunction(rawValue: name.text) {
            return try math(syntax, function, name, arguments)
        }
        if namespace == "sets", let function = CELListFunction.sets[name.text] {
            return try sets(syntax, function, name, arguments)
        }
        return nil
    }

    /// Whether `string()` converts values of a type.
    static func hasText(_ type: CELType) -> Bool { conversions["string"]?.takes.contains(type) == true }

    /// The conversion functions by name, with their result and parameter types.
    private static let conversions: [String: (function: CELFunction, result: CELType, takes: [CELType])] = [
        "int": (.toInt, .int, [.int, .number, .string, .timestamp]),
        "double": (.toNumber, .number, [.number, .int, .string]),
        "string": (.toString, .string, [.string, .bool, .int, .number, .timestamp, .duration]),
        "bool": (.toBool, .bool, [.bool, .string]),
        "timestamp": (.toTimestamp, .timestamp, [.timestamp, .string, .int]),
        "duration": (.toDuration, .duration, [.duration, .string]),
    ]

    private static let methods: Set<String> = Set(CELTimePart.allCases.map(\.rawValue)).union(
        ["size", "startsWith", "endsWith", "contains", "matches"])

    /// Example arguments of functions with parameters.
    private static let usage = ["startsWith": "'…'", "endsWith": "'…'", "contains": "'…'", "matches": "'…'"]

    /// The names of `size` in other languages.
    private static let namesOfSize = ["length", "len", "count"]

    /// The mistake of a function that CEL does not have.
    private func unknownFunction(_ name: CELName, _ known: [String]) -> CELMistake {
        let other = Self.namesOfSize.contains(name.text) ? "size" : nil
        let advice = (other ?? closestName(to: name.text, among: known)).map { "did you mean '\($0)'?" }
        return CELMistake("there is no function '\(name.text)'", advice, at: name.range)
    }

    /// `int(x)` and the other conversions. Literals are converted at compile time.
    private mutating func converted(
        _ syntax: CELSyntax, _ name: CELName, _ conversion: (function: CELFunction, result: CELType, takes: [CELType]),
        _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        try count(arguments, 1...1, name)
        var argument = try node(of: arguments[0])
        if argument.type == .nothing { argument = argument.widened(to: .string) }
        guard conversion.takes.contains(argument.type) else {
            let types = conversion.takes.map(\.name).joined(separator: ", ")
            throw CELMistake(
                "'\(name.text)' cannot convert \(argument.type.name)", "it takes one of: \(types)", at: name.range)
        }
        if argument.type == conversion.result { return argument }
        guard case .literal(let literal) = argument.form else {
            return CELNode(.call(conversion.function, [argument]), conversion.result, syntax.range)
        }
        guard let value = literal.converted(by: conversion.function) else {
            let advice: String? =
                switch conversion.result {
                case .timestamp: "write it as in '\(argument.midnight ?? "2024-02-29T12:30:00Z")'"
                case .duration: "write it as in '1h30m'"
                case .bool: "write true or false"
                default: nil
                }
            throw CELMistake(
                "\(text(of: argument.range)) is no \(conversion.result.name)", advice, at: argument.range)
        }
        return CELNode(.literal(value), conversion.result, syntax.range)
    }

    /// A function of a value, which precedes or follows the name: `x.size()`, `size(x)`.
    private mutating func function(
        _ syntax: CELSyntax, _ name: CELName, _ receiver: CELSyntax, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        let value = try node(of: receiver)
        if let part = CELTimePart(rawValue: name.text) { return try self.part(syntax, part, value, name, arguments) }
        if name.text == "size" {
            try count(arguments, 0...0, name)
            if case .list = value.type { return CELNode(.call(.size, [value]), .int, syntax.range) }
            return CELNode(.call(.size, [try string(value, of: name, or: " or a list")]), .int, syntax.range)
        }
        let text = try string(value, of: name)
        try count(arguments, 1...1, name)
        if name.text == "matches" { return try matches(syntax, text, arguments[0]) }
        let argument = try string(try node(of: arguments[0]), of: name)
        let function: CELFunction =
            switch name.text {
            case "startsWith": .startsWith
            case "endsWith": .endsWith
            default: .contains
            }
        return CELNode(.call(function, [text, argument]), .bool, syntax.range)
    }

    /// `text.matches('pattern')`
    private mutating func matches(
        _ syntax: CELSyntax, _ text: CELNode, _ argument: CELSyntax
    ) throws(CELMistake) -> CELNode {
        guard case .literal(.string(let source)) = argument.form else {
            throw CELMistake(
                "the pattern of 'matches' must be a text in quotes", "write x.matches(r'…')", at: argument.range)
        }
        if budget.isCodeSpent { throw untrusted(ReadingBudget.tooMuchCode, at: argument.range) }
        if !budget.takeRanges(of: source, .search) { throw untrusted(ReadingBudget.tooManyRanges, at: argument.range) }
        let pattern: Pattern
        do {
            pattern = try Pattern(source, options: .search)
        } catch {
            let place = error.offset.map {
                CELLexer.place(ofByte: $0, inLiteral: argument.range, of: self.text)
            }
            throw CELMistake(error.message, at: place.map { $0..<$0 } ?? argument.range)
        }
        if !budget.takeCode(of: pattern) { throw untrusted(ReadingBudget.tooMuchCode, at: argument.range) }
        patterns.append(pattern)
        return CELNode(.call(.matches(patterns.count - 1), [text]), .bool, syntax.range)
    }

    /// A mistake that does not apply to trusted files.
    private func untrusted(_ mistake: (message: String, advice: String), at range: Range<Int>) -> CELMistake {
        var refusal = CELMistake(mistake.message, mistake.advice, at: range)
        refusal.needsTrust = true
        return refusal
    }

    /// `time.getHours()`, or `time.getHours('Europe/Berlin')`
    private mutating func part(
        _ syntax: CELSyntax, _ part: CELTimePart, _ value: CELNode, _ name: CELName, _ arguments: [CELSyntax]
    ) throws(CELMistake) -> CELNode {
        let takes = part.isOfDurations ? "a timestamp or a duration" : "a timestamp"
        guard value.type == .timestamp || value.type == .nothing || (value.type == .duration && part.isOfDurations)
        else {
            let advice = value.type == .string ? "write timestamp(\(text(of: value.range))).\(name.text)()" : nil
            throw CELMistake("'\(name.text)' needs \(takes), found \(value.type.name)", advice, at: name.range)
        }
        try count(arguments, value.type == .duration ? 0...0 : 0...1, name)
        let time = value.type == .nothing ? value.widened(to: .timestamp) : value
        guard let argument = arguments.first else {
            return CELNode(.call(.part(part), [time]), .int, syntax.range)
        }
        let advice = "write an offset, as in '+01:00', or a name, as in 'Europe/Berlin'"
        guard case .literal(.string(let zone)) = argument.form else {
            throw CELMistake("the time zone must be a text in quotes", advice, at: argument.range)
        }
        // The plus of an offset is optional.
        let isBare = zone.utf8.first.map(CELLexer.isDigit) == true
        guard !zone.isEmpty, let offsets = ZoneOffsets(named: isBare ? "+" + zone : zone) else {
            throw CELMistake("there is no time zone '\(zone)'", advice, at: argument.range)
        }
        zones[zone] = offsets
        let name = CELNode(.literal(.string(zone)), .string, argument.range)
        return CELNode(.call(.part(part), [time, name]), .int, syntax.range)
    }

    /// The node as a string.
    ///
    /// - Throws: A mistake if the node has another type.
    private func string(
        _ node: CELNode, of name: CELName, or other: String = ""
    ) throws(CELMistake) -> CELNode {
        guard node.type.joined(.string) == .string else {
            throw CELMistake(
                "'\(name.text)' needs a string\(other), found \(node.type.name)",
                Self.hasText(node.type) ? "write string(\(text(of: node.range)))" : nil, at: node.range)
        }
        return node.widened(to: .string)
    }

    /// Checks the number of arguments.
    func count(
        _ arguments: [CELSyntax], _ allowed: ClosedRange<Int>, _ name: CELName
    ) throws(CELMistake) {
        if allowed.contains(arguments.count) { return }
        let (min, max) = (allowed.lowerBound, allowed.upperBound)
        let number =
            switch (min, max) {
            case (_, 0): "no"
            case (_, .max): "at least \(min)"
            case (0, _): "up to \(max)"
            default: min == max ? "\(min)" : "\(min) to \(max)"
            }
        let noun = max == 1 || (max == .max && min == 1) ? "argument" : "arguments"
        throw CELMistake(
            "'\(name.text)' takes \(number) \(noun), and there are \(arguments.count)", at: name.range)
    }
}
