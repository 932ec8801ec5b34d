/// A property of characters, by its names in ICU: `\p{Lu}`, `\p{Letter}`, `\p{General_Category=Lu}`,
/// `\p{Script=Greek}`, `\p{Greek}`, `\p{Alphabetic}`, `[[:alpha:]]`.
///
/// Blocks, ages and properties with numbers or other values are unsupported, because PCRE2 lacks them. Script
/// extensions are unsupported, because each Unicode version changes them, including those of old characters.
///
/// Source: `RegexCompile::createSetForProperty` and `UnicodeSet::applyPropertyAlias` of ICU; pcre2syntax, "GENERAL
/// CATEGORY PROPERTIES" and "BINARY PROPERTIES".
struct ICUProperty {
    /// The members of a PCRE2 class.
    var members: String
    /// The members when case is ignored, including those that ICU adds; `nil` if it adds more than a few.
    var membersInAnyCase: String?

    /// Returns `nil` if PCRE2 has no such property or uses another name for it.
    init?(named name: String) {
        let parts = name.split(separator: "=", omittingEmptySubsequences: false).map(Self.simplified)
        switch parts.count {
        case 1: self.init(simplified: parts[0])
        case 2: self.init(simplified: parts[1], of: parts[0])
        default: return nil
        }
    }

    private init?(simplified name: String) {
        if let category = Self.categories[name] {
            self.init(category: category)
        } else if let members = Self.special[name] {
            self.init(members: members, membersInAnyCase: Self.openToCase.contains(name) ? nil : members)
        } else if let property = Self.binary[name] {
            let members = "\\p{\(property)}"
            self.init(members: members, membersInAnyCase: Self.closedUnderCase.contains(property) ? members : nil)
        } else {
            self.init(script: name)
        }
    }

    private init?(simplified value: String, of property: String) {
        switch property {
        case "gc", "generalcategory":
            guard let category = Self.categories[value] else { return nil }
            self.init(category: category)
        case "sc", "script": self.init(script: value)
        default: return nil
        }
    }

    private init(members: String, membersInAnyCase: String?) {
        self.members = members
        self.membersInAnyCase = membersInAnyCase
    }

    private init(category: String) {
        members = "\\p{\(category)}"
        // U+0345, a mark, is a case variant of iota.
        switch category {
        case "L": membersInAnyCase = members + #"\x{345}"#
        case "M", "Mn": membersInAnyCase = members + #"\x{399}\x{3b9}\x{1fbe}"#
        case "Lu", "Ll", "Lt", "LC", "Nl", "So": membersInAnyCase = nil
        default: membersInAnyCase = members
        }
    }

    /// A script. PCRE2 checks later that it exists.
    private init?(script: String) {
        guard !script.isEmpty, script.unicodeScalars.allSatisfy(ICUText.isLetter), !Self.isJava(script) else {
            return nil
        }
        members = "\\p{sc:\(script)}"
        membersInAnyCase = nil
    }

    /// Whether a name is in Java's style for blocks and properties: `InGreek`, `IsGreek`, `javaLetter`.
    private static func isJava(_ name: String) -> Bool {
        if ["inherited", "inscriptionalpahlavi", "inscriptionalparthian", "java", "javanese"].contains(name) {
            return false
        }
        return ["in", "is", "java"].contains { name.hasPrefix($0) }
    }

    /// Normalizes a name. Names are compared without case, spaces, hyphens and underscores (UAX #44, loose matching).
    private static func simplified(_ name: Substring) -> String {
        String(name.filter { !" -_\t".contains($0) }).lowercased()
    }

    private static let categories: [String: String] = {
        let names = """
            L Letter, Lu UppercaseLetter, Ll LowercaseLetter, Lt TitlecaseLetter, LC CasedLetter, Lm ModifierLetter,
            Lo OtherLetter, M Mark CombiningMark, Mn NonspacingMark, Mc SpacingMark, Me EnclosingMark, N Number,
            Nd DecimalNumber Digit, Nl LetterNumber, No OtherNumber, P Punctuation Punct, Pc ConnectorPunctuation,
            Pd DashPunctuation, Ps OpenPunctuation, Pe ClosePunctuation, Pi InitialPunctuation, Pf FinalPunctuation,
            Po OtherPunctuation, S Symbol, Sm MathSymbol, Sc CurrencySymbol, Sk ModifierSymbol, So OtherSymbol,
            Z Separator, Zs SpaceSeparator, Zl LineSeparator, Zp ParagraphSeparator, C Other, Cc Control Cntrl,
            Cf Format, Cs Surrogate, Co PrivateUse, Cn Unassigned
            """
        return byName(names)
    }()

    /// Binary properties, with PCRE2's names as values.
    private static let binary: [String: String] = {
        let names = """
            Alphabetic Alpha, ASCII_Hex_Digit AHex, Bidi_Control BidiC, Case_Ignorable CI, Cased,
            Changes_When_Casefolded CWCF, Changes_When_Casemapped CWCM, Changes_When_Lowercased CWL,
            Changes_When_Titlecased CWT, Changes_When_Uppercased CWU, Dash, Default_Ignorable_Code_Point DI,
            Deprecated Dep, Diacritic Dia, Emoji, Emoji_Component EComp, Emoji_Modifier EMod, Emoji_Modifier_Base EBase,
            Emoji_Presentation EPres, Extended_Pictographic ExtPict, Extender Ext, Grapheme_Base GrBase,
            Grapheme_Extend GrExt, Grapheme_Link GrLink, Hex_Digit Hex, ID_Continue IDC, ID_Start IDS, Ideographic Ideo,
            IDS_Binary_Operator IDSB, IDS_Trinary_Operator IDST, Join_Control JoinC, Logical_Order_Exception LOE,
            Lowercase Lower, Math, Noncharacter_Code_Point NChar, Pattern_Syntax PatSyn, Pattern_White_Space PatWS,
            Quotation_Mark QMark, Radical, Regional_Indicator RI, Sentence_Terminal STerm, Soft_Dotted SD,
            Terminal_Punctuation Term, Unified_Ideograph UIdeo, Uppercase Upper, Variation_Selector VS,
            White_Space WSpace Space, XID_Continue XIDC, XID_Start XIDS
            """
        return byName(names)
    }()

    private static let closedUnderCase: Set = ["Alphabetic", "White_Space", "Dash", "Hex_Digit", "Quotation_Mark"]

    /// The POSIX classes that are not Unicode properties (UTS #18, annex C), and those of ICU.
    private static let special = [
        "alnum": #"\p{Alphabetic}\p{Nd}"#,
        "any": #"\x{0}-\x{10ffff}"#,
        "ascii": #"\x00-\x7f"#,
        "assigned": #"\P{Cn}"#,
        "blank": ICUText.horizontal,
        // All except White_Space, Cc, Cs and Cn. White space consists of Z and parts of Cc.
        "graph": #"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}"#,
        "print": #"\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}\p{Zs}"#,
        "word": ICUText.word,
        "xdigit": #"\p{Nd}\p{Hex_Digit}"#,
    ]

    /// The special properties to which ICU adds characters when case is ignored: U+017F and U+212A are variants of s
    /// and k.
    private static let openToCase: Set = ["ascii"]

    /// The names with their first name as value: `A B C, D` becomes `["a": "A", "b": "A", "c": "A", "d": "D"]`.
    private static func byName(_ lists: String) -> [String: String] {
        var byName: [String: String] = [:]
        for list in lists.split(separator: ",") {
            let names = list.split(whereSeparator: \.isWhitespace)
            for name in names { byName[simplified(name)] = String(names[0]) }
        }
        return byName
    }
}
