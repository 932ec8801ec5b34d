// Requirements in a chain.
import AssayMacros

let username = Requirement<String>.notEmpty().minLength(3)
// 4:47 error: 'minLength(_:in:)' is unavailable: join requirements with &&; in a block start each line with
//     Requirement<String>
