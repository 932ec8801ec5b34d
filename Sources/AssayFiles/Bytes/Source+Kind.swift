// The first cast of a process that fails looks for a type of Foundation among all types, and the first that asks for a
// conformance goes through all conformances: together a twentieth of the instructions it takes to start. Most sources
// are files, which a cast finds at once.
extension Source {
    /// The source, if it is one that bytes are pushed into.
    var pushed: PushSource? { self is FileSource ? nil : self as? PushSource }

    /// Lets threads unpack and decode ahead, from now on, if that is done at all.
    func startReadingAheadIfPossible() {
        if self is FileSource { return }
        (self as? any ReadingAhead)?.startReadingAhead()
    }
}
