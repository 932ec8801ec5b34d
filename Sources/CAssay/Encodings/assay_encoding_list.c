/* Names of encodings: the WHATWG's Encoding Standard and IANA's Character Sets. */
#include "Encodings/assay_encoding_list.h"

#include <string.h>

#include "assay/core.h"

#define BYTES(name, iconv_names, aliases)                                                                              \
    {                                                                                                                  \
        name, encoding_bytes, false, iconv_names, 0, aliases                                                           \
    }

static const assay_encoding encodings[] = {
    {"UTF-8", encoding_utf8, false, NULL, 0, "unicode11utf8 unicode20utf8 xunicode20utf8 csutf8 cp65001"},
    {"UTF-16LE", encoding_utf16, false, NULL, 0,
     "utf16 unicode unicodefeff csunicode ucs2 ucs2le iso10646ucs2 csutf16 csutf16le"},
    {"UTF-16BE", encoding_utf16, true, NULL, 0, "unicodefffe ucs2be csutf16be"},
    {"UTF-32LE", encoding_utf32, false, NULL, 0, "utf32 csutf32 csutf32le ucs4le"},
    {"UTF-32BE", encoding_utf32, true, NULL, 0, "csutf32be ucs4 ucs4be iso10646ucs4 csucs4"},
    {"US-ASCII", encoding_bytes, false, NULL, 0x7F,
     "ascii us ansix3.41968 ansix3.41986 isoir6 iso646us iso646.irv:1991 csascii ibm367 cp367"},
    {"ISO-8859-1", encoding_bytes, false, NULL, 0xFF,
     "latin1 l1 iso88591:1987 isoir100 csisolatin1 ibm819 cp819 iso8859"},
    BYTES("ISO-8859-2", "ISO-8859-2", "latin2 l2 iso88592:1987 isoir101 csisolatin2"),
    BYTES("ISO-8859-3", "ISO-8859-3", "latin3 l3 iso88593:1988 isoir109 csisolatin3"),
    BYTES("ISO-8859-4", "ISO-8859-4", "latin4 l4 iso88594:1988 isoir110 csisolatin4"),
    BYTES("ISO-8859-5", "ISO-8859-5", "cyrillic iso88595:1988 isoir144 csisolatincyrillic"),
    BYTES("ISO-8859-6", "ISO-8859-6",
          "arabic asmo708 ecma114 iso88596:1987 isoir127 csisolatinarabic iso88596e iso88596i csiso88596e csiso88596i"),
    BYTES("ISO-8859-7", "ISO-8859-7", "greek greek8 ecma118 elot928 iso88597:1987 isoir126 csisolatingreek suneugreek"),
    BYTES("ISO-8859-8", "ISO-8859-8",
          "hebrew visual logical iso88598:1988 isoir138 csisolatinhebrew iso88598e iso88598i csiso88598e csiso88598i"),
    BYTES("ISO-8859-9", "ISO-8859-9", "latin5 l5 iso88599:1989 isoir148 csisolatin5"),
    BYTES("ISO-8859-10", "ISO-8859-10", "latin6 l6 iso885910:1992 isoir157 csisolatin6"),
    BYTES("ISO-8859-11", "ISO-8859-11", ""),
    BYTES("ISO-8859-13", "ISO-8859-13", "latin7 l7 isoir179 csiso885913"),
    BYTES("ISO-8859-14", "ISO-8859-14", "latin8 l8 iso885914:1998 isoir199 isoceltic csiso885914"),
    BYTES("ISO-8859-15", "ISO-8859-15", "latin9 l9 iso885915:1998 isoir203 csisolatin9 csiso885915"),
    BYTES("ISO-8859-16", "ISO-8859-16", "latin10 l10 iso885916:2001 isoir226 csiso885916"),
    BYTES("windows-1250", "CP1250", "cp1250 xcp1250 cswindows1250"),
    BYTES("windows-1251", "CP1251", "cp1251 xcp1251 cswindows1251"),
    BYTES("windows-1252", "CP1252", "cp1252 xcp1252 cswindows1252"),
    BYTES("windows-1253", "CP1253", "cp1253 xcp1253 cswindows1253"),
    BYTES("windows-1254", "CP1254", "cp1254 xcp1254 cswindows1254"),
    BYTES("windows-1255", "CP1255", "cp1255 xcp1255 cswindows1255"),
    BYTES("windows-1256", "CP1256", "cp1256 xcp1256 cswindows1256"),
    BYTES("windows-1257", "CP1257", "cp1257 xcp1257 cswindows1257"),
    BYTES("windows-1258", "CP1258", "cp1258 xcp1258 cswindows1258"),
    BYTES("windows-874", "WINDOWS-874 CP874", "cp874 dos874 tis620 tis6200 cstis620 cswindows874"),
    BYTES("KOI8-R", "KOI8-R", "koi koi8 cskoi8r"),
    BYTES("KOI8-U", "KOI8-U", "koi8ru cskoi8u"),
    BYTES("macintosh", "MACINTOSH", "mac macroman xmacroman csmacintosh"),
    BYTES("IBM437", "IBM437 CP437", "437 cp437 cspc8codepage437"),
    BYTES("IBM850", "IBM850 CP850", "850 cp850 cspc850multilingual"),
    BYTES("IBM852", "IBM852 CP852", "852 cp852 cspcp852"),
    BYTES("IBM866", "IBM866 CP866", "866 cp866 csibm866"),
    {"Shift_JIS", encoding_sequences, false, "CP932", 0,
     "sjis xsjis csshiftjis mskanji ms932 cp932 windows31j windows932 cswindows31j"},
    {"EUC-JP", encoding_sequences, false, "EUC-JP-MS EUC-JP", 0,
     "xeucjp cseucpkdfmtjapanese eucjpms extendedunixcodepackedformatforjapanese"},
    {"ISO-2022-JP", encoding_stateful, false, "ISO-2022-JP", 0, "csiso2022jp"},
    {"GB18030", encoding_sequences, false, "GB18030", 0,
     "gbk xgbk gb2312 gb231280 csgb2312 csgb18030 csgbk chinese csiso58gb231280 isoir58 cp936 ms936 windows936 euccn"},
    {"Big5", encoding_sequences, false, "BIG5 CP950", 0, "cnbig5 csbig5 xxbig5 cp950"},
    {"EUC-KR", encoding_sequences, false, "UHC CP949", 0,
     "cseuckr korean ksc56011987 ksc56011989 csksc56011987 ksc5601 isoir149 windows949 cp949 ms949 uhc"},
};
enum { encodings_count = sizeof encodings / sizeof encodings[0] };

/* Enough for any name and its NUL. */
enum { NAME_ROOM = 64 };

/* "ISO_8859-1 " → "iso88591". Returns false if the name is empty or too long. */
static bool normalise(const char *name, char normal[NAME_ROOM])
{
    size_t count = 0;
    for (; *name != '\0'; name++) {
        if (*name == '-' || *name == '_' || *name == ' ') continue;
        if (count + 1 == NAME_ROOM) return false;
        normal[count++] = *name >= 'A' && *name <= 'Z' ? (char)(*name + ('a' - 'A')) : *name;
    }
    normal[count] = '\0';
    return count > 0;
}

static bool has_alias(const char *aliases, const char *normal)
{
    const size_t count = strlen(normal);
    while (*aliases != '\0') {
        const size_t length = strcspn(aliases, " ");
        if (length == count && memcmp(aliases, normal, count) == 0) return true;
        aliases += length;
        aliases += *aliases == ' ';
    }
    return false;
}

const assay_encoding *assay_encoding_find(const char *name)
{
    char target[NAME_ROOM];
    char own[NAME_ROOM];
    if (name == NULL || !normalise(name, target)) return NULL;
    for (size_t i = 0; i < encodings_count; i++) {
        if ((normalise(encodings[i].name, own) && strcmp(own, target) == 0) || has_alias(encodings[i].aliases, target))
            return &encodings[i];
    }
    return NULL;
}

const char *assay_encoding_name(const char *name)
{
    const assay_encoding *encoding = assay_encoding_find(name);
    return encoding == NULL ? NULL : encoding->name;
}

const char *assay_encoding_at(size_t index) { return index < encodings_count ? encodings[index].name : NULL; }

unsigned assay_encoding_unit(const char *name)
{
    const assay_encoding *encoding = assay_encoding_find(name);
    if (encoding == NULL) return 0;
    switch (encoding->kind) {
    case encoding_bytes:
        return 1;
    case encoding_utf16:
        return 2;
    case encoding_utf32:
        return 4;
    default:
        return 0;
    }
}
