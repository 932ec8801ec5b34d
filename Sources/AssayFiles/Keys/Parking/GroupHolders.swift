/// The holder of each group of equal keys. Holders that do not fit in memory are in a file and read one by one.
struct GroupHolders {
    /// A record, or 0 if the group has no holder, and its ``RecordPlace``.
    struct Holder: BitwiseCopyable {
        var record: UInt64 = 0
        var place: UInt64 = 0
    }

    private let file: ScratchFile
    private let maxItemsInMemory: Int
    private var inMemory: [Holder] = []
    /// The offset of each block of holders in the file.
    private var blocks: [Int] = []
    private(set) var count = 0

    private static let blockHolders = 1 << 12

    /// - Parameter bytes: The maximum memory.
    init(_ file: ScratchFile, memory bytes: Int) {
        self.file = file
        maxItemsInMemory = bytes / MemoryLayout<Holder>.stride
    }

    /// Adds a group, and returns its number.
    mutating func append(_ holder: Holder = Holder()) throws(FileError) -> Int {
        if count < maxItemsInMemory {
            inMemory.append(holder)
        } else {
            if count - maxItemsInMemory == blocks.count * Self.blockHolders {
                blocks.append(try file.append(all: Array(repeating: Holder(), count: Self.blockHolders)))
            }
            try set(count, holder)
        }
        count += 1
        return count - 1
    }

    /// Removes the groups from this number on.
    mutating func removeAll(from number: Int) {
        count = number
        if number < inMemory.count { inMemory.removeLast(inMemory.count - number) }
    }

    func holder(_ group: Int) throws(FileError) -> Holder {
        if group < inMemory.count { return inMemory[group] }
        return try file.read(at: offset(group))
    }

    mutating func set(_ group: Int, _ holder: Holder) throws(FileError) {
        if group < inMemory.count {
            inMemory[group] = holder
        } else {
            try file.write(holder, at: offset(group))
        }
    }

    private func offset(_ group: Int) -> Int {
        let place = group - maxItemsInMemory
        return blocks[place / Self.blockHolders] + place % Self.blockHolders * MemoryLayout<Holder>.stride
    }
}
