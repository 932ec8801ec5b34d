// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A package of its own, so that who uses Assay resolves and builds none of this. No benchmark framework: what is measured
// here are ratios in one run, and a few small files do that in plain sight (Sources/AssayBenchmarks/Harness).

/// Rivals that are C or C++ libraries are built in when they are installed (Benchmarks/rivals/install.sh) and absent from the
/// results when they are not. SwiftPM remembers what a manifest said and what it planned: after installing, build with
/// `--manifest-cache none --disable-build-manifest-caching`, as `make bench` does.
func isInstalled(_ header: String) -> Bool {
    ["/usr/include/", "/usr/local/include/", "/opt/homebrew/include/"].contains {
        FileManager.default.fileExists(atPath: $0 + header)
    }
}

var rivals: [Target] = []
var settings: [SwiftSetting] = []
if isInstalled("re2/re2.h") {
    rivals.append(
        .target(
            name: "CRE2Loop", cxxSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("re2")]))
    settings.append(.define("HAS_RE2"))
}
if isInstalled("hs/hs.h") {
    rivals.append(
        .target(
            name: "CHyperscanLoop", cSettings: [.enableWarning("all"), .treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("hs")]))
    settings.append(.define("HAS_HYPERSCAN"))
}

let package = Package(
    name: "assay-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "assay-benchmarks", targets: ["AssayBenchmarks"]),
        .executable(name: "assay-measure", targets: ["AssayMeasure"]),
    ],
    dependencies: [.package(name: "assay", path: "..")],
    targets: rivals + [
        // Not the CPCRE2 of Assay: the bare loop is what somebody would write who has never heard of Assay.
        .systemLibrary(
            name: "CSystemPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .target(
            name: "CBareLoop", dependencies: ["CSystemPCRE2"],
            cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "AssayMeasure",
            cSettings: [.enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "AssayBenchmarks",
            dependencies: ["CBareLoop", .product(name: "Assay", package: "assay")]
                + rivals.map { .target(name: $0.name) },
            swiftSettings: settings + [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11,
    cxxLanguageStandard: .cxx17
)
