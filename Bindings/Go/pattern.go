package assay

// #include <assay/assay.h>
import "C"

// Pattern is a compiled PCRE2 pattern. The whole value must match, unless Search is set.
type Pattern struct{ rules *Rules }

// Flags are the flags of a pattern, combined with |. Without flags, case matters, \d \w \s are ASCII, and . does not
// match a line feed.
type Flags uint32

// The flags.
const (
	CaseInsensitive Flags = C.ASSAY_MATCH_CASE_INSENSITIVE
	UnicodeClasses  Flags = C.ASSAY_MATCH_UNICODE_CLASSES
	DotAll          Flags = C.ASSAY_MATCH_DOT_ALL
	Extended        Flags = C.ASSAY_MATCH_EXTENDED
	Multiline       Flags = C.ASSAY_MATCH_MULTILINE
	Search          Flags = C.ASSAY_MATCH_SEARCH      // a match anywhere in the value suffices
	LinearTime      Flags = C.ASSAY_MATCH_LINEAR_TIME // refuse the pattern unless a DFA matches it, for untrusted patterns
)

// Verdict is the result of matching a value.
type Verdict int

// The verdicts. NoVerdict means that the value is missing, or that a limit left it undecided.
const (
	NoVerdict Verdict = iota
	Matches
	Fails
)

// Compile compiles a pattern.
func Compile(pattern string, flags Flags) (*Pattern, error) {
	rules, err := ofPattern(pattern, flags)
	if err != nil {
		return nil, err
	}
	return &Pattern{rules}, nil
}

// Close frees the pattern.
func (pattern *Pattern) Close() { pattern.rules.Close() }

// Match returns whether one value matches, or ErrClosed if the pattern was closed.
func (pattern *Pattern) Match(value string) (Verdict, error) {
	if pattern.rules.Accepts(Record{"value": value}) {
		return Matches, nil
	}
	verdicts, err := pattern.MatchAll([]string{value}, nil, alone)
	if err != nil {
		return NoVerdict, err
	}
	return verdicts[0], nil
}

// MatchAll returns whether each value matches. `missing` marks missing values; nil means that all are present.
func (pattern *Pattern) MatchAll(values []string, missing []bool, options Options) ([]Verdict, error) {
	result, err := pattern.rules.CheckColumn(Column{Name: "value", Values: values, Missing: missing}, options)
	if err != nil {
		return nil, err
	}
	defer result.Close()
	verdicts, undecided, without := make([]Verdict, len(values)), result.Undecided(), result.missing()
	for row, matches := range result.Verdicts() {
		switch {
		case undecided != nil && undecided[row], without != nil && without[row]:
			verdicts[row] = NoVerdict
		case matches:
			verdicts[row] = Matches
		default:
			verdicts[row] = Fails
		}
	}
	return verdicts, nil
}
