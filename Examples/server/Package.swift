// swift-tools-version: 6.2
import PackageDescription

// To copy this package, replace `path: "../.."` with `url:` and a version.
let package = Package(
    name: "assay-server",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "assay", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "assay-server",
            dependencies: [
                .product(name: "Assay", package: "assay"),
                .product(name: "AssayRules", package: "assay"),
                .product(name: "AssayFiles", package: "assay"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
