// swift-tools-version: 6.2
import PackageDescription

// To copy this package, replace `path: "../.."` with `url:` and a version.
let package = Package(
    name: "assay-examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "assay", path: "../..")],
    targets: ["form-field", "request-body", "many-strings"].map { name in
        .executableTarget(name: name, dependencies: [.product(name: "Assay", package: "assay")])
    },
    swiftLanguageModes: [.v6]
)
