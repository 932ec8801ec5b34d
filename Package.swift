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

let cSettings: [CSetting] =
    chaos + [
        .headerSearchPath("."),
        .enableWarning("all"),
        .enableWarning("extra"),
        .treatAllWarnings(as: .error),
    ]

// Not on Linux, because SwiftPM warns about a flag in the .pc file, and the library is in a standard folder there.
#if os(Linux)
    let utf8procPackage: String? = nil
#else
    let utf8procPackage: String? = "libutf8proc"
#endif

// Macros need swift-syntax, which takes longer to compile than the rest of this package, and a test target that depends
// on a macro makes SwiftPM compile every test target a second time, for the host. ASSAY_TARGETS therefore selects the
// targets:
//
//     (unset)   all but the tests of the macros, for packages that depend on this one
//     core      no macros: `make test`
//     macros    the libraries, the macros and their tests, without the other tests: `make test-macros`
//
// The selections share one scratch path, because the commands that compile the common targets are the same.
let selection = Context.environment["ASSAY_TARGETS"]
let hasMacros = selection != "core"

let package = Package(
    name: "assay",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Assay", targets: ["Assay"]),
        .library(name: "AssayForms", targets: ["AssayForms"]),
        .library(name: "AssayRules", targets: ["AssayRules"]),
        .library(name: "AssayFiles", targets: ["AssayFiles"]),
        // Scripts/build-libassay.sh makes libassay from this product.
        .library(name: "AssayABI", type: .static, targets: ["AssayABI"]),
        .executable(name: "assay", targets: ["AssayTool"]),
    ],
    dependencies: [
        // Exact, because the released command contains it and its build must be reproducible. Packages that depend on a
        // library of this package do not get it.
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    // In data-flow order. Each target may import only the targets above it.
    targets: [
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .systemLibrary(
            name: "CUtf8proc", pkgConfig: utf8procPackage,
            providers: [.apt(["libutf8proc-dev"]), .brew(["utf8proc"])]),
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
            name: "CAssay", dependencies: ["CPCRE2", "CUtf8proc"], cSettings: cSettings,
            linkerSettings: [.linkedLibrary("utf8proc")]),
        .target(name: "Assay", dependencies: ["CAssay", "CAssaySystem"], swiftSettings: swiftSettings),
        // OpenCombine replaces Combine on systems without it.
        .target(
            name: "AssayForms",
            dependencies: [
                "Assay",
                .product(
                    name: "OpenCombineShim", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .windows, .android])),
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
        .systemLibrary(name: "CAssayABI"),
        .target(
            name: "AssayABI",
            dependencies: ["CAssayABI", "AssayEvaluation", "AssayFiles", "CAssay", "CAssaySystem"],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "AssayTool",
            dependencies: [
                "AssayFiles", "CAssaySystem", .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"))
    package.targets += [
        .macro(
            name: "AssayMacrosPlugin",
            dependencies: [
                "CAssay", .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "_SwiftCompilerPluginMessageHandling", package: "swift-syntax"),
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
                "AssayMacros", "AssayMacrosPlugin", .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "_SwiftCompilerPluginMessageHandling", package: "swift-syntax"),
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
                .product(
                    name: "OpenCombineShim", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .windows, .android])),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "AssayRulesTests", dependencies: ["AssayRules", "CAssaySystem"], swiftSettings: swiftSettings),
        .testTarget(
            name: "AssayFilesTests", dependencies: ["AssayFiles", "CAssaySystem", "CGzip"], swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "AssayToolTests",
            dependencies: ["AssayTool", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: swiftSettings),
    ]
}
