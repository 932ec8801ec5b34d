/* HyperLogLog. Flajolet, Fusy, Gandouet, Meunier: "HyperLogLog: the analysis of a near-optimal cardinality estimation
   algorithm" (2007). The estimator is algorithm 6 of Ertl: "New cardinality estimation algorithms for HyperLogLog
   sketches" (2017). */
#include "Profile/profile_distinct.h"

#include <stdlib.h>

assay_distinct *assay_distinct_create(unsigned precision)
{
    assay_distinct *sketch = calloc(1, sizeof *sketch + ((size_t)1 << precision));
    if (sketch != NULL) sketch->precision = precision;
    return sketch;
}

void assay_distinct_free(assay_distinct *sketch) { free(sketch); }

void assay_distinct_add(assay_distinct *sketch, uint64_t hash) { profile_sketch(sketch, hash); }

void assay_distinct_merge(assay_distinct *into, const assay_distinct *from)
{
    const size_t count = (size_t)1 << into->precision;
    /* Always stored, so that the compiler turns the loop into vectors. */
    for (size_t i = 0; i < count; i++) {
        const uint8_t own = into->registers[i], other = from->registers[i];
        into->registers[i] = other > own ? other : own;
    }
}

/* x + Σ x^(2^k) 2^(k−1) for k from 1. */
static double sigma(double x)
{
    if (x >= 1) return 1e300;
    double power = 1;
    double sum = x;
    for (double before = -1; sum != before;) {
        x *= x;
        before = sum;
        sum += x * power;
        power += power;
    }
    return sum;
}

/* The square root by Newton's method, without the math library. */
static double root(double x)
{
    double guess = x < 0x1p-1000 ? 0 : x > 0.01 ? 0.5 * (1 + x) : 0.1;
    for (int i = 0; guess > 0 && i < 64; i++) {
        const double next = 0.5 * (guess + x / guess);
        if (next == guess) break;
        guess = next;
    }
    return guess;
}

/* (1 − x − Σ (1 − x^(2^−k))² 2^−k) / 3 for k from 1. */
static double tau(double x)
{
    if (x <= 0 || x >= 1) return 0;
    double power = 1;
    double sum = 1 - x;
    for (double before = -1; sum != before;) {
        x = root(x);
        before = sum;
        power *= 0.5;
        sum -= (1 - x) * (1 - x) * power;
    }
    return sum / 3;
}

double assay_distinct_estimate(const assay_distinct *sketch)
{
    const unsigned max = 64 - sketch->precision;
    const double count = (double)((size_t)1 << sketch->precision);
    uint64_t ranks[66] = {0};
    for (size_t i = 0; i < (size_t)1 << sketch->precision; i++) ranks[sketch->registers[i]]++;
    double z = count * tau(1 - (double)ranks[max + 1] / count);
    for (unsigned rank = max; rank >= 1; rank--) z = 0.5 * (z + (double)ranks[rank]);
    z += count * sigma((double)ranks[0] / count);
    const double half_by_log_2 = 0.72134752044448170367996234050095;
    return half_by_log_2 * count * count / z;
}

uint64_t assay_profile_hash(const uint8_t *value, size_t count) { return profile_hash(value, count); }
