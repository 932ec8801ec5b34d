import AssayFiles
import AssayRules
import Foundation
import Hummingbird

// assay-server RULES [PORT]      Rules for POST /clean; the default port is 8080, and 0 selects a free port.
// The environment may set IDLE_SECONDS, MAX_UPLOADS and MAX_UPLOAD_BYTES.

func setting(_ name: String, _ usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
}

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first, let port = Int(arguments.dropFirst().first ?? "8080") else {
    FileHandle.standardError.write(Data("usage: assay-server RULES [PORT]\n".utf8))
    exit(2)
}
let rules = try RuleFile.read(FileSource(path: path))

let router = Router()
router.add(middleware: ProblemMiddleware())
UserRoutes().add(to: router)
try CleanRoutes(
    rules: rules, maxBytes: setting("MAX_UPLOAD_BYTES", 10 << 30), maxUploads: setting("MAX_UPLOADS", 32)
).add(to: router)

let app = Application(
    router: router,
    // Closes connections without input for this time, of clients that are gone or do not read.
    server: .http1(configuration: .init(idleTimeout: .seconds(Int64(setting("IDLE_SECONDS", 60))))),
    configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "assay-server"),
    onServerRunning: { channel in
        FileHandle.standardOutput.write(Data("listening on port \(channel.localAddress?.port ?? 0)\n".utf8))
    })
try await app.runService()
