// Evaluators of parts that are stored inside the value, at a known offset. Access through a key path takes several
// times as long, and would retain and release the part for each value, on all threads.

/// Returns an evaluator with the same results as a ``PartNode``; `nil` if the part is computed, or stored elsewhere.
func storedPart<Value, Part>(
    _ part: PartOfValue<Value, Part>, _ child: any Evaluator<Part>
) -> (any Evaluator<Value>)? {
    guard let offset = MemoryLayout<Value>.offset(of: part.keyPath) else { return nil }
    if let text = part as? PartOfValue<Value, String>, let child = child as? any UTF8Evaluator {
        return StoredText(offset, text, child)
    }
    if let number = part as? PartOfValue<Value, Int>, let child = child as? any Evaluator<Int> {
        return StoredInt(offset, number, child)
    }
    return StoredPart(offset, part, child)
}

/// SAFETY: `offset` must be that of a stored property of this type. The body must not let the pointer escape.
@inline(__always)
private func withPart<Value, Part>(
    of value: Value, at offset: Int, as _: Part.Type, _ body: (UnsafePointer<Part>) -> Evaluation
) -> Evaluation {
    withUnsafePointer(to: value) { body((UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Part.self)) }
}

private final class StoredPart<Value, Part>: Evaluator {
    private let offset: Int
    private let part: PartOfValue<Value, Part>
    private let child: any Evaluator<Part>

    init(_ offset: Int, _ part: PartOfValue<Value, Part>, _ child: any Evaluator<Part>) {
        (self.offset, self.part, self.child) = (offset, part, child)
    }

    func evaluate(_ value: Value) -> Evaluation {
        part.placed(withPart(of: value, at: offset, as: Part.self) { child.evaluate($0.pointee) })
    }
}

// The same for frequent types, because generic code copies parts by calls.

private final class StoredInt<Value>: Evaluator {
    private let offset: Int
    private let part: PartOfValue<Value, Int>
    private let child: any Evaluator<Int>

    init(_ offset: Int, _ part: PartOfValue<Value, Int>, _ child: any Evaluator<Int>) {
        (self.offset, self.part, self.child) = (offset, part, child)
    }

    func evaluate(_ value: Value) -> Evaluation {
        part.placed(withPart(of: value, at: offset, as: Int.self) { child.evaluate($0.pointee) })
    }
}

private final class StoredText<Value>: Evaluator {
    private let offset: Int
    private let part: PartOfValue<Value, String>
    private let child: any UTF8Evaluator

    init(_ offset: Int, _ part: PartOfValue<Value, String>, _ child: any UTF8Evaluator) {
        (self.offset, self.part, self.child) = (offset, part, child)
    }

    func evaluate(_ value: Value) -> Evaluation {
        let evaluation = withPart(of: value, at: offset, as: String.self) { text in
            text.pointee.utf8.withContiguousStorageIfAvailable { child.evaluate(text.pointee, $0) }
                ?? child.evaluate(contiguous(text.pointee))
        }
        return part.placed(evaluation)
    }
}
