import ArgumentParser
import Assay

/// The accelerators to disable. They do not affect verdicts.
struct EngineOptions: ParsableArguments {
    @Flag(name: .customLong("no-dfa"), help: "Use PCRE2 even where a DFA would do: slower, same verdicts.")
    var noDFA = false

    @Flag(name: .customLong("no-jit"), help: "Run patterns on PCRE2's interpreter alone: slower, same verdicts.")
    var noJIT = false

    /// The first engine to try.
    var engine: Pattern.Engine { noJIT ? .interpreter : noDFA ? .jit : .dfa }
}

extension EngineOptions {
    /// The value without options. It must set every property, because reading an unset one ends the process.
    static var unset: Self {
        var options = Self()
        (options.noDFA, options.noJIT) = (false, false)
        return options
    }
}
