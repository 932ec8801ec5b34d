/* Known defects of the linked PCRE2, and the engine that a pattern must avoid because of them.
 *
 * PCRE2 has two engines, its JIT compiler and its interpreter, which must give the same verdict. If a release of one
 * engine is known to be wrong about a pattern, the other engine runs it. Tests/CAssayTests/test_pattern_defects.c has a
 * case for each defect. */
#include "Patterns/assay_categories.h"
#include "Patterns/assay_pcre2.h"

#include <stdio.h>
#include <string.h>

#ifdef ASSAY_PCRE2

/* Copies a text of pcre2_config, truncated to 63 bytes. */
static void config_text(uint32_t what, char text[static 64])
{
    char full[256] = "";
    int length = pcre2_config(what, NULL);
    if (length > 0 && (size_t)length <= sizeof full) pcre2_config(what, full);
    snprintf(text, 64, "%.63s", full);
}

void assay_engine_version(char *version, char *unicode)
{
    config_text(PCRE2_CONFIG_VERSION, version);
    config_text(PCRE2_CONFIG_UNICODE_VERSION, unicode);
}

bool assay_categories_are_known(void)
{
    char version[64] = "";
    return pcre2_config(PCRE2_CONFIG_UNICODE_VERSION, version) > 0 && strcmp(version, assay_categories_unicode) == 0;
}

bool assay_engine_built_with_jit(void)
{
    uint32_t has_jit = 0;
    return pcre2_config(PCRE2_CONFIG_JIT, &has_jit) >= 0 && has_jit == 1;
}

/* Returns 1042 for 10.42, 0 if unknown. Queries the linked library, because its release may differ from that of the
 * header. Reads the text without stdio, which would take a tenth of the time to compile a pattern. */
static int engine_release(void)
{
    char version[256] = "";
    const int length = pcre2_config(PCRE2_CONFIG_VERSION, NULL);
    if (length <= 0 || (size_t)length > sizeof version) return 0;
    pcre2_config(PCRE2_CONFIG_VERSION, version);
    int numbers[2] = {0, 0};
    const char *at = version;
    for (int i = 0; i < 2; i++) {
        if (*at < '0' || *at > '9') return 0;
        for (; *at >= '0' && *at <= '9' && numbers[i] < 10000; at++) numbers[i] = 10 * numbers[i] + (*at - '0');
        if (i == 0 && *at++ != '.') return 0;
    }
    return numbers[0] * 100 + numbers[1];
}

/* Releases with an unusable JIT. 10.43 lost the lock of its executable allocator (pcre2#402); before 10.47 the AArch64
 * code reads past its input (SUPPORT-LIFECYCLE in PCRE2's repository). */
static const char *release_bug(int release)
{
    if (release == 1043) return "the JIT of PCRE2 10.43 is not safe between threads";
#if defined(__aarch64__) || defined(_M_ARM64)
    if (release < 1047) return "the JIT of PCRE2 before 10.47 is not safe on ARM64";
#endif
    return NULL;
}

/* Patterns for which the JIT compiler is incorrect and the interpreter is correct. No flag prevents these defects. */
static const char *jit_bug(const assay_pattern_features *features, uint32_t options, int release)
{
    /* JIT ignores ANCHORED after (*SKIP): `A(*SKIP)A|` accepts "A" from offset 1 (pcre2#326, open). Before 10.43,
     * ENDANCHORED searches take (*ACCEPT) before the end for a match (#353, #357). As a precaution, JIT runs no pattern
     * with backtracking verbs. */
    if (features->backtracking_verbs) return "PCRE2's JIT errs on backtracking verbs";
    /* Captures of a possessive group survive backtracking over it: into the next alternative, so `(a)*+c|ab\1` accepts
     * "aba", and into the next start, so `(B)*+A\1` is found in "BCAB" (found by test_pattern_agreement.c; #324 is
     * similar). */
    if (features->atomic && features->backreference) {
        return "PCRE2's JIT errs on back references beside atomic groups";
    }
    /* `^(?<n>..)(?<n>..)\k<n>{2,4}` with (?J) ignores case (82d1d4b7, 10.45). */
    if (release < 1045 && features->duplicate_names && features->named_backreference) {
        return "PCRE2's JIT errs on back references to duplicate names";
    }
    /* `[^[:print:]\x{f6f6}]` with UCP accepts U+F6F6, and `[[:print:]\s]` fails a tab (pcre2#360; 542cb112, 10.45). */
    if (release < 1045 && (options & ASSAY_PATTERN_UNICODE_CLASSES) != 0 && features->visible_posix) {
        return "PCRE2's JIT errs on [:graph:], [:print:] and [:punct:] with Unicode classes";
    }
    /* `(aa|a){2,}+` fails "aa". */
    if (features->counted_possessive) return "PCRE2's JIT errs on possessive counted repeats";
    /* `(?|(?!(b)++)|(|)){2}c` accepts "bc": JIT confuses groups of the same number if one repeats possessively (found
     * by test_pattern_agreement.c). */
    if (features->reset_possessive) return "PCRE2's JIT errs on possessive groups that share a number";
    /* `(?<=a?(?=b))b` fails values that the interpreter passes, because 10.43 and later allow look-behinds of varying
     * length (pcre2#974, open). */
    if (release >= 1043 && features->lookbehind) return "PCRE2's JIT errs on look-behinds";
    return NULL;
}

const char *assay_engine_jit_bug(const assay_pattern_features *features, uint32_t options)
{
    const int release = engine_release();
    const char *bug = release_bug(release);
    return bug != NULL ? bug : jit_bug(features, options, release);
}

const char *assay_engine_interpreter_bug(const assay_pattern_features *features)
{
    if (engine_release() >= 1043) return NULL;
    /* The interpreter does not backtrack into a recursion of the whole pattern: `|a(?R)` fails "aa" (pcre2#331). It
     * does with groups. */
    if (features->full_recursion) return "(?R); put the pattern in parentheses and write (?1)";
    /* Captures set inside a subroutine call remain set after it (pcre2#261), which a back reference or a condition can
     * observe. */
    if (features->subroutine_call && features->backreference) return "calls of groups beside back references";
    return NULL;
}
#else

bool assay_engine_built_with_jit(void) { return false; }

void assay_engine_version(char *version, char *unicode)
{
    snprintf(version, 64, "none");
    snprintf(unicode, 64, "%s", assay_categories_unicode);
}

bool assay_categories_are_known(void) { return true; }
#endif
