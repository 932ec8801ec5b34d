// Lines that start with a dot, which Swift reads as one chain.
import AssayMacros

let contact = Requirement<String>.any {
    .matches(pattern: "[0-9]+")
        .matches(pattern: "[^@]+@[^@]+")
}
// 6:10 error: 'matches(pattern:options:)' is unavailable: join requirements with &&; in a block start each line with
//     Requirement<String>
