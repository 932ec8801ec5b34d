import ArgumentParser
import Assay

/// Which accelerators are switched off. The verdicts are the same with and without.
struct EngineOptions: ParsableArguments {
    @Flag(name: .customLong("no-automaton"), help: "Ask PCRE2 also where an automaton would do: slower, same verdicts.")
    var noAutomaton = false

    @Flag(name: .customLong("no-jit"), help: "Run patterns on PCRE2's interpreter alone: slower, same verdicts.")
    var noJIT = false

    /// The first engine to try.
    var engine: Pattern.Engine { noJIT ? .interpreter : noAutomaton ? .jit : .automaton }
}
