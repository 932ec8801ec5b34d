/// How long a run did work that only one thread may do at a time, in nanoseconds. It says nothing about what came of the run, so that
/// results are equal whatever it is.
///
/// What the system does one after the other, such as writes to one file, is not in it.
package struct SerialTime: Hashable, Sendable {
    /// Finding out where the records of a block begin; of what is no regular file reading and scanning it, and waiting for it.
    package var records = 0
    /// Deciding about keys, in the order of the table.
    package var keys = 0
    /// Deciding about those that wait, once all records are read.
    package var waitingKeys = 0
    /// Laying out anew those findings that the limit of findings left room for.
    package var findings = 0
    /// Finding out where records belong in the outputs, and counting; or writing to what is no new file.
    package var outputs = 0

    /// How long workers worked side by side.
    package var sideBySide = 0
    /// How long it took until the outputs were on the disk and had their names, and the processor time of that.
    package var publishing = Stopwatch.Reading()

    package static func == (one: SerialTime, other: SerialTime) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
