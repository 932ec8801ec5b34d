internal import Assay
package import AssayRules

extension TableHead {
    /// A rule file as a starting point, which accepts all records of this input.
    ///
    /// - Parameters:
    ///   - dialect: The dialect that is written into it.
    ///   - limits: The limits for reading records.
    package func skeleton(dialect: Dialect, limits: Limits) throws -> String {
        let names = format == .csv && header == nil ? placeNames : fieldNames
        guard format == .jsonLines else { return RuleFile.skeleton(header: names, dialect: dialect) }
        // Fields that are objects or lists only in some records have no type. A run on the first records finds such
        // fields.
        var options = CleanerOptions()
        (options.threads, options.keptFindings, options.format, options.unpacks) = (1, 0, .jsonLines, false)
        let source = { BytesSource(Array(firstObjects), name: "") }
        let fields = names.map { name in
            var field = Field(name: name, type: ValueType(.any))
            field.isOptional = true
            return field
        }
        let rules = RuleFile(schema: Schema(fields: fields), limits: limits)
        let result = try Cleaner(rules: rules, options: options).run(source())
        let refused = Set(result.columns.filter { $0.rejected > 0 }.map { ByteEqualString($0.name) })
        let profiler = try Profiler(rules: rules, options: options)
        let profile = try profiler.run(profiler.prepare(asOne: [source()]))
        let unnamed = profile.firstUnnamed
        // A field that is null in some records is present.
        let absent = Set(
            profile.columns.filter { $0.kinds.contains { $0.name == "absent" && $0.count > 0 } }
                .map { ByteEqualString($0.name) })
        return RuleFile.skeleton(
            names.map { name in
                SkeletonField(
                    name: name,
                    reasonForNone: refused.contains(ByteEqualString(name))
                        ? "of several kinds: a rule for one would refuse the others" : nil,
                    // A list may have no elements.
                    isOptional: absent.contains(ByteEqualString(name)) || name.contains("[]"))
            }, dialect: dialect, isJSON: true,
            note: unnamed.map { "Values that no path can name are left out, the first in record \(grouped($0))." })
    }
}
