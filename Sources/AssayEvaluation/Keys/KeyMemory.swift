internal import CAssaySystem

/// Returns the default memory limit for keys, in bytes: a quarter of the memory of the machine or of its container,
/// whichever is smaller, but at least 16 MiB.
package func usualKeyMemory() -> Int {
    let pages = max(0, sysconf(Int32(_SC_PHYS_PAGES)))
    let machine = pages.multipliedReportingOverflow(by: Int(getpagesize())).partialValue
    return max(1 << 24, min(machine, containerMemory() ?? .max) / 4)
}

/// Returns the memory limit of the container, or `nil`. Source: cgroups(7), memory.max.
private func containerMemory() -> Int? {
    guard let file = fopen("/sys/fs/cgroup/memory.max", "re") else { return nil }
    defer { fclose(file) }
    var bytes = 0
    return withUnsafeMutablePointer(to: &bytes) { bytes in
        withVaList([bytes]) { vfscanf(file, "%ld", $0) } == 1 && bytes.pointee > 0 ? bytes.pointee : nil
    }
}
