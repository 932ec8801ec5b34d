// A block with nothing in it.
import AssayMacros

let anything: Requirement<String> = #all {}
// 4:42 error: the block of #all is empty, which would confirm everything; write Requirement.always if you mean that
