/// The path of a value inside another value: the names of fields and the indices of elements.
///
///     items[3].price      ValuePath([.field("items"), .index(3), .field("price")])
///
/// In JSON: `["items", 3, "price"]`.
public struct ValuePath: Hashable, Sendable, CustomStringConvertible {
    /// One step into a value.
    public enum Step: Hashable, Sendable {
        /// The field with this name.
        case field(String)
        /// The element at this index, from 0.
        case index(Int)
    }

    /// The steps from the outermost value; empty for the value itself.
    public var steps: [Step]

    /// A path with these steps.
    public init(_ steps: [Step] = []) { self.steps = steps }

    /// `items[3].price`; a name that is not a plain word is in brackets, `["unit price"]`.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .field(let name) where name.isPlainName: text += text.isEmpty ? name : "." + name
            case .field(let name): text += "[\(name.debugDescription)]"
            }
        }
        return text
    }
}

extension String {
    fileprivate var isPlainName: Bool {
        guard let first, first == "_" || first.isLetter else { return false }
        return allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) }
    }
}

extension ValuePath: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        steps = []
        while !list.isAtEnd { steps.append(try list.decode(Step.self)) }
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for step in steps { try list.encode(step) }
    }
}

extension ValuePath.Step: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let index = try? value.decode(Int.self) {
            self = .index(index)
        } else {
            self = .field(try value.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .field(let name): try value.encode(name)
        case .index(let index): try value.encode(index)
        }
    }
}
