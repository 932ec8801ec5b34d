// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A separate package, so that users of Assay do not resolve or build it. It uses no benchmark framework, because a few
// small files suffice to measure ratios in one run (Sources/AssayBenchmarks/Harness).

/// Whether a header of a C or C++ library is installed (Benchmarks/rivals/install.sh). The benchmarks contain only
/// installed libraries; the results omit the others. SwiftPM caches manifests and build plans: after installing a
/// library, build with `--manifest-cache none --disable-build-manifest-caching`, as `make bench` does.
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
        .executable(name: "assay-benchmarks", targets: ["AssayBenchmarks"])
    ],
    dependencies: [.package(name: "assay", path: "..")],
    targets: rivals + [
        // Not the CPCRE2 of Assay, because the bare loop represents code that does not use Assay.
        .systemLibrary(
            name: "CSystemPCRE2", pkgConfig: "libpcre2-8",
            providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
        .target(
            name: "CBareLoop", dependencies: ["CSystemPCRE2"],
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
