import ArgumentParser

/// Creates a command from its command line, without ArgumentParser's parser.
///
/// ArgumentParser declares the options of the command, prints help and completions, and reports mistakes. To parse a
/// line, it creates all definitions of options twice. A debug build also validates the definitions, and each level of
/// option groups multiplies the number of definitions created by four. Because the property wrappers are `Decodable`,
/// this decoder can create them directly with their values, without any definitions. The name of an option follows from
/// the name of its property.
///
///     --no-header --limit depth=9 --quiet users.csv
///     noHeader    limit           quiet   inputs
///
/// `LineDecoderTests` compares both parsers for all options of all commands.
final class LineDecoder: Decoder {
    private let line: Invocation?
    private var arguments: ArraySlice<String>
    private(set) var declared: [String: OptionKind] = [:]

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    /// - Parameter line: `nil` leaves all properties unset.
    fileprivate init(_ line: Invocation?) {
        self.line = line
        arguments = line?.inputs[...] ?? []
    }

    /// Returns the options of a command or a group.
    static func options(of type: any ParsableArguments.Type) -> [String: OptionKind] {
        let decoder = LineDecoder(nil)
        _ = type.unset(decoder)
        return decoder.declared
    }

    static func names(of type: any ParsableArguments.Type) -> Set<String> { Set(options(of: type).keys) }

    /// - Throws: An error that means that ``ParsableArguments`` must parse the line, and report its mistake.
    static func decode<Command: ParsableCommand>(_ type: Command.Type, from line: Invocation) throws -> Command {
        let decoder = LineDecoder(line)
        var command = try Command(from: decoder)
        if !decoder.arguments.isEmpty { throw LeftToParser() }
        try command.validate()
        return command
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Properties(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw LeftToParser() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw LeftToParser() }

    /// Returns the value of a property, or `nil` for a group.
    fileprivate func value<Value>(of type: Value.Type, _ property: String) throws -> Value? {
        let name = Self.optionName(property)
        func option(_ kind: OptionKind) -> [String] {
            declared[name] = kind
            return line?.values(of: name) ?? []
        }
        // Comparing types is faster than casting to a protocol, which searches all conformances of the program.
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(Flag<Bool>.self):
            var flag = Flag<Bool>(wrappedValue: false)
            declared[name] = .flag
            flag.wrappedValue = line?.has(name) ?? false
            return flag as? Value
        case ObjectIdentifier(Option<String?>.self):
            var text = Option<String?>(name: .long)
            text.wrappedValue = option(.value).last
            return text as? Value
        case ObjectIdentifier(Option<Int?>.self):
            var number = Option<Int?>(name: .long)
            number.wrappedValue = try option(.value).last.map { try Self.number(Int($0)) }
            return number as? Value
        case ObjectIdentifier(Option<Double?>.self):
            var number = Option<Double?>(name: .long)
            number.wrappedValue = try option(.value).last.map { try Self.number(Double($0)) }
            return number as? Value
        case ObjectIdentifier(Option<String>.self):
            var text = Option<String>(name: .long)
            text.wrappedValue = try required(option(.value).last)
            return text as? Value
        case ObjectIdentifier(Option<[String]>.self):
            var list = Option<[String]>(wrappedValue: [], name: .long)
            list.wrappedValue = option(.list)
            return list as? Value
        case ObjectIdentifier(Argument<String>.self):
            var text = Argument<String>(help: nil)
            text.wrappedValue = try required(arguments.popFirst())
            return text as? Value
        case ObjectIdentifier(Argument<String?>.self):
            var text = Argument<String?>(help: nil)
            text.wrappedValue = arguments.popFirst()
            return text as? Value
        case ObjectIdentifier(Argument<[String]>.self):
            var list = Argument<[String]>(wrappedValue: [], parsing: .remaining)
            // The parser knows whether the list may be empty.
            if line != nil && arguments.isEmpty { throw LeftToParser() }
            list.wrappedValue = Array(arguments)
            arguments = []
            return list as? Value
        default:
            return nil
        }
    }

    private func required(_ text: String?) throws -> String {
        if line != nil && text == nil { throw LeftToParser() }
        return text ?? ""
    }

    private static func number<Number>(_ number: Number?) throws -> Number {
        guard let number else { throw LeftToParser() }
        return number
    }

    /// The name of the option for a property, by the rule of ArgumentParser: `--no-header` for `noHeader`, `--no-jit`
    /// for `noJIT`.
    private static func optionName(_ property: String) -> String {
        var name = "--"
        var isAfterCapital = true
        for character in property {
            if character.isUppercase && !isAfterCapital { name += "-" }
            name += character.lowercased()
            isAfterCapital = character.isUppercase
        }
        return name
    }
}

/// The words that follow the name of an option.
enum OptionKind {
    case flag
    /// One value. The option must not be repeated.
    case value
    /// One value. The option may be repeated.
    case list
}

/// The error for a line that only ArgumentParser can read.
private struct LeftToParser: Error {}

extension ParsableArguments {
    /// The value of an empty command line, without any option.
    static var unset: Self { unset(LineDecoder(nil)) }

    fileprivate static func unset(_ decoder: LineDecoder) -> Self {
        do {
            return try Self(from: decoder)
        } catch {
            preconditionFailure("\(Self.self) has a property that LineDecoder does not know")
        }
    }
}

/// The properties of a command or of a group.
private struct Properties<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: LineDecoder

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.value(of: type, key.stringValue) ?? Value(from: decoder)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw LeftToParser() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw LeftToParser() }

    func superDecoder() throws -> any Decoder { throw LeftToParser() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw LeftToParser() }
}
