import ArgumentParser
import Assay

/// Which accelerators are switched off. The verdicts are the same with and without.
struct EngineOptions: ParsableArguments {
    @Flag(name: .customLong("no-dfa"), help: "Use PCRE2 even where a DFA would do: slower, same verdicts.")
    var noDFA = false

    @Flag(name: .customLong("no-jit"), help: "Run patterns on PCRE2's interpreter alone: slower, same verdicts.")
    var noJIT = false

    /// The first engine to try.
    var engine: Pattern.Engine { noJIT ? .interpreter : noDFA ? .jit : .dfa }
}

extension EngineOptions {
    /// No option given. Every property is set, because to read one that is not set ends the process.
    static var unset: Self {
        var options = Self()
        (options.noDFA, options.noJIT) = (false, false)
        return options
    }
}
