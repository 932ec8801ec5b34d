/* assay/keys.h: detection of records with equal keys in a table, and of values out of order. It continues assay/core.h
 * and follows the rules for every function there.
 *
 *     columns ──► assay_key_mix ──► keys, 128 bits each ──► assay_keys_claim ──► records whose keys were taken
 *     (cells)     (column by column)                        (record by record)
 *
 * Two values are equal if they are the same logical value of their type: 007 and 7 as integers, 1.0 and 1 as numbers;
 * texts byte by byte. The set contains only hashes: SipHash-2-4 of 128 bits with a secret key. The probability that two
 * of n different keys have the same hash is n² / 2^129: 2·10^-21 for a billion keys. */
#ifndef ASSAY_KEYS_H
#define ASSAY_KEYS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hash of one key, or of its leading columns. */
typedef struct assay_key_hash {
    uint64_t low, high;
} assay_key_hash;

/* Mixes the values of a column into the hashes of the rows of a mask: each hash becomes the hash of the value, with the
 * previous hash as the key of the hash function. A chain of columns therefore begins with a secret and depends on each
 * value and on their order (the cascade of Bellare, Canetti and Krawczyk, 1996).
 *
 * A value that is not of its type is hashed as text. With `type` NULL all values are texts. O(bytes). */
ASSAY_API void assay_key_mix(const assay_type *type, const uint8_t *bytes, const assay_cell *cells,
                             const uint64_t *rows, size_t count, assay_key_hash *hashes);

/* A key of a record. The caller defines the meaning of `place` and of the bits of `record`. */
typedef struct assay_key {
    assay_key_hash hash;
    uint64_t record; /* 0: no key */
    uint64_t place;
} assay_key;

/* The rows of a mask in sequence, for `each` keys per row, and their places in a batch.
 *
 *     rows of the slice  0 · 2 3 ·  ──►  entries first, first + 2, first + 3;  keys and places of row 0, row 2, row 3
 *
 * Each array must have room for the added rows. */
typedef struct assay_key_rows {
    size_t each;
    uint32_t *entries; /* by row: the entry of the batch */
    uint64_t *records; /* by row: the number of its record */
    assay_key *keys;   /* by row and key */
    uint32_t *places;  /* by row and key: the place in the buffer that findings about the key name */
} assay_key_rows;

/* Writes the rows `rows` of the slice that begins with the entry `first`, from index `at` on, and returns their number.
 * The keys have no hashes yet, and the places are those of the records. The place of a key is the line of the record,
 * combined with the bits of `place`. `record` is the number of the batch's first entry. Lines are requested in
 * ascending order. */
ASSAY_API size_t assay_key_rows_add(const assay_key_rows *to, size_t at, const assay_batch *batch, assay_lines *lines,
                                    uint32_t first, const uint64_t *rows, size_t count, uint64_t record,
                                    uint64_t place);

/* Sets the hashes of one key of these rows. Rows that are not `present` do not have this key. */
ASSAY_API void assay_key_rows_hash(const assay_key_rows *to, size_t at, size_t key, const uint64_t *rows,
                                   const uint64_t *present, size_t count, const assay_key_hash *hashes);

/* Sets the places of one key of these rows to those of a column of the batch: of field `field`, or if `places` is not
 * NULL, to those in `places`, row by row. */
ASSAY_API void assay_key_rows_place(const assay_key_rows *to, size_t at, size_t key, const assay_batch *batch,
                                    uint32_t first, const uint64_t *rows, size_t count, uint32_t field,
                                    size_t delimiter_bytes, const uint32_t *places);

/* A set of keys, with the record that holds each key. One thread at a time may change the set. Any number of threads
 * may look up keys while no thread changes it. */
typedef struct assay_keys assay_keys;

/* Returns an empty set that uses up to `max_bytes` of memory, or 40 KiB if that is more. NULL: no memory. */
ASSAY_API assay_keys *assay_keys_create(size_t max_bytes);
ASSAY_API void assay_keys_free(assay_keys *set);

/* Returns the number of keys in the set. */
ASSAY_API size_t assay_keys_count(const assay_keys *set);

/* Reserves room for `more` additional keys, if the memory limit allows it; otherwise, the set grows when keys are
 * added. */
ASSAY_API void assay_keys_reserve(assay_keys *set, size_t more);

/* Processes records in sequence, each with `each` keys. If the set contains no key of a record, adds all its keys.
 * Otherwise adds no key, sets the record's bit in `refused`, and writes the holder of each of its keys to `holders`
 * (record 0: no holder).
 *
 *     record 1   a  x     both added
 *     record 2   a  y     refused: a is held by record 1; y stays free
 *     record 3   b  y     both added
 *
 * `refused` has assay_mask_words(records) words, and `holders` has the length of `keys`; only the elements of refused
 * records are written. ASSAY_NO_MEMORY: memory or its limit is exhausted, or the set would have more than 2.6 billion
 * keys; the set is unchanged. O(keys). */
ASSAY_API assay_status assay_keys_claim(assay_keys *set, const assay_key *keys, size_t records, size_t each,
                                        assay_key *holders, uint64_t *refused);

/* Divides records among shards, a power of two, by the low bits of hash.high, which sets do not use. Separate sets, one
 * per shard, then return the same decisions as one set, and different threads may fill them. Only the first of the
 * `each` keys of a record counts, because a record with several keys must be checked in one set.
 *
 * Writes these keys to `sorted` and the indices of their records to `indices`: those of shard s from starts[s] up to
 * starts[s + 1], in the order of the records. Records without a key are omitted. `starts` must have shards + 1
 * elements; the other arrays need room for `records`. O(records + shards). */
ASSAY_API void assay_keys_shard(const assay_key *keys, size_t records, size_t each, size_t shards, assay_key *sorted,
                                uint32_t *indices, size_t *starts);

/* Clears the bits of rows with hashes in the set, so that the rows of new keys remain. O(rows). */
ASSAY_API void assay_keys_take_out_held(const assay_keys *set, const assay_key_hash *hashes, size_t count,
                                        uint64_t *rows);

/* Returns the memory of the set in bytes. */
ASSAY_API size_t assay_keys_bytes(const assay_keys *set);

/* Returns the key in the set with this hash, or NULL. Valid until the set changes. */
ASSAY_API const assay_key *assay_keys_find(const assay_keys *set, assay_key_hash hash);

/* Returns the next key of the set in the order of insertion; NULL after the last. `*place` must be 0 before the first
 * call. */
ASSAY_API const assay_key *assay_keys_next(const assay_keys *set, size_t *place);

/* The required order of the values of a column: ascending or descending; `strict` forbids equal values. */
typedef struct assay_sort {
    bool descending;
    bool strict;
} assay_sort;

/* Whether a value may follow another one in a sorted column. Texts are compared byte by byte (`type` NULL), other
 * values by meaning. Values that cannot be compared may not follow each other: a datetime with and one without a zone,
 * P1M and P30D. */
ASSAY_API bool assay_sorted_follows(const assay_type *type, assay_sort sort, assay_text earlier, assay_text later);

/* Returns the index of the first value from `from` on, at least 1, that may not follow its predecessor; `count` if
 * there is no such value. Value i consists of the bytes from ends[i - 1], or 0, to ends[i]. O(bytes). */
ASSAY_API size_t assay_sorted_first_break(const assay_type *type, assay_sort sort, const uint8_t *bytes,
                                          const size_t *ends, size_t from, size_t count);

/* Whether a value can be compared with others. NaN and durations beyond the comparable range cannot. */
ASSAY_API bool assay_sorted_has_order(const assay_type *type, assay_text text);

/* Clears the bits of rows with values that cannot be compared. O(bytes). */
ASSAY_API void assay_sorted_take_out_unordered(const assay_type *type, const uint8_t *bytes, const assay_cell *cells,
                                               size_t count, uint64_t *rows);

/* Writes a value as bytes whose order as texts is the order of the values: smaller bytes come first, and bytes of equal
 * values are equal. `descending` reverses the order. A datetime without a zone comes after all those with one. Returns
 * the number of bytes, at most assay_sorted_key_room(), or 0 if the value cannot be compared (NaN). Not for durations,
 * which have no such order. O(bytes). */
ASSAY_API size_t assay_sorted_key(const assay_type *type, bool descending, assay_text text, uint8_t *into);
static inline size_t assay_sorted_key_room(size_t count) { return 2 * count + 24; }

#ifdef __cplusplus
}
#endif

#endif
