extension Schema {
    /// A schema that is compiled for single bodies of JSON, such as those of HTTP requests.
    ///
    ///     let signUp = try schema.compiled()
    ///     for reason in signUp.failures(inJSON: body) { print(reason.path, reason.message(in: "ru")) }
    ///
    /// A body is one object, as a line of JSON Lines, but it may contain line breaks. The reasons are those of the
    /// rules that reject: the fields in their order, then the row rules. Each reason has the rule's id as its name, the
    /// parameters of the rule and the path of the value. Keys, foreign keys and orders are left out, because they are
    /// about several records, and so are rules that only warn.
    ///
    /// Immutable; any number of threads may use one value at the same time.
    public final class Compiled: Sendable {
        /// The source of the compiled schema.
        public let schema: Schema
        private let plan: BodyPlan
        private let idle = Lock<[BodyEvaluator]>([])
        private static let maxIdleEvaluators = 16

        fileprivate init(_ schema: Schema, _ plan: BodyPlan) { (self.schema, self.plan) = (schema, plan) }

        /// Returns the reasons why a body breaks the rules, each with its path; empty if the body is valid.
        ///
        /// If the body is not a JSON object, the only reason has an empty path. Its ``Reason/rule`` is `json.syntax`,
        /// with the parameters `line` and `column`, `json.object`, `json.encoding` or `json.size`.
        ///
        /// - Parameters:
        ///   - body: The text of one JSON object.
        ///   - limit: The maximum number of reasons.
        public func failures(inJSON body: String, limit: FailurePolicy = .all) -> [Reason] {
            withUTF8(of: body) { failures(in: $0, limit) }
        }

        /// Returns the reasons why a body in UTF-8 breaks the rules, such as one in `Data`, `[UInt8]` or a view of
        /// SwiftNIO's `ByteBuffer`.
        ///
        /// - Parameters:
        ///   - body: The bytes of one JSON object in UTF-8, with or without a byte order mark.
        ///   - limit: The maximum number of reasons.
        public func failures(inJSON body: some Collection<UInt8>, limit: FailurePolicy = .all) -> [Reason] {
            body.withContiguousStorageIfAvailable { failures(in: $0, limit) }
                ?? Array(body).withUnsafeBufferPointer { failures(in: $0, limit) }
        }

        /// Returns the reasons why a body in UTF-8 breaks the rules, as ``failures(inJSON:limit:)``.
        public func failures(inJSON body: Span<UInt8>, limit: FailurePolicy = .all) -> [Reason] {
            body.withUnsafeBufferPointer { failures(in: $0, limit) }
        }

        private func failures(in body: UnsafeBufferPointer<UInt8>, _ policy: FailurePolicy) -> [Reason] {
            // As in libassay, a process that was forked must not wait for the lock.
            let known = idle.withLockIfAvailable { $0.popLast() }.flatMap(\.self)
            let evaluator = known ?? BodyEvaluator(plan)
            defer {
                if evaluator.isSmall {
                    _ = idle.withLockIfAvailable { if $0.count < Self.maxIdleEvaluators { $0.append(evaluator) } }
                }
            }
            return evaluator.failures(in: body, limit: policy.limit)
        }
    }

    /// Compiles the fields and row rules for single bodies of JSON. Names of fields are paths: `address.city`,
    /// `tags[]`. Other members are allowed.
    ///
    /// - Parameters:
    ///   - types: The treatment of types in JSON values.
    ///   - limits: The maximum work for one value in each pattern.
    ///   - maxBytes: The maximum size of a body, at most 1 GiB. The memory for a body is proportional to the elements
    ///     of its lists times the fields in them, and can be 300 times its size.
    /// - Throws: ``CompileError`` if a rule does not compile, if a name is not a path, or for a ``fieldsMatch`` other
    ///   than ``FieldsMatch/subset``, because JSON objects may have any members.
    public func compiled(
        types: JSONTypes = .strict, limits: MatchLimits = MatchLimits(), maxBytes: Int = 1 << 20
    ) throws(CompileError) -> Compiled {
        Compiled(self, try BodyPlan(self, types.typing, limits, maxBytes: min(maxBytes, 1 << 30)))
    }
}
