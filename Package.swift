// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Warnings are errors in our own code; strict concurrency comes with the language mode. `internal` imports keep C
// types out of the public API.
let swiftSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// For tests: random pauses at shared values of threads (Sources/CAssay/Memory/assay_chaos.h).
let chaos: [CSetting] = Context.environment["ASSAY_CHAOS"] != nil ? [.define("ASSAY_CHAOS")] : []

// Platforms whose users can install PCRE2 as a system library. On all others, and without the trait SystemPCRE2, only
// patterns that a DFA can match compile.
let pcre2Platforms: [Platform] = [.macOS, .linux]
let pcre2: [CSetting] = [.define("ASSAY_PCRE2", .when(platforms: pcre2Platforms, traits: ["SystemPCRE2"]))]

let cSettings: [CSetting] =
    chaos + pcre2 + [
        .headerSearchPath("."),
        .enableWarning("all"),
        .enableWarning("extra"),
        .treatAllWarnings(as: .error),
    ]

// Packages that depend on a version of this one resolve and fetch no other package unless they enable a trait:
//
//     .package(url: "…/assay", from: "0.1.0")                                Assay, AssayRules, AssayFiles
//     .package(url: "…/assay", from: "0.1.0", traits: [])                    the same without PCRE2
//     .package(url: "…/assay", from: "0.1.0", traits: [.defaults, "Forms"])  and AssayForms: OpenCombine
//     .package(url: "…/assay", from: "0.1.0", traits: [.defaults, "Macros"]) and AssayMacros: swift-syntax
//     .package(url: "…/assay", from: "0.1.0", traits: [.defaults, "Command"])  the command: swift-argument-parser
//
// Each dependency on a product of another package must have the condition of a trait, also in test targets, because
// SwiftPM omits a package only if all uses are disabled.
//
// In a folder of its own, such as a clone, the package has all traits, so that `swift build` builds it. SwiftPM reads
// the manifest of a version from the repository, which has the root "/", and later from its folder of checkouts.
//
// A test target that depends on a macro makes SwiftPM compile every test target a second time, for the host, and
// swift-syntax takes longer to compile than the rest of this package. In builds of this package, ASSAY_TARGETS
// therefore selects the targets:
//
//     (unset)   all but the tests of the macros, for packages that depend on this one
//     core      no macros: `make test`
//     macros    the libraries, the macros and their tests, without the other tests: `make test-macros`
//
// The selections share one scratch path, because the commands that compile the common targets are the same.
let selection = Context.environment["ASSAY_TARGETS"]
let hasMacros = selection != "core"
let isDependency = Context.packageDirectory == "/" || Context.packageDirectory.contains("/checkouts/")

let openCombine = Target.Dependency.product(
    name: "OpenCombineShim", package: "OpenCombine",
    condition: .when(platforms: [.linux, .windows, .android], traits: ["Forms"]))
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"]))

func swiftSyntax(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-syntax", condition: .when(traits: ["Macros"]))
}

let package = Package(
    name: "assay",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Assay", targets: ["Assay"]),
        .library(name: "AssayFoundation", targets: ["AssayFoundation"]),
        .library(name: "AssayForms", targets: ["AssayForms"]),
        .library(name: "AssayRules", targets: ["AssayRules"]),
        .library(name: "AssayFiles", targets: ["AssayFiles", "AssayFilesFoundation"]),
        // Scripts/build-libassay.sh makes libassay from this product.
        .library(name: "AssayABI", type: .static, targets: ["AssayABI"]),
        .executable(name: "assay", targets: ["AssayTool"]),
    ],
    traits: [
        .trait(name: "Command", description: "The command `assay`."),
        .trait(name: "Forms", description: "AssayForms: fields and validators for forms."),
        .trait(name: "Macros", description: "AssayMacros: `#all`, `#any`, `#not`, `#when`, `#pattern`."),
        .trait(name: "SystemPCRE2", description: "Patterns that need backtracking, by the system's PCRE2."),
        .default(enabledTraits: isDependency ? ["SystemPCRE2"] : ["Command", "Forms", "Macros", "SystemPCRE2"]),
    ],
    // Scripts/swift-release.sh pins the version of swift-argument-parser, because the released command contains it.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    // In data-flow order. Each target may import only the targets above it.
    targets: [
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(
            name: "CYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(
            name: "CUchardet", pkgConfig: "uchardet",
            providers: [.apt(["libuchardet-dev"]), .brew(["uchardet"])]),
        // The C library. The name is not that of swift-system's CSystem, because all targets in a build must have
        // different names.
        .systemLibrary(name: "CAssaySystem"),
        // Loads ISA-L on first use.
        .target(name: "CGzip", cSettings: cSettings),
        .target(name: "CDigest", cSettings: cSettings),
        .target(
            name: "CAssay",
            dependencies: [
                .target(name: "CPCRE2", condition: .when(platforms: pcre2Platforms, traits: ["SystemPCRE2"]))
            ],
            cSettings: cSettings),
        .target(name: "Assay", dependencies: ["CAssay", "CAssaySystem"], swiftSettings: swiftSettings),
        // Conformances to Foundation's protocols. The command does not contain Foundation.
        .target(name: "AssayFoundation", dependencies: ["Assay"], swiftSettings: swiftSettings),
        // OpenCombine replaces Combine on systems without it.
        .target(
            name: "AssayForms",
            dependencies: [
                "Assay",
                "AssayFoundation",
                openCombine,
            ],
            swiftSettings: swiftSettings),
        .target(name: "AssayRules", dependencies: ["Assay", "CYAML"], swiftSettings: swiftSettings),
        .target(
            name: "AssayEvaluation", dependencies: ["AssayRules", "CAssay", "CAssaySystem"],
            swiftSettings: swiftSettings),
        .target(
            name: "AssayFiles",
            dependencies: [
                "AssayEvaluation", "AssayRules", "CAssay", "CAssaySystem", "CDigest", "CGzip", "CZstd", "CUchardet",
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "AssayFilesFoundation", dependencies: ["AssayFiles", "AssayFoundation", "AssayRules"],
            swiftSettings: swiftSettings),
        .systemLibrary(name: "CAssayABI"),
        .target(
            name: "AssayABI",
            dependencies: ["CAssayABI", "AssayEvaluation", "AssayFiles", "CAssay", "CAssaySystem"],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "AssayTool",
            dependencies: [
                "AssayFiles", "CAssaySystem", argumentParser,
            ],
            swiftSettings: swiftSettings),
        // For `make torture`.
        .executableTarget(
            name: "TortureDriver", dependencies: ["AssayFiles", "CAssaySystem"], path: "Tests/Torture/Driver",
            swiftSettings: swiftSettings),
        // For `make bench`.
        .executableTarget(
            name: "StagesDriver", dependencies: ["AssayFiles"], path: "Benchmarks/Stages",
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

if hasMacros {
    package.products.append(.library(name: "AssayMacros", targets: ["AssayMacros"]))
    // Earlier versions lack the protocol of message handlers.
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"700.0.0"))
    package.targets += [
        .macro(
            name: "AssayMacrosPlugin",
            dependencies: [
                "CAssay", swiftSyntax("SwiftSyntax"),
                swiftSyntax("SwiftSyntaxMacros"),
                swiftSyntax("SwiftSyntaxBuilder"),
                swiftSyntax("SwiftDiagnostics"),
                swiftSyntax("_SwiftCompilerPluginMessageHandling"),
            ],
            swiftSettings: swiftSettings),
        .target(name: "AssayMacros", dependencies: ["Assay", "AssayMacrosPlugin"], swiftSettings: swiftSettings),
    ]
}

if selection == "macros" {
    package.targets.append(
        .testTarget(
            name: "AssayMacrosTests",
            dependencies: [
                "AssayMacros", "AssayMacrosPlugin", swiftSyntax("SwiftDiagnostics"),
                swiftSyntax("SwiftParser"),
                swiftSyntax("SwiftSyntax"),
                swiftSyntax("SwiftSyntaxMacros"),
                swiftSyntax("SwiftSyntaxMacroExpansion"),
                swiftSyntax("_SwiftCompilerPluginMessageHandling"),
            ],
            swiftSettings: swiftSettings))
} else {
    package.targets += [
        .testTarget(
            name: "AssayTests", dependencies: ["Assay", "CAssay", "CAssaySystem"], swiftSettings: swiftSettings),
        .testTarget(
            name: "AssayFormsTests",
            dependencies: [
                "AssayForms",
                openCombine,
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "AssayRulesTests", dependencies: ["AssayRules", "CAssaySystem"], swiftSettings: swiftSettings),
        .testTarget(
            name: "AssayFilesTests",
            dependencies: ["AssayFiles", "AssayFilesFoundation", "CAssaySystem", "CGzip"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "AssayToolTests",
            dependencies: ["AssayTool", argumentParser],
            swiftSettings: swiftSettings),
    ]
}
