/* assay/keys.h: which records of a table have equal keys. It continues assay/core.h, whose house rules hold here too.
 *
 *     columns ──► assay_key_mix ──► keys, 128 bits each ──► assay_keys_claim ──► records whose keys were taken
 *     (cells)     (column by column)                        (record by record)
 *
 * Two values are equal if they are the same logical value of their type: 007 and 7 as integers, 1.0 and 1 as numbers; texts
 * byte by byte. Only hashes are kept: SipHash-2-4 of 128 bits with a key that nobody knows. That two of n different keys have
 * one hash has the probability n² / 2^129: for a billion keys 2·10^-21. */
#ifndef ASSAY_KEYS_H
#define ASSAY_KEYS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hash of one key, or of its parts so far. */
typedef struct assay_key_hash {
    uint64_t low, high;
} assay_key_hash;

/* Mixes the values of a column into the hashes of the rows of a mask: each becomes the hash of the value, with the hash
 * before as the key of the hash function. So a chain of columns begins with a secret and depends on each value and on their
 * order (the cascade of Bellare, Canetti and Krawczyk, 1996).
 *
 * A value that is not of its type is hashed as text. `type` NULL: all are text. O(bytes). */
ASSAY_API void assay_key_mix(const assay_type *type, const uint8_t *bytes, const assay_cell *cells,
                             const uint64_t *rows, size_t count, assay_key_hash *hashes);

/* A key of a record. What `place` and the bits of `record` mean is the caller's business. */
typedef struct assay_key {
    assay_key_hash hash;
    uint64_t record; /* 0: no key */
    uint64_t place;
} assay_key;

/* The rows of a mask one after another, for the keys of `each` a row: where each stands in a batch.
 *
 *     rows of the slice  0 · 2 3 ·  ──►  entries first, first + 2, first + 3;  keys and places of row 0, row 2, row 3
 *
 * Each array has room for what is asked for. */
typedef struct assay_key_rows {
    size_t each;
    uint32_t *entries; /* by row: the entry of the batch */
    uint64_t *records; /* by row: the number of its record */
    assay_key *keys;   /* by row and key */
    uint32_t *places;  /* by row and key: where in the buffer what is said of the key stands */
} assay_key_rows;

/* Writes the rows `rows` of the slice that begins with the entry `first`, from index `at` on, and returns how many: keys
 * without hashes, and the places of the records. The place of a key is the line of the record, with the bits of `place`.
 * `record` is the number of the batch's first entry. Lines are asked in ascending order. */
ASSAY_API size_t assay_key_rows_add(const assay_key_rows *to, size_t at, const assay_batch *batch, assay_lines *lines,
                                    uint32_t first, const uint64_t *rows, size_t count, uint64_t record,
                                    uint64_t place);

/* Gives those rows the hashes of one of their keys. Rows that are not `present` have no such key. */
ASSAY_API void assay_key_rows_hash(const assay_key_rows *to, size_t at, size_t key, const uint64_t *rows,
                                   const uint64_t *present, size_t count, const assay_key_hash *hashes);

/* Gives one of their keys the places of a column of the batch: of field `field`, or those in `places`, row by row, if it is
 * not NULL. */
ASSAY_API void assay_key_rows_place(const assay_key_rows *to, size_t at, size_t key, const assay_batch *batch,
                                    uint32_t first, const uint64_t *rows, size_t count, uint32_t field,
                                    size_t delimiter_bytes, const uint32_t *places);

/* A set of keys, with the record that holds each. One thread at a time may change it; while nobody does, any number may look
 * keys up. */
typedef struct assay_keys assay_keys;

/* An empty set that takes up to `most_bytes` of memory, or 40 KiB if that is more. NULL: no memory. */
ASSAY_API assay_keys *assay_keys_create(size_t most_bytes);
ASSAY_API void assay_keys_free(assay_keys *set);

/* How many keys are in it. */
ASSAY_API size_t assay_keys_count(const assay_keys *set);

/* Makes room for so many keys more at once, if the memory allows it; if not, the set grows as it is filled. */
ASSAY_API void assay_keys_reserve(assay_keys *set, size_t more);

/* For each of some records in turn, which have `each` keys: if none of its keys is in the set, adds them all; else adds none,
 * sets its bit in `refused`, and writes for each of its keys who holds it to `holders` (record 0: nobody).
 *
 *     record 1   a  x     both added
 *     record 2   a  y     refused: a is held by record 1; y stays free
 *     record 3   b  y     both added
 *
 * `refused` has assay_mask_words(records) words and `holders` is as long as `keys`; of records that are not refused nothing
 * is written to it. ASSAY_NO_MEMORY: the memory, or what is allowed of it, does not suffice, or the set would
 * have more than 2.6 billion keys; nothing has changed. O(keys). */
ASSAY_API assay_status assay_keys_claim(assay_keys *set, const assay_key *keys, size_t records, size_t each,
                                        assay_key *holders, uint64_t *refused);

/* Divides records among shards, a power of two of them, by the low bits of hash.high, which sets do not use. So many sets that
 * each have a shard decide as one set would, and each may be filled by another thread. Only the first of the `each` keys of a record
 * counts: whoever has several must ask one set about all.
 *
 * Writes those keys to `sorted` and the indices of their records to `indices`, those of shard s from starts[s] up to
 * starts[s + 1], in the order of the records. Records without it are left out. `starts` has shards + 1 elements, the others
 * room for `records`. O(records + shards). */
ASSAY_API void assay_keys_shard(const assay_key *keys, size_t records, size_t each, size_t shards, assay_key *sorted,
                                uint32_t *indices, size_t *starts);

/* Takes the rows of a mask out of it whose hashes are those of keys in the set, so that those are left which are not in it.
 * O(rows). */
ASSAY_API void assay_keys_take_out_held(const assay_keys *set, const assay_key_hash *hashes, size_t count,
                                        uint64_t *rows);

/* The memory of the set, in bytes. */
ASSAY_API size_t assay_keys_bytes(const assay_keys *set);

/* The key in the set that has this hash, or NULL. Valid until the set changes. */
ASSAY_API const assay_key *assay_keys_find(const assay_keys *set, assay_key_hash hash);

/* The keys of the set in the order in which they came, the next one with each call, NULL after the last. `*place` is 0 at
 * first. */
ASSAY_API const assay_key *assay_keys_next(const assay_keys *set, size_t *place);

#ifdef __cplusplus
}
#endif

#endif
