/* The one function of the Swift runtime for which Debian 12's C library has a newer version (GLIBC_2.35) than for all others
 * (GLIBC_2.34). With our own libassay runs wherever glibc is 2.34 or later.
 *
 * Source: ISO/IEC 9899:2011, F.10.4.3: infinite if either argument is, even if the other is not a number. The squares of two
 * floats and their sum fit into a double. */
#include <math.h>

float hypotf(float x, float y)
{
    if (isinf(x) || isinf(y)) return INFINITY;
    const double a = x, b = y;
    return (float)sqrt(a * a + b * b);
}
