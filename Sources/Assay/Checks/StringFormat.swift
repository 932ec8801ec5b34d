/// The named formats of strings, each as the checks it stands for.
package enum StringFormat {
    /// In the order of the Table Schema page.
    package static let names = ["default", "email", "uri", "binary", "uuid"]

    static func check(_ name: String) -> Check? {
        switch name {
        case "default": .all([])
        case "email": email
        case "uri": uri
        case "binary": binary
        case "uuid": uuid
        default: nil
        }
    }

    /// RFC 5321 mailbox with a dot-atom local part (≤ 64 octets) and a DNS domain of two labels or more, the last not all
    /// digits, ≤ 254 octets in all.
    private static let email = Check.all([
        .length(min: nil, max: 254, unit: .utf8),
        .pattern(
            #"(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"#
                + #"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+"#
                + #"(?![0-9]+\z)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"#),
    ])

    /// RFC 3986, section 3 (a URI has a scheme) and appendix A.
    private static let uri: Check = {
        let encoded = "%[0-9A-Fa-f]{2}"
        let unreserved = "A-Za-z0-9._~\\-"
        let delims = "!$&'()*+,;="
        let character = "(?:[\(unreserved)\(delims):@]|\(encoded))"
        let octet = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
        let ipv4 = "(?:\(octet)\\.){3}\(octet)"
        let hex = "[0-9A-Fa-f]{1,4}"
        let low = "(?:\(hex):\(hex)|\(ipv4))"
        let ipv6 =
            "(?:(?:\(hex):){6}\(low)|::(?:\(hex):){5}\(low)|(?:\(hex))?::(?:\(hex):){4}\(low)"
            + "|(?:(?:\(hex):){0,1}\(hex))?::(?:\(hex):){3}\(low)|(?:(?:\(hex):){0,2}\(hex))?::(?:\(hex):){2}\(low)"
            + "|(?:(?:\(hex):){0,3}\(hex))?::\(hex):\(low)|(?:(?:\(hex):){0,4}\(hex))?::\(low)"
            + "|(?:(?:\(hex):){0,5}\(hex))?::\(hex)|(?:(?:\(hex):){0,6}\(hex))?::)"
        let future = "v[0-9A-Fa-f]+\\.[\(unreserved)\(delims):]+"
        let host = "(?:\\[(?:\(ipv6)|\(future))\\]|(?:[\(unreserved)\(delims)]|\(encoded))*)"
        let userinfo = "(?:[\(unreserved)\(delims):]|\(encoded))*@"
        let authority = "(?:\(userinfo))?\(host)(?::[0-9]*)?"
        let hier =
            "(?://\(authority)(?:/\(character)*)*|/(?:\(character)+(?:/\(character)*)*)?"
            + "|\(character)+(?:/\(character)*)*|)"
        let rest = "(?:[\(unreserved)\(delims):@/?]|\(encoded))*"
        return .pattern("[A-Za-z][A-Za-z0-9+.-]*:\(hier)(?:\\?\(rest))?(?:#\(rest))?")
    }()

    /// RFC 4648, section 4: base64 with padding.
    private static let binary = Check.pattern(
        "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")

    /// RFC 9562: versions 1 to 8 with the IETF variant, and the nil and max UUIDs.
    private static let uuid = Check.pattern(
        "[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
            + "|0{8}-(?:0{4}-){3}0{12}|f{8}-(?:f{4}-){3}f{12}", options: .caseInsensitive)
}
