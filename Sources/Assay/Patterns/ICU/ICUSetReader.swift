/// The state of ICU's parser inside brackets: `left op operand`, evaluated from left to right. Adjacent members bind
/// tighter than `&&` and `--`.
struct ICUSetReader {
    /// The kind of the previous item, which determines the meaning of `-`, `&` and `[`.
    enum Place {
        case start
        /// A character; `nil` for a literal `-` or `&`.
        case literal(Unicode.Scalar?)
        /// A range or a shorthand such as `\d`.
        case range
        /// A set in brackets or a property.
        case set
        case operation
    }

    enum Operation { case intersection, difference }

    var place = Place.start
    var operand = ICUSet.empty
    /// The operand without its last character, which may be the lower bound of a range.
    private var operandBefore = ICUSet.empty
    /// Whether the operand directly contains characters with case variants. ICU adds the variants at the end of the
    /// brackets, after the operations; PCRE2 adds them before.
    var operandHasCase = false
    var left: (set: ICUSet, hasCase: Bool, operation: Operation)?
    /// The character that is the only member so far; otherwise `nil`.
    var only: Unicode.Scalar?
    var memberCount = 0
    /// Whether the operand ends with `-[…]` or `&[…]`, which ICU has not evaluated yet.
    var endsWithOperation = false

    mutating func add(_ set: ICUSet, at place: Place) {
        operand.add(set)
        self.place = place
        endsWithOperation = false
        memberCount += 1
        only = nil
    }

    mutating func add(_ scalar: Unicode.Scalar, isCaseless: Bool) {
        operandBefore = operand
        add(.members(ICUSetReader.member(scalar, isCaseless: isCaseless), isNegated: false), at: .literal(scalar))
        operandHasCase = operandHasCase || scalar.hasCase
        if memberCount == 1 { only = scalar }
    }

    /// Adds a literal `-` or `&`.
    mutating func add(sign: Unicode.Scalar) {
        add(sign, isCaseless: false)
        place = .literal(nil)
    }

    /// Adds a range with the previously added character as its lower bound.
    mutating func add(_ range: ClosedRange<Unicode.Scalar>, isCaseless: Bool) {
        operand = operandBefore
        var members = "\(ICUText.literal(range.lowerBound))-\(ICUText.literal(range.upperBound))"
        if isCaseless { members += ICUFullFolding.partners(in: range) }
        add(.members(members, isNegated: false), at: .range)
        // There are no letters up to @.
        operandHasCase = operandHasCase || range.upperBound > "@"
    }

    private static func member(_ scalar: Unicode.Scalar, isCaseless: Bool) -> String {
        ICUText.literal(scalar) + (isCaseless ? ICUFullFolding.partners(in: scalar...scalar) : "")
    }
}
