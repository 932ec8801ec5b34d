internal import CAssay

/// The descriptions of repairs for the C core, and the objects that the descriptions point to.
struct RepairDescriptions {
    private let repairs: [Repair]
    private let type: ValueType
    /// The compiled type for a `canonical` repair; at most one.
    private(set) var types: [CompiledType] = []
    /// The check of the type for a `canonical` repair; at most one.
    private(set) var leaves: [Leaf] = []

    init(_ repairs: [Repair], type: ValueType) throws(RepairError) {
        self.repairs = repairs
        self.type = type
        guard let index = repairs.firstIndex(where: { if case .canonical = $0 { true } else { false } }) else { return }
        do throws(CompileError) {
            if case .any = type.kind { return }
            if type.kind == .string, [nil, "default"].contains(type.format) { return }
            leaves.append(try TypeChecks.shared.leaf(type, engine: .dfa))
            if type.kind != .string { types.append(try CompiledType(type)) }
        } catch {
            throw RepairError(index: index, error: error)
        }
    }

    /// Calls `body` with the list, which is valid during the call.
    func withDescriptions<Result>(_ body: (UnsafeBufferPointer<assay_repair_description>) -> Result) -> Result {
        withDescriptions(of: repairs[...], [], body)
    }

    /// Appends the descriptions of `rest` to those in `made` and calls `body` with the list. It calls itself for each
    /// repair, because the texts of a description are valid only inside a closure.
    private func withDescriptions<Result>(
        of rest: ArraySlice<Repair>, _ made: [assay_repair_description],
        _ body: (UnsafeBufferPointer<assay_repair_description>) -> Result
    ) -> Result {
        guard let repair = rest.first else { return made.withUnsafeBufferPointer(body) }
        return withCTexts(repair.texts) { texts in
            var description = assay_repair_description()
            description.kind = repair.cKind
            description.texts = texts.baseAddress
            description.text_count = texts.count
            guard case .canonical(let options) = repair else {
                return withDescriptions(of: rest.dropFirst(), made + [description], body)
            }
            return withCanonical(options, from: texts) { canonical in
                description.canonical = canonical
                return withDescriptions(of: rest.dropFirst(), made + [description], body)
            }
        }
    }

    private func withCanonical<Result>(
        _ options: Repair.CanonicalOptions, from: UnsafeBufferPointer<assay_text>,
        _ body: (UnsafePointer<assay_canonical_description>) -> Result
    ) -> Result {
        let isBuiltIn = type.kind == .string && type.format != "default"
        let texts = [
            isBuiltIn ? type.format ?? "" : "", options.region ?? "", options.decimalChar ?? "",
            options.groupChar ?? "",
        ]
        return withCTexts(texts) { texts in
            var canonical = assay_canonical_description()
            canonical.kind = type.kind.cValue
            canonical.type = types.first?.handle
            canonical.builtin = texts[0]
            canonical.check = leaves.first?.handle
            canonical.from = from.baseAddress
            canonical.from_count = from.count
            canonical.region = texts[1]
            canonical.decimal_char = texts[2]
            canonical.group_char = texts[3]
            return withUnsafePointer(to: canonical, body)
        }
    }
}

extension Repair {
    fileprivate var texts: [String] {
        switch self {
        case .missing(let words): words
        case .replace(let pattern, let with): [pattern, with]
        case .map(let mapping): mapping.entries.flatMap { [$0.from, $0.to] }
        case .default(let text): [text]
        case .canonical(let options): options.from
        case .trim, .collapse, .upper, .lower, .nfc, .nfkc, .stripControl, .asciiDigits, .unquote: []
        }
    }

    fileprivate var cKind: assay_repair_kind {
        switch self {
        case .trim: .ASSAY_REPAIR_TRIM
        case .collapse: .ASSAY_REPAIR_COLLAPSE
        case .upper: .ASSAY_REPAIR_UPPER
        case .lower: .ASSAY_REPAIR_LOWER
        case .nfc: .ASSAY_REPAIR_NFC
        case .nfkc: .ASSAY_REPAIR_NFKC
        case .stripControl: .ASSAY_REPAIR_STRIP_CONTROL
        case .asciiDigits: .ASSAY_REPAIR_ASCII_DIGITS
        case .unquote: .ASSAY_REPAIR_UNQUOTE
        case .missing: .ASSAY_REPAIR_MISSING
        case .replace: .ASSAY_REPAIR_REPLACE
        case .map: .ASSAY_REPAIR_MAP
        case .default: .ASSAY_REPAIR_DEFAULT
        case .canonical: .ASSAY_REPAIR_CANONICAL
        }
    }
}
