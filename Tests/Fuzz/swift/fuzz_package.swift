import AssayRules

private struct Missing: Error {}

/// Fuzzes descriptors of Data Packages, and the schemas and dialects in files of their own: the parts between bytes of
/// zero, in the order in which they are asked for. No path that is asked for, or given back, leads out of the folder;
/// the rules of a table that is accepted are accepted again as they are written.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let parts = UnsafeBufferPointer(start: data, count: size).split(separator: 0, omittingEmptySubsequences: false)
    let descriptor = parts.first.map(Array.init) ?? []
    var files = parts.dropFirst()
    _ = DataPackage.isDescriptor(descriptor)
    do throws(RuleFileError) {
        let package = try DataPackage.parse(descriptor, name: "datapackage.json") { path in
            precondition(isInside(path), path)
            guard let file = files.popFirst() else { throw Missing() }
            return (path, Array(file))
        }
        precondition(!package.tables.isEmpty)
        for table in package.tables {
            precondition(!table.paths.isEmpty && table.paths.allSatisfy(isInside))
            for other in package.tables(referredToBy: table, in: "folder/") {
                precondition(other.paths.allSatisfy { $0.hasPrefix("folder/") && isInside($0) })
            }
            checkAgain(table.rules)
        }
    } catch {
        precondition(!error.problems.isEmpty && error.problems.allSatisfy { !$0.message.isEmpty })
    }
    return 0
}

/// Whether a path leads to something in the folder where it begins.
private func isInside(_ path: String) -> Bool {
    var depth = 0
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
        switch part {
        case "..": depth -= 1
        case "", ".": break
        default: depth += 1
        }
        if depth < 0 { return false }
    }
    return !path.isEmpty && !path.hasPrefix("/")
}

/// Rules are written as JSON that is read as the same rules.
private func checkAgain(_ rules: RuleFile) {
    var limits = Limits()
    limits.trustRuleFiles()
    do throws(RuleFileError) {
        let again = try RuleFile.parse(Array(rules.json().utf8), name: "again.json", limits: limits)
        precondition(again.json() == rules.json())
    } catch {
        fatalError("\(error)")
    }
}
