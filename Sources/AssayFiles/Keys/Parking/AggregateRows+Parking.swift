internal import Assay

extension AggregateRows {
    /// Appends the values of the chunk to `bytes`.
    func park(in bytes: inout PlainBytes) {
        let state = state
        bytes.put(all: state.open)
        for column in state.columns {
            bytes.put(all: column.present)
            bytes.put(all: column.others)
            bytes.put(all: column.values)
            bytes.put(all: column.scales)
            bytes.put(all: column.exact)
            bytes.put(all: column.hashes)
        }
    }

    /// Restores the values of a chunk from `bytes`.
    func restore(from bytes: inout PlainBytes) {
        var state = state
        state.open = bytes.takeAll()
        for index in state.columns.indices {
            state.columns[index].present = bytes.takeAll()
            state.columns[index].others = bytes.takeAll()
            state.columns[index].values = bytes.takeAll()
            state.columns[index].scales = bytes.takeAll()
            state.columns[index].exact = bytes.takeAll()
            state.columns[index].hashes = bytes.takeAll()
        }
        self.state = state
    }
}
