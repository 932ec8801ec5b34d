/// The time of work that only one thread at a time may do, in nanoseconds. All values compare as equal, so that
/// equality of results does not depend on times.
///
/// Work that the system serializes, such as writes to one file, is not included.
package struct SerialTime: Hashable, Sendable {
    /// Finding the record boundaries of a block. If the input is not a regular file, also waiting for it, reading and
    /// scanning it.
    package var records = 0
    /// Deciding keys in the order of the table.
    package var keys = 0
    /// Deciding waiting keys after all records are read.
    package var waitingKeys = 0
    /// Laying out findings again after a chunk's share of the limit became smaller.
    package var findings = 0
    /// Assigning places in the outputs, and counting; also writing, if an output is not a new file.
    package var outputs = 0

    /// The time that workers ran concurrently.
    package var sideBySide = 0
    /// The time until the outputs were on disk under their final names, and its processor time.
    package var publishing = Stopwatch.Reading()

    package static func == (one: SerialTime, other: SerialTime) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
