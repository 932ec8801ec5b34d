import AssayFiles
import CAssaySystem
import Testing

struct StagedFileTests {
    /// Runs `body` with a new directory, and removes the directory afterwards.
    private func inDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/assay-staged-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } }
        let directory = try #require(made)
        defer {
            for name in names(in: directory) { unlink(directory + "/" + name) }
            rmdir(directory)
        }
        try body(directory)
    }

    private func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func write(_ text: String, _ path: String) throws {
        let file = try StagedFile(path: path, replaces: true)
        try file.write(Array(text.utf8))
        try StagedFile.publish([file])
    }

    private func read(_ path: String) throws -> String {
        let source = try FileSource(path: path)
        let bytes = try [UInt8](unsafeUninitializedCapacity: 100) { buffer, count in
            count = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The two renames without replacement: in one step, and through a link.
    static let ways: [@Sendable (String, String) -> Int32] = [
        { renameToNew($0, $1) }, { linkToNew($0, $1) },
    ]

    @Test("a new name is given, a taken one is left alone", arguments: ways.indices)
    func newName(_ way: Int) throws {
        try inDirectory { directory in
            let (from, to) = (directory + "/from", directory + "/to")
            try write("ours", from)
            #expect(Self.ways[way](from, to) == 0)
            #expect(try read(to) == "ours" && names(in: directory) == ["to"])
            try write("more", from)
            #expect(Self.ways[way](from, to) == EEXIST)
            #expect(try read(to) == "ours" && read(from) == "more")
            #expect(Self.ways[way](directory + "/nothing", directory + "/new") == ENOENT)
        }
    }

    @Test("no file is published if one of several names is taken")
    func allOrNothing() throws {
        try inDirectory { directory in
            let first = try StagedFile(path: directory + "/first", replaces: false)
            let second = try StagedFile(path: directory + "/second", replaces: false)
            try write("theirs", directory + "/second")
            let error = #expect(throws: PublishError.self) { try StagedFile.publish([first, second]) }
            #expect(error?.failure.path == directory + "/second" && error?.published == [])
            #expect(!names(in: directory).contains("first"))
            #expect(try read(directory + "/second") == "theirs")
        }
    }

    @Test("a link that leads to no file stays a link, also where it may be replaced", arguments: [true, false])
    func deadLinks(replaces: Bool) throws {
        try inDirectory { directory in
            for (link, target) in [("out", "nowhere"), ("self", "self")] {
                symlink(target, directory + "/" + link)
                #expect(throws: FileError.self) {
                    try StagedFile(path: directory + "/" + link, replaces: replaces)
                }
            }
            #expect(names(in: directory) == ["out", "self"])
        }
    }

    @Test("an existing file is replaced only with permission")
    func staging() throws {
        try inDirectory { directory in
            try write("old", directory + "/out")
            let error = #expect(throws: FileError.self) { try StagedFile(path: directory + "/out", replaces: false) }
            #expect(error?.isTaken == true)
            try write("new", directory + "/out")
            #expect(try read(directory + "/out") == "new")
        }
    }
}
