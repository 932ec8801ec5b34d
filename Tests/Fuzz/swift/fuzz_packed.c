/* Fuzzes packed input: Assay must unpack the same bytes as zlib or libzstd, with any number of threads, from a file or
 * not.
 *
 *     data   │ how │ threads │ damage: place, xor │ recipe …
 *
 * Mutated packed bytes would be refused at once, because they have checksums. Therefore the recipe describes how text
 * is packed: in members or frames, in blocks with flushes between them, with rubbish at the end. Damage is rare. With
 * one value of `how`, the recipe itself is the packed bytes. */
#define _GNU_SOURCE /* memfd_create */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* fuzz_packed.swift: false if the bytes are damaged. No more than `room` bytes are unpacked. */
bool fuzz_unpack(const uint8_t *packed, size_t count, bool is_gzip, int threads, int descriptor, uint8_t *text,
                 size_t room, size_t *produced);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_TEXT = 3 << 20, /* more than is looked at to guess where a member ends */
    MAX_PACKED = 4 << 20,
    MAX_UNPACKED = 8 << 20,
    MAX_BLOCKED = 0xFF00,
    HEAD = 6,
};

typedef struct recipe {
    const uint8_t *data;
    size_t left;
    uint8_t *packed;
    size_t count;
    size_t text_count;   /* of all text so far: it is bounded */
    const uint8_t *last; /* the last piece of text */
    size_t last_count;
    bool is_gzip;
    bool is_inside; /* a member or frame */
    int level;
    bool has_header;
    z_stream gzip;
    gz_header header;
    ZSTD_CCtx *zstd;
} recipe;

/* Says which condition does not hold. */
#define check(condition) ((condition) ? (void)0 : fail(#condition))

static void fail(const char *condition)
{
    fprintf(stderr, "not so: %s\n", condition);
    abort();
}

static uint8_t take(recipe *recipe)
{
    if (recipe->left == 0) return 0;
    recipe->left--;
    return *recipe->data++;
}

/* Bytes of the recipe itself. */
static const uint8_t *take_text(recipe *recipe, size_t *count)
{
    if (*count > recipe->left) *count = recipe->left;
    const uint8_t *text = recipe->data;
    recipe->data += *count;
    recipe->left -= *count;
    return text;
}

static void put(recipe *recipe, const uint8_t *bytes, size_t count)
{
    if (count > MAX_PACKED - recipe->count) count = MAX_PACKED - recipe->count;
    if (count > 0) memcpy(recipe->packed + recipe->count, bytes, count);
    recipe->count += count;
}

static void begin(recipe *recipe)
{
    if (recipe->is_inside) return;
    recipe->is_inside = true;
    if (recipe->is_gzip) {
        check(deflateInit2(&recipe->gzip, recipe->level % 10, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
        if (recipe->has_header) check(deflateSetHeader(&recipe->gzip, &recipe->header) == Z_OK);
        recipe->has_header = false;
    } else {
        ZSTD_CCtx_reset(recipe->zstd, ZSTD_reset_session_and_parameters);
        ZSTD_CCtx_setParameter(recipe->zstd, ZSTD_c_compressionLevel, recipe->level % 8);
        ZSTD_CCtx_setParameter(recipe->zstd, ZSTD_c_checksumFlag, recipe->level & 1);
    }
}

/* Packs text. `flush`: 0 does not flush; 1 flushes, so that the reader can unpack the whole text; 2 also resets, so
 * that later text does not refer to this text; 3 ends the member or frame. */
static void pack(recipe *recipe, const uint8_t *text, size_t count, int flush)
{
    if (count > MAX_TEXT - recipe->text_count) count = MAX_TEXT - recipe->text_count;
    begin(recipe);
    recipe->text_count += count;
    if (recipe->is_gzip) {
        static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH};
        recipe->gzip.next_in = (Bytef *)(uintptr_t)text;
        recipe->gzip.avail_in = (uInt)count;
        recipe->gzip.next_out = recipe->packed + recipe->count;
        recipe->gzip.avail_out = (uInt)(MAX_PACKED - recipe->count);
        deflate(&recipe->gzip, flushes[flush]);
        recipe->count = MAX_PACKED - recipe->gzip.avail_out;
        if (flush == 3) deflateEnd(&recipe->gzip);
    } else {
        static const ZSTD_EndDirective flushes[] = {ZSTD_e_continue, ZSTD_e_flush, ZSTD_e_flush, ZSTD_e_end};
        ZSTD_inBuffer in = {text, count, 0};
        ZSTD_outBuffer out = {recipe->packed, MAX_PACKED, recipe->count};
        ZSTD_compressStream2(recipe->zstd, &out, &in, flushes[flush]);
        recipe->count = out.pos;
    }
    if (flush == 3) recipe->is_inside = false;
}

/* Returns the latest piece, repeated. */
static uint8_t *repeated(recipe *recipe, size_t times, size_t max, size_t *count)
{
    *count = recipe->last_count * times < max ? recipe->last_count * times : max;
    uint8_t *text = malloc(*count + 1);
    check(text != NULL);
    for (size_t i = 0; i < *count; i++) text[i] = recipe->last[i % recipe->last_count];
    return text;
}

/* A member with its size, as bgzip writes them; a frame with the size of its content. */
static void pack_sized(recipe *recipe, const uint8_t *text, size_t count)
{
    if (recipe->is_inside) pack(recipe, text, 0, 3);
    if (count > MAX_TEXT - recipe->text_count) count = MAX_TEXT - recipe->text_count;
    recipe->text_count += count;
    const size_t room = MAX_PACKED - recipe->count;
    if (!recipe->is_gzip) {
        const size_t written = ZSTD_compress(recipe->packed + recipe->count, room, text, count, recipe->level % 8);
        if (!ZSTD_isError(written)) recipe->count += written;
        return;
    }
    if (room < MAX_BLOCKED + 1024) return;
    uint8_t *at = recipe->packed + recipe->count;
    static const uint8_t header[18] = {0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 0xFF, 6, 0, 'B', 'C', 2, 0};
    memcpy(at, header, sizeof header);
    z_stream stream = {0};
    check(deflateInit2(&stream, recipe->level % 10, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (Bytef *)(uintptr_t)text;
    stream.avail_in = (uInt)count;
    stream.next_out = at + sizeof header;
    stream.avail_out = (uInt)(room - sizeof header);
    check(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    const size_t total = sizeof header + stream.total_out + 8;
    deflateEnd(&stream);
    const uint32_t trailer[] = {(uint32_t)crc32(0, text, (uInt)count), (uint32_t)count};
    memcpy(at + total - 8, trailer, sizeof trailer);
    if (total > 1 << 16) return; /* does not fit: it tells no size */
    const size_t lie = recipe->level >= 30 ? (size_t)(int8_t)take(recipe) : 0;
    at[16] = (uint8_t)(total - 1 + lie);
    at[17] = (uint8_t)((total - 1 + lie) >> 8);
    recipe->count += total;
}

/* A header with all optional fields; a skippable frame. */
static void put_oddity(recipe *recipe, size_t count)
{
    if (recipe->is_inside) pack(recipe, NULL, 0, 3);
    const uint8_t *text = take_text(recipe, &count);
    if (recipe->is_gzip) {
        static uint8_t name[] = "name", comment[] = "comment";
        recipe->header = (gz_header){
            .name = (count & 1) ? name : NULL,
            .comment = (count & 2) ? comment : NULL,
            .hcrc = (count & 4) != 0,
            .extra = (count & 8) ? (Bytef *)(uintptr_t)text : NULL,
            .extra_len = (uInt)count,
        };
        recipe->has_header = true;
    } else {
        const uint8_t header[] = {(uint8_t)(0x50 + count % 16), 0x2A, 0x4D, 0x18, (uint8_t)count, 0, 0, 0};
        put(recipe, header, sizeof header);
        put(recipe, text, count);
    }
}

static void follow(recipe *recipe)
{
    const uint8_t operation = take(recipe);
    size_t count = operation / 8u;
    switch (operation % 8) {
    case 0:
        count++;
        recipe->last = take_text(recipe, &count);
        recipe->last_count = count;
        pack(recipe, recipe->last, count, 0);
        break;
    case 1: {
        if (recipe->last_count == 0) break;
        uint8_t *text = repeated(recipe, (count + 1) * 256u, MAX_TEXT, &count);
        pack(recipe, text, count, 0);
        free(text);
        break;
    }
    case 2:
        pack(recipe, NULL, 0, 1);
        break;
    case 3:
        pack(recipe, NULL, 0, 2);
        break;
    case 4:
        if (recipe->is_inside) pack(recipe, NULL, 0, 3);
        recipe->level = (int)count;
        break;
    case 5: {
        if (recipe->last_count == 0) {
            pack_sized(recipe, NULL, 0);
            break;
        }
        uint8_t *text = repeated(recipe, count * count * 8u, MAX_BLOCKED, &count);
        pack_sized(recipe, text, count);
        free(text);
        break;
    }
    case 6:
        if (count % 2 == 0) {
            static const uint8_t zeros[16];
            put(recipe, zeros, count / 2);
        } else {
            count /= 2;
            const uint8_t *rubbish = take_text(recipe, &count);
            put(recipe, rubbish, count);
        }
        break;
    default:
        put_oddity(recipe, count);
        break;
    }
}

/* Returns the size of a member in its header, the subfield BC of the extra field, or 0 if it is absent. */
static size_t declared_size(const uint8_t *member)
{
    if ((member[3] & 4) == 0) return 0;
    const uint8_t *field = member + 12, *end = field + (member[10] | member[11] << 8);
    while (end - field >= 4) {
        const ptrdiff_t length = field[2] | field[3] << 8;
        if (length > end - field - 4) return 0;
        if (field[0] == 'B' && field[1] == 'C' && length == 2) return (size_t)(field[4] | field[5] << 8) + 1;
        field += 4 + length;
    }
    return 0;
}

/* Unpacks members, which zeros may follow, with zlib. Returns false if they are damaged, or if a size differs from the
 * header. Sets `is_odd_set` if zlib refuses a set of Huffman codes, because ISA-L 2.30 accepts some of them. If the
 * checksum is right, the text is also right. */
static bool unpack_gzip(const uint8_t *packed, size_t count, uint8_t *text, size_t *produced, bool *is_odd_set)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)count};
    stream.next_out = text;
    stream.avail_out = MAX_UNPACKED;
    bool is_complete = true;
    check(inflateInit2(&stream, 31) == Z_OK);
    for (bool is_first = true; is_complete && stream.avail_in > 0; is_first = false) {
        if (!is_first && *stream.next_in == 0) {
            while (stream.avail_in > 0 && *stream.next_in == 0) stream.next_in++, stream.avail_in--;
            is_complete = stream.avail_in == 0;
            break;
        }
        check(inflateReset(&stream) == Z_OK);
        const uint8_t *member = stream.next_in;
        is_complete = inflate(&stream, Z_FINISH) == Z_STREAM_END;
        const size_t declared = is_complete ? declared_size(member) : 0;
        if (declared != 0) is_complete = declared == (size_t)(stream.next_in - member);
    }
    *produced = MAX_UNPACKED - stream.avail_out;
    *is_odd_set = !is_complete && stream.msg != NULL && strstr(stream.msg, " set") != NULL;
    inflateEnd(&stream);
    return is_complete;
}

static bool unpack_zstd(const uint8_t *packed, size_t count, uint8_t *text, size_t *produced)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    check(context != NULL);
    ZSTD_inBuffer in = {packed, count, 0};
    ZSTD_outBuffer out = {text, MAX_UNPACKED, 0};
    size_t target = 0;
    while (in.pos < in.size && out.pos < out.size) {
        target = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(target)) break;
    }
    ZSTD_freeDCtx(context);
    *produced = out.pos;
    return target == 0;
}

/* Returns whether a frame has a compressed block without bytes. libzstd 1.5.4 refuses such a block in a whole frame,
 * and accepts it in pieces. */
static bool has_empty_block(const uint8_t *packed, size_t count)
{
    static const uint8_t dictionary_bytes[] = {0, 1, 2, 4}, size_bytes[] = {0, 2, 4, 8};
    size_t at = 0;
    while (count >= 9 && at <= count - 9) {
        uint32_t word = 0;
        memcpy(&word, packed + at, 4);
        if (word >> 4 == 0x184D2A5) { /* it is skipped */
            memcpy(&word, packed + at + 4, 4);
            at += 8 + (size_t)word;
            continue;
        }
        const uint8_t descriptor = packed[at + 4];
        const bool is_single = (descriptor & 32) != 0;
        at += 5 + dictionary_bytes[descriptor & 3] + size_bytes[descriptor >> 6];
        if (!is_single || descriptor >> 6 == 0) at++; /* the window, or a size of one byte */
        for (bool is_last = false; !is_last;) {
            if (at > count - 3) return false;
            const uint32_t header = packed[at] | (uint32_t)packed[at + 1] << 8 | (uint32_t)packed[at + 2] << 16;
            const uint32_t type = header >> 1 & 3;
            if (type == 2 && header >> 3 == 0) return true;
            is_last = (header & 1) != 0;
            at += 3 + (type == 1 ? 1 : header >> 3);
        }
        if (descriptor & 4) at += 4;
    }
    return false;
}

static void compare(const uint8_t *packed, size_t count, bool is_gzip, int threads, int descriptor)
{
    static uint8_t expected[MAX_UNPACKED], text[MAX_UNPACKED];
    size_t expected_count = 0, text_count = 0;
    bool is_both_ways = !is_gzip && has_empty_block(packed, count);
    const bool is_complete = is_gzip ? unpack_gzip(packed, count, expected, &expected_count, &is_both_ways)
                                     : unpack_zstd(packed, count, expected, &expected_count);
    if (expected_count == MAX_UNPACKED) return; /* there may be more */
    const bool is_taken = fuzz_unpack(packed, count, is_gzip, threads, descriptor, text, MAX_UNPACKED, &text_count);
    check(is_taken == is_complete || is_both_ways);
    check(!is_complete || is_both_ways || text_count == expected_count);
    /* Of damaged bytes as much as came out of both. */
    check(memcmp(text, expected, text_count < expected_count ? text_count : expected_count) == 0);
}

static unsigned thread_count(void)
{
    DIR *tasks = opendir("/proc/self/task");
    check(tasks != NULL);
    unsigned count = 0;
    for (const struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
        if (entry->d_name[0] != '.') count++;
    closedir(tasks);
    return count;
}

/* Waits for the threads that unpack ahead. They end when the reader is closed; until then, their memory looks like a
 * leak. */
static void await_end_of_threads(unsigned before)
{
    for (int tries = 0; thread_count() > before; tries++) {
        check(tries < 200000); /* twenty seconds: they wait for something that does not come */
        usleep(100);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t packed[MAX_PACKED];
    static ZSTD_CCtx *zstd;
    static int file = -1;
    if (size < HEAD) return 0;
    const uint8_t how = data[0];
    const bool is_gzip = (how & 1) == 0;
    if (zstd == NULL) zstd = ZSTD_createCCtx();
    if (file < 0) file = memfd_create("packed", 0);
    check(zstd != NULL && file >= 0);

    recipe recipe = {.data = data + HEAD, .left = size - HEAD, .packed = packed, .is_gzip = is_gzip, .zstd = zstd};
    if (how & 2) {
        put(&recipe, recipe.data, recipe.left);
    } else {
        while (recipe.left > 0) follow(&recipe);
        /* One that does not end is cut off. */
        if (recipe.is_inside && (how & 4) == 0) pack(&recipe, NULL, 0, 3);
        if (recipe.is_inside && is_gzip) deflateEnd(&recipe.gzip);
    }
    /* Without damage three times of four. */
    if ((how & 24) == 24 && recipe.count > 0) {
        const size_t place = (size_t)data[2] << 16 | (size_t)data[3] << 8 | data[4];
        packed[place % recipe.count] ^= data[5];
    }
    int descriptor = -1;
    if ((how & 32) == 0) {
        check(ftruncate(file, 0) == 0 && pwrite(file, packed, recipe.count, 0) == (ssize_t)recipe.count);
        descriptor = file;
    }
    const unsigned before = thread_count();
    compare(packed, recipe.count, is_gzip, data[1] % 5, descriptor);
    await_end_of_threads(before);
    return 0;
}
