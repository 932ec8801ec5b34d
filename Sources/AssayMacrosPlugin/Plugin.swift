@_spi(PluginMessage) internal import SwiftCompilerPluginMessageHandling
internal import SwiftSyntaxMacros

#if !Macros
    #error("AssayMacros needs swift-syntax: enable the trait 'Macros' of the package")
#endif

/// The compiler plug-in that expands the macros of AssayMacros.
///
/// The same as swift-syntax's `CompilerPlugin`, except that its messages pass through ``PlacingHandler``, so that an
/// error can refer to a character inside a literal.
@main
struct Plugin: PluginProvider {
    static let macros: [any Macro.Type] = [
        AllMacro.self, AnyMacro.self, NotMacro.self, WhenMacro.self, PatternMacro.self,
    ]

    static func main() throws {
        let connection = try StandardIOMessageConnection()
        let handler = PlacingHandler(PluginProviderMessageHandler(provider: Plugin()))
        try CompilerPluginMessageListener(connection: connection, messageHandler: handler).main()
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
        guard let macro = Self.macros.first(where: { String(reflecting: $0) == "\(moduleName).\(typeName)" }) else {
            throw UnknownMacro(description: "this plug-in of Assay has no macro \(moduleName).\(typeName)")
        }
        return macro
    }
}

private struct UnknownMacro: Error, CustomStringConvertible {
    let description: String
}
