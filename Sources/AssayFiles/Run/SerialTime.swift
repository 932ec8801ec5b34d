/// How long a run did work that only one thread may do at a time. It says nothing about what came of the run, so that results are
/// equal whatever it is.
package struct SerialTime: Hashable, Sendable {
    /// Nanoseconds of finding out where the records of a block begin, or of what is no regular file reading and scanning it.
    package var reading = 0
    /// Nanoseconds of finding out where records belong in the outputs, or writing to what is no new file.
    package var writing = 0

    package static func == (one: SerialTime, other: SerialTime) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
