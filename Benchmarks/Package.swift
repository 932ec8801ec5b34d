// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that who uses Assay resolves and builds none of this. No benchmark framework: what is measured
// here are ratios in one run, and a few small files do that in plain sight (Sources/AssayBenchmarks/Harness).
let package = Package(
    name: "assay-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "assay-benchmarks", targets: ["AssayBenchmarks"]),
        .executable(name: "assay-measure", targets: ["AssayMeasure"]),
    ],
    dependencies: [.package(name: "assay", path: "..")],
    targets: [
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
            dependencies: ["CBareLoop", .product(name: "Assay", package: "assay")],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)
