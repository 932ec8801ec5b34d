/* The only function of the Swift runtime that needs GLIBC_2.35 on Debian 12; all others need at most GLIBC_2.34. With
 * this version, libassay runs with glibc 2.34 or later.
 *
 * Source: ISO/IEC 9899:2011, F.10.4.3: infinite if either argument is, even if the other is not a number. The squares
 * of two floats and their sum fit into a double. */
#include <math.h>

float hypotf(float x, float y)
{
    if (isinf(x) || isinf(y)) return INFINITY;
    const double a = x, b = y;
    return (float)sqrt(a * a + b * b);
}
