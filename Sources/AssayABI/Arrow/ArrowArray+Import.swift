internal import AssayFiles
internal import CAssayABI

/// Rows of an Arrow array that matches its schema: it has the buffers and children of its type, and its numbers are not
/// negative.
///
/// Offsets, views and indices are validated only for the columns that are checked.
struct ArrowColumn {
    let node: ArrowNode
    /// The name of the array in faults.
    let path: String
    private let array: ArrowArray
    /// Rows `start ..< start + count` of the buffers.
    private let start: Int
    let count: Int
    /// The validity of the enclosing structs.
    private let around: [Bitmap]

    init(_ node: ArrowNode, _ array: UnsafePointer<ArrowArray>?, path: String = "the array") throws(Fault) {
        guard let array else { throw .arrow(path, "is NULL") }
        try self.init(node, array, path: path, rows: nil, around: [])
    }

    /// - Parameter rows: the rows of the parent that has this array as a child; `nil` means all rows.
    private init(
        _ node: ArrowNode, _ pointer: UnsafePointer<ArrowArray>?, path: String, rows: Range<Int>?, around: [Bitmap]
    ) throws(Fault) {
        guard let array = pointer?.pointee else { throw .arrow(path, "is NULL") }
        try Self.expectSound(array, path)
        try Self.expectType(array, node, path)
        self.node = node
        self.path = path
        self.array = array
        self.around = around
        if let rows {
            guard array.length >= rows.upperBound else {
                throw .arrow(path, "has \(array.length) values, but its parent has \(rows.upperBound)")
            }
            start = Int(array.offset) + rows.lowerBound
            count = rows.count
        } else {
            start = Int(array.offset)
            count = Int(array.length)
        }
    }

    /// Checks the numbers of an array.
    private static func expectSound(_ array: ArrowArray, _ path: String) throws(Fault) {
        guard array.release != nil else { throw .arrow(path, "was released already") }
        guard array.length >= 0 else { throw .arrow(path, "has the length \(array.length)") }
        guard array.offset >= 0 else { throw .arrow(path, "has the offset \(array.offset)") }
        guard array.null_count >= -1 else { throw .arrow(path, "has the null count \(array.null_count)") }
        // The limit exceeds the address space, but keeps later sums and products from overflowing.
        guard array.length <= 1 << 48, array.offset <= 1 << 48 else {
            throw .arrow(path, "is longer than any memory")
        }
    }

    /// Checks that an array has the buffers and children of its type. Arrays of other types are not read.
    private static func expectType(_ array: ArrowArray, _ node: ArrowNode, _ path: String) throws(Fault) {
        if case .other = node.format { return }
        let (isViews, buffers) = (node.format == .textView, Int64(node.format.bufferCount))
        // Some producers give null arrays a validity map, as for other types. It is ignored.
        let hasSpareMap = node.format == .null && array.n_buffers == 1
        guard
            array.n_buffers == buffers || hasSpareMap
                || isViews && array.n_buffers > buffers && array.n_buffers < 1 << 31
        else {
            throw .arrow(path, "has \(array.n_buffers) buffers, but its type has \(buffers)")
        }
        guard array.n_children == node.children.count else {
            throw .arrow(path, "has \(array.n_children) children, but its schema has \(node.children.count)")
        }
        guard array.n_buffers == 0 || array.buffers != nil else { throw .arrow(path, "has no list of its buffers") }
        guard array.n_children == 0 || array.children != nil else { throw .arrow(path, "has no list of its children") }
        guard (array.dictionary != nil) == !node.dictionary.isEmpty else {
            throw .arrow(
                path,
                node.dictionary.isEmpty ? "has a dictionary, but its schema has no dictionary" : "has no dictionary")
        }
    }

    /// The columns of a struct. Columns of nested structs are named `outer.inner`.
    func leaves(_ outer: [String] = []) throws(Fault) -> [(name: String, column: ArrowColumn)] {
        var leaves: [(String, ArrowColumn)] = []
        let (around, names) = (try around + ownValidity(), node.namesInside(outer))
        for (index, child) in node.children.enumerated() {
            let name = names.all[index]
            let column = try ArrowColumn(
                child, array.children[index], path: "the column '\(name)'", rows: start..<start + count, around: around)
            if child.format == .structure {
                leaves += try column.leaves(outer + [child.name]).filter { !names.hides($0.name, outer) }
            } else {
                leaves.append((name, column))
            }
        }
        return leaves
    }

    private func ownValidity() throws(Fault) -> [Bitmap] {
        guard node.format != .null, node.format != .runs, array.null_count != 0 else { return [] }
        guard let bits = array.buffers[0] else {
            // Some producers omit the map and leave the count unknown if there are no nulls.
            guard array.null_count <= 0 else {
                throw .arrow(path, "has \(array.null_count) nulls, but no validity bitmap")
            }
            return []
        }
        return [Bitmap(bytes: bits.assumingMemoryBound(to: UInt8.self), offset: start)]
    }

    /// The values. ``SourceColumn/hasValidLayout(_:)`` validates the positions of single values.
    ///
    /// - Parameter style: the text form of values that are not text.
    func column(_ style: TextStyle) throws(Fault) -> SourceColumn {
        try node.mustBeCheckable(path)
        let validity = try around + ownValidity()
        let values: SourceColumn.Values = count == 0 ? .nothing : try values(style)
        var numbers: NumberColumn?
        if case .written = values, let base = array.buffers[1] {
            numbers = NumberColumn(node.format, base, start: start)
        }
        return SourceColumn(
            count: count, values: values, path: printable(path), faultCode: ASSAY_FAULT_ARROW, validity: validity,
            numbers: numbers)
    }

    private func values(_ style: TextStyle) throws(Fault) -> SourceColumn.Values {
        if !node.dictionary.isEmpty { return try dictionary(style) }
        switch node.format {
        case .null: return .nothing
        case .text32: return .offsets32(try bytes(Int32.self), try buffer(1, as: Int32.self))
        case .text64: return .offsets64(try bytes(Int64.self), try buffer(1, as: Int64.self))
        case .textView: return try views()
        case .runs: return try runs(style)
        default:
            guard let base = array.buffers[1] else { throw .arrow(path, "has no values") }
            guard let writer = style.writer(node.format, base, start: start) else {
                throw .arrow(path, "is of a type that no rule can judge")
            }
            return .written(writer)
        }
    }

    private func buffer<Element>(_ index: Int, as type: Element.Type) throws(Fault) -> UnsafePointer<Element> {
        guard let base = array.buffers[index] else { throw .arrow(path, "lacks buffer \(index)") }
        guard Int(bitPattern: base) % MemoryLayout<Element>.alignment == 0 else {
            throw .arrow(path, "has a buffer \(index) that is not aligned")
        }
        return base.assumingMemoryBound(to: type) + start
    }

    /// The bytes of texts. If the buffer is NULL, the last offset must be 0, and then so are all ascending offsets.
    private func bytes<Offset: FixedWidthInteger>(_ type: Offset.Type) throws(Fault) -> UnsafePointer<UInt8> {
        let offsets = try buffer(1, as: Offset.self)
        guard let bytes = array.buffers[2] else {
            if offsets[count] == 0 { return UnsafePointer(emptyBase) }
            throw .arrow(path, "has no text")
        }
        return bytes.assumingMemoryBound(to: UInt8.self)
    }

    private func views() throws(Fault) -> SourceColumn.Values {
        let views = try buffer(1, as: StringView.self)
        // The last buffer contains the sizes of the buffers that views point into.
        var buffers: [UnsafeBufferPointer<UInt8>] = []
        if array.n_buffers > 3 {
            guard let sizes = array.buffers[Int(array.n_buffers) - 1] else {
                throw .arrow(path, "lacks the sizes of its buffers")
            }
            guard Int(bitPattern: sizes) % MemoryLayout<Int64>.alignment == 0 else {
                throw .arrow(path, "has sizes of its buffers that are not aligned")
            }
            let lengths = sizes.assumingMemoryBound(to: Int64.self)
            for index in 0..<Int(array.n_buffers) - 3 {
                guard lengths[index] >= 0 else { throw .arrow(path, "has a buffer of \(lengths[index]) bytes") }
                let base = array.buffers[2 + index]
                guard base != nil || lengths[index] == 0 else { throw .arrow(path, "lacks buffer \(2 + index)") }
                buffers.append(
                    UnsafeBufferPointer(
                        start: base?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(emptyBase),
                        count: Int(lengths[index])))
            }
        }
        return .views(views, ViewBuffers(buffers, views: UnsafeRawBufferPointer(start: views, count: count * 16)))
    }

    private func dictionary(_ style: TextStyle) throws(Fault) -> SourceColumn.Values {
        guard case .integer(let type) = node.format else { throw .arrow(path, "has indices that are not integers") }
        let values = try ArrowColumn(node.dictionary[0], array.dictionary, path: "the dictionary of \(path)")
            .sharedValues(style)
        let width: Indices.Width =
            switch type {
            case .int8: .int8(try buffer(1, as: Int8.self))
            case .uint8: .uint8(try buffer(1, as: UInt8.self))
            case .int16: .int16(try buffer(1, as: Int16.self))
            case .uint16: .uint16(try buffer(1, as: UInt16.self))
            case .int32: .int32(try buffer(1, as: Int32.self))
            case .uint32: .uint32(try buffer(1, as: UInt32.self))
            case .int64: .int64(try buffer(1, as: Int64.self))
            case .uint64: .uint64(try buffer(1, as: UInt64.self))
            }
        return .dictionary(Indices(width: width), values: values)
    }

    private func runs(_ style: TextStyle) throws(Fault) -> SourceColumn.Values {
        guard node.children.count == 2, case .integer(let type) = node.children[0].format,
            node.children[0].dictionary.isEmpty
        else { throw .arrow(path, "is run-end encoded, without the ends of its runs and their values") }
        let ends = try ArrowColumn(node.children[0], array.children[0], path: "the run ends of \(path)")
        let (runs, width): (Range<Int>, Indices.Width)
        switch type {
        case .int16: (runs, width) = try self.runs(ends, Int16.self) { .runs16($0) }
        case .int32: (runs, width) = try self.runs(ends, Int32.self) { .runs32($0) }
        case .int64: (runs, width) = try self.runs(ends, Int64.self) { .runs64($0) }
        default: throw .arrow(ends.path, "are of a type that Arrow does not allow for them")
        }
        let values = try ArrowColumn(
            node.children[1], array.children[1], path: "the values of \(path)", rows: runs, around: []
        ).sharedValues(style)
        return .dictionary(Indices(width: width), values: values)
    }

    /// The runs that contain these rows, after validating their ends. O(log runs), plus the runs of the rows.
    private func runs<End: FixedWidthInteger>(
        _ column: ArrowColumn, _ type: End.Type, _ make: (RunEnds<End>) -> Indices.Width
    ) throws(Fault) -> (Range<Int>, Indices.Width) {
        guard column.array.null_count == 0 || column.array.null_count == -1 && column.array.buffers[0] == nil else {
            throw .arrow(column.path, "may be null")
        }
        guard column.count > 0 else { throw .arrow(path, "has \(count) rows and no runs") }
        let ends = try column.buffer(1, as: type)
        guard Int(ends[column.count - 1]) >= start + count else {
            throw .arrow(path, "has \(start + count) rows, and runs for \(ends[column.count - 1])")
        }
        let all = RunEnds(ends: ends, count: column.count, start: start)
        let first = all.run(of: 0)
        let last = all.run(of: count - 1)
        // If the array has many more runs than rows, because it is processed in many slices, validate only the used
        // runs.
        let looked = column.count <= 4 * count + 1024 ? 0..<column.count : first..<max(first, last) + 1
        for run in looked where Int(ends[run]) <= (run == 0 ? 0 : run == first ? start : Int(ends[run - 1])) {
            throw .arrow(column.path, "do not ascend, at run \(run)")
        }
        guard first <= last, Int(ends[last]) >= start + count else {
            throw .arrow(column.path, "do not ascend, at run \(last)")
        }
        return (first..<last + 1, make(RunEnds(ends: ends + first, count: last + 1 - first, start: start)))
    }

    /// The values that rows share: of a dictionary or of runs.
    private func sharedValues(_ style: TextStyle) throws(Fault) -> SourceColumn {
        let values = try column(style)
        if case .dictionary = values.values { throw .arrow(path, "has values that are encoded once more") }
        return values
    }
}
