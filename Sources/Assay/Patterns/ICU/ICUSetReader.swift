/// What ICU keeps while it reads a set: `left op operand`, from left to right. Adjacent members bind tighter than `&&`
/// and `--`.
struct ICUSetReader {
    /// What was read last, which decides what `-`, `&` and `[` mean.
    enum Place {
        case start
        /// `nil`: a `-` or `&` that means itself.
        case literal(Unicode.Scalar?)
        /// A range, or a shorthand such as `\d`.
        case range
        /// A set in brackets, or a property.
        case set
        case operation
    }

    enum Operation { case intersection, difference }

    var place = Place.start
    var operand = ICUSet.empty
    /// The operand without its last character, which may turn out to begin a range.
    private var operandBefore = ICUSet.empty
    /// Whether characters that have another case stand in the operand itself: ICU adds the other case at the end of the
    /// brackets, after the operations, and PCRE2 before.
    var operandHasCase = false
    var left: (set: ICUSet, hasCase: Bool, operation: Operation)?
    /// The one character that is the whole set, so far.
    var only: Unicode.Scalar?
    var memberCount = 0
    /// The operand ends with `-[…]` or `&[…]`, which ICU has not worked out yet.
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

    /// A `-` or `&` that means itself.
    mutating func add(sign: Unicode.Scalar) {
        add(sign, isCaseless: false)
        place = .literal(nil)
    }

    /// A range that begins with the character that was added last.
    mutating func add(_ range: ClosedRange<Unicode.Scalar>, isCaseless: Bool) {
        operand = operandBefore
        var members = "\(ICUText.literal(range.lowerBound))-\(ICUText.literal(range.upperBound))"
        if isCaseless { members += ICUFullFolding.partners(in: range) }
        add(.members(members, isNegated: false), at: .range)
        // Up to @ there are no letters.
        operandHasCase = operandHasCase || range.upperBound > "@"
    }

    private static func member(_ scalar: Unicode.Scalar, isCaseless: Bool) -> String {
        ICUText.literal(scalar) + (isCaseless ? ICUFullFolding.partners(in: scalar...scalar) : "")
    }
}
