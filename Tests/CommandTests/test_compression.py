"""Compressed input and output, gzip and Zstandard, from files and pipes, recognized by their first bytes."""

import gzip
import pathlib
import random
import subprocess
import sys
import unittest
import zlib

from support import PATIENCE, ROOT, CommandTest, environment, has_zstd, make_ten, slow, volume

EXPORT = ROOT / "Examples" / "users.csv"
RULES = ROOT / "Examples" / "users.rules.yaml"


def zstd(content, *options):
    return subprocess.run(["zstd", "-qc", *options], input=content, stdout=subprocess.PIPE, check=True).stdout


def unzstd(content):
    return subprocess.run(["zstd", "-dqc"], input=content, stdout=subprocess.PIPE, check=True).stdout


def members(content, size):
    """Members of `size` bytes of content each, as `cat a.gz b.gz` produces."""
    return b"".join(gzip.compress(content[i : i + size], mtime=0) for i in range(0, len(content), size))


def blocked(content, size=0xFF00):
    """Members with their sizes in the header and an empty last member, as bgzip writes them."""
    out = b""
    for start in [*range(0, len(content), size), None]:
        piece = b"" if start is None else content[start : start + size]
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = packer.compress(piece) + packer.flush()
        total = 18 + len(packed) + 8
        out += b"\x1f\x8b\x08\x04" + bytes(4) + b"\x00\xff\x06\x00BC\x02\x00" + (total - 1).to_bytes(2, "little")
        out += packed + zlib.crc32(piece).to_bytes(4, "little") + len(piece).to_bytes(4, "little")
    return out


def member_with_header(content, flags):
    """A member with the optional header fields of `flags`: 2 checksum, 4 extra field, 8 name, 16 comment."""
    header = b"\x1f\x8b\x08" + bytes([flags]) + bytes(5) + b"\xff"
    header += b"\x05\x00extra" * (flags >> 2 & 1) + b"a name\x00" * (flags >> 3 & 1) + b"a comment\x00" * (
        flags >> 4 & 1)
    if flags & 2:
        header += (zlib.crc32(header) & 0xFFFF).to_bytes(2, "little")
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return header + packed + zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")


def flushed(content, size, flush=zlib.Z_FULL_FLUSH):
    """One member with a flush after every `size` bytes. After a full flush, as in `pigz -i`, the data does not refer to
    earlier bytes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    pieces = [content[i : i + size] for i in range(0, len(content), size)]
    return b"".join(packer.compress(piece) + packer.flush(flush) for piece in pieces) + packer.flush()


class Packed(CommandTest):
    def clean(self, name, *options, status=0):
        return self.assay("clean", name, "-r", str(RULES), "--force", "-q", *options, status=status)

    def expected(self):
        plain = EXPORT.read_bytes()
        # More than one chunk.
        plain = plain[: plain.index(b"\n", volume(300_000, len(plain) - 1)) + 1]
        self.write("plain.csv", plain)
        self.clean("plain.csv")
        return plain, {kind: self.read(f"plain.{kind}") for kind in ("clean.csv", "rejects.csv", "findings.jsonl")}

    @slow
    def test_every_way_of_packing_gives_the_bytes_of_the_plain_file(self):
        plain, expected = self.expected()
        fifth = len(plain) // 5
        ways = {
            "one.csv.gz": gzip.compress(plain), "members.csv.gz": members(plain, 40_000),
            "small.csv.gz": members(plain, 700), "blocked.csv.gz": blocked(plain),
            "mixed.csv.gz": blocked(plain[: 2 * fifth]) + gzip.compress(plain[2 * fifth :]) + bytes(512),
            "stored.csv.gz": gzip.compress(plain, 0), "parts.csv.gz": flushed(plain, 20_000),
            "dependent.csv.gz": flushed(plain, 20_000, zlib.Z_SYNC_FLUSH),
            "parted.csv.gz": flushed(plain[: 2 * fifth], 9_000)
            + flushed(plain[2 * fifth : 3 * fifth], 50_000) + blocked(
                plain[3 * fifth : 4 * fifth]) + gzip.compress(plain[4 * fifth :]) + bytes(512),
        }
        if has_zstd():
            ways["one.csv.zst"] = zstd(plain)
            ways["frames.csv.zst"] = b"".join(zstd(plain[i : i + 50_000]) for i in range(0, len(plain), 50_000))
            ways["small.csv.zst"] = b"".join(zstd(plain[i : i + 900]) for i in range(0, len(plain), 900))
            with_sizes = [self.sized_frame(plain[i : i + 50_000]) for i in range(0, len(plain), 50_000)]
            ways["sized.csv.zst"] = b"".join(with_sizes)
            ways["skippable.csv.zst"] = b"\x50\x2a\x4d\x18\x05\x00\x00\x00abcde" + zstd(plain)
            ways["no-checksum.csv.zst"] = zstd(plain, "--no-check")
        for name, packed in ways.items():
            stem = name.split(".")[0]
            ending = name[len(stem) :]
            self.write(name, packed)
            unpack = unzstd if name.endswith(".zst") else gzip.decompress
            for threads in volume((3,), (1, 2, 7)):
                with self.subTest(name=name, threads=threads):
                    self.clean(name, "--threads", threads)
                    self.assertEqual(unpack(self.read(f"{stem}.clean{ending}")), expected["clean.csv"])
                    self.assertEqual(unpack(self.read(f"{stem}.rejects{ending}")), expected["rejects.csv"])
                    self.assertEqual(self.read(f"{stem}.findings.jsonl"), expected["findings.jsonl"])
                    report = self.report(f"{stem}.report.json")
                    self.assertEqual(report["inputs"][0]["compression"], "zstd" if ending.endswith("zst") else "gzip")
                    self.assertEqual(report["inputs"][0]["bytes"], len(plain))
            with self.subTest(name=name, pipe=True):
                outcome = self.assay(
                    "clean", "-", "-r", str(RULES), "--rejects", "r.csv", "--force", "-q", stdin=packed, status=0)
                self.assertEqual(unpack(outcome.out), expected["clean.csv"])
                self.assertEqual(self.read("r.csv"), expected["rejects.csv"])

    @slow
    def test_a_header_that_is_read_in_two_pieces(self):
        """Assay reads files in pieces of 256 KiB. In each case a member header crosses the end of a piece."""
        record = b"1,2\n"
        for flags in volume((2, 4, 8, 16, 30), range(2, 32, 2)):
            for cut in (18, 20, 23, 27):
                with self.subTest(flags=flags, cut=cut):
                    name = (1 << 18) - cut - len(gzip.compress(record, mtime=0)) - 1
                    first = bytearray(gzip.compress(record, mtime=0))
                    first[3] = 8
                    first[10:10] = b"n" * name + b"\0"
                    packed = bytes(first) + member_with_header(record * 9, flags)
                    self.assertEqual(gzip.decompress(packed), record * 10)
                    self.write("a.csv.gz", packed)
                    outcome = self.assay("check", "a.csv.gz", "--no-header", "--threads", 1, status=0)
                    self.assertRegex(outcome.text + outcome.err, r"clean +10 ")

    def sized_frame(self, content):
        """A frame with its content size in the header, as `zstd FILE` writes it."""
        self.write("frame", content)
        return zstd(b"", str(self.path("frame")))

    @staticmethod
    def frame(content, log):
        """A frame of one uncompressed block, with a window of 2^log bytes."""
        return b"\x28\xb5\x2f\xfd\x00" + bytes([(log - 10) << 3]) + (len(content) << 3
                                                                     | 1).to_bytes(3, "little") + content

    def test_a_large_window_is_refused_before_the_start(self):
        self.write("a.csv.zst", self.frame(b"a\n1\n", 27))
        self.assay("check", "a.csv.zst", status=0)
        self.write("a.csv.zst", self.frame(b"a\n1\n", 28))
        error = self.assay("check", "a.csv.zst", status=2).err
        self.assertIn("a.csv.zst is Zstandard data with a window of more than 128 MiB\n", error)
        self.assertIn("zstd -dc --long=31 a.csv.zst | assay check -", error)
        self.assay("profile", "a.csv.zst", status=2)
        self.assay("init", "a.csv.zst", status=2)
        self.write("a.csv.zst", self.frame(b"a\n" + b"1\n" * 60_000, 20) * 10 + self.frame(b"1\n", 31))
        error = self.assay("check", "a.csv.zst", status=3).err
        self.assertIn("cannot unpack a.csv.zst at byte 1200", error)
        self.assertIn(": a frame has a window of more than 128 MiB; unpack it with zstd -d --long=31\n", error)

    @slow
    def test_a_member_in_parts_unpacks_like_other_members(self):
        make_ten(self.path("ten.csv"), volume(1_500, 30_000))
        plain = self.read("ten.csv")
        half = len(plain) // 2
        # The second half of the member has sync flushes, so its parts depend on earlier data.
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        mixed = b""
        for i in range(0, len(plain), 40_000):
            mixed += packer.compress(plain[i : i + 40_000])
            mixed += packer.flush(zlib.Z_FULL_FLUSH if i < half else zlib.Z_SYNC_FLUSH)
        mixed += packer.flush()
        full = flushed(plain, 40_000)
        wrong = bytearray(full)
        wrong[-6] ^= 1
        flush = full.rindex(b"\0\0\xff\xff", 0, len(full) * 3 // 4) + 4
        broken = bytearray(full)
        broken[len(full) * 2 // 3] ^= 0x10
        self.assertEqual(gzip.decompress(mixed), plain)
        ways = {
            "parts": (full, None), "mixed": (mixed, None),
            "members": (flushed(plain[:half], 40_000) + flushed(plain[half:], 70_000), None),
            "before": (flushed(plain[:half], 40_000) + gzip.compress(plain[half:]), None),
            "zeros": (full + bytes(1024), None), "empty": (full + gzip.compress(b""), None),
            "rubbish": (full + b"rubbish", f"at byte {len(full)}: gzip: the next bytes are not a gzip member"),
            "checksum": (bytes(wrong), "at byte 0: gzip: the checksum of the member that begins there is wrong"),
            "second": (full + bytes(wrong),
                       f"at byte {len(full)}: gzip: the checksum of the member that begins there"),
            "flush": (full[:flush], f"at byte {flush}: gzip: it ends in the middle of a member"),
            "cut": (full[: flush + 1000], f"at byte {flush + 1000}: gzip: it ends in the middle of a member"),
            "trailer": (full[:-3], f"at byte {len(full) - 3}: gzip: it ends in the middle of a member"),
            "broken": (bytes(broken), "is damaged at byte 0: gzip: "),
        }
        rules = str(ROOT / "Benchmarks" / "export.rules.yaml")
        self.assay("clean", "ten.csv", "-r", rules, "--report", "none")
        for name, (packed, mistake) in ways.items():
            self.write(f"{name}.csv.gz", packed)
            for threads in volume((1, 3), (1, 2, 7)):
                with self.subTest(name=name, threads=threads):
                    outcome = self.assay(
                        "clean", f"{name}.csv.gz", "-r", rules, "--compress", "none", "--force", "--threads", threads,
                        "--report", "none", "-q", status=3 if mistake else 0)
                    if mistake:
                        self.assertIn(mistake, outcome.err)
                        self.assertFalse(self.path(f"{name}.clean.csv").exists())
                    else:
                        for kind in ("clean.csv", "rejects.csv"):
                            self.assertEqual(self.read(f"{name}.{kind}"), self.read(f"ten.{kind}"))

    def test_the_name_does_not_count(self):
        plain, expected = self.expected()
        self.write("misnamed.csv", gzip.compress(plain))
        self.clean("misnamed.csv")
        self.assertEqual(gzip.decompress(self.read("misnamed.clean.csv.gz")), expected["clean.csv"])
        self.write("misnamed2.csv.gz", plain)
        self.clean("misnamed2.csv.gz")
        self.assertEqual(self.read("misnamed2.clean.csv"), expected["clean.csv"])

    def test_outputs_are_packed_as_requested(self):
        plain, expected = self.expected()
        self.clean("plain.csv", "--compress", "gzip")
        self.assertEqual(gzip.decompress(self.read("plain.clean.csv.gz")), expected["clean.csv"])
        self.write("a.csv.gz", gzip.compress(plain))
        self.clean("a.csv.gz", "--compress", "none")
        self.assertEqual(self.read("a.clean.csv"), expected["clean.csv"])
        self.clean("a.csv.gz", "--clean", "good.csv", "--rejects", "bad.csv.gz", "--findings", "f.jsonl.gz")
        self.assertEqual(self.read("good.csv"), expected["clean.csv"])
        self.assertEqual(gzip.decompress(self.read("bad.csv.gz")), expected["rejects.csv"])
        self.assertEqual(gzip.decompress(self.read("f.jsonl.gz")), expected["findings.jsonl"])
        if has_zstd():
            self.clean("a.csv.gz", "--compress", "zstd")
            self.assertEqual(unzstd(self.read("a.clean.csv.zst")), expected["clean.csv"])

    def test_packed_outputs_do_not_depend_on_the_number_of_threads(self):
        make_ten(self.path("ten.csv"), volume(3_000, 20_000))
        rules = ROOT / "Benchmarks" / "export.rules.yaml"
        seen = set()
        for threads in (1, 2, 7, 2, 7):
            self.assay("clean", "ten.csv", "-r", str(rules), "--force", "-q", "--compress", "gzip",
                       "--threads", threads)
            seen.add((self.read("ten.clean.csv.gz"), self.read("ten.rejects.csv.gz")))
        self.assertEqual(len(seen), 1)

    def test_outputs_of_empty_input_are_packed_files(self):
        rules = self.rules()
        self.write("empty.csv", "")
        self.assay("clean", "empty.csv", "-r", rules, "--no-header", "--compress", "gzip", "-q", status=0)
        self.assertEqual(gzip.decompress(self.read("empty.clean.csv.gz")), b"")
        self.assertEqual(gzip.decompress(self.read("empty.rejects.csv.gz")), b"")

    @slow
    def test_every_cut_is_noticed(self):
        plain = EXPORT.read_bytes()[:3000]
        rules = self.rules()
        ways = {"a.csv.gz": gzip.compress(plain), "m.csv.gz": members(plain, 1000), "b.csv.gz": blocked(plain, 1000)}
        if has_zstd():
            ways["a.csv.zst"] = zstd(plain)
        for name, packed in ways.items():
            # A cut at the end of a member cannot be detected.
            ends = {len(members(plain[: i * 1000], 1000)) for i in range(1, 4)} if name[0] == "m" else set()
            if name[0] == "b":
                ends = {len(blocked(plain[: i * 1000], 1000)) - len(blocked(b"")) for i in range(1, 4)}
            for cut in range(4, len(packed), volume(211, 7)):
                if cut in ends:
                    continue
                self.write(name, packed[:cut])
                with self.subTest(name=name, cut=cut):
                    outcome = self.assay("clean", name, "-r", rules, "-q")
                    self.assertIn(outcome.status, (2, 3), outcome.err)
                    self.assertIn("is damaged at byte", outcome.err)
                    self.assertEqual(self.files(), [name, rules])
            self.path(name).unlink()

    @slow
    def test_every_flipped_bit_is_noticed(self):
        plain = EXPORT.read_bytes()[:3000]
        rules = self.rules()
        self.write("plain.csv", plain)
        self.assay("clean", "plain.csv", "-r", rules, "-q", "--rejects", "none", "--findings", "none",
                   "--report", "none")
        expected = self.read("plain.clean.csv")
        self.path("plain.csv").unlink()
        self.path("plain.clean.csv").unlink()
        ways = {"a.csv.gz": gzip.compress(plain, mtime=0), "b.csv.gz": blocked(plain, 1000)}
        if has_zstd():
            ways["a.csv.zst"] = zstd(plain)
        chance = random.Random(7)
        for name, packed in ways.items():
            for _ in range(volume(8, 150)):
                at, bit = chance.randrange(4, len(packed)), chance.randrange(8)
                flipped = bytearray(packed)
                flipped[at] ^= 1 << bit
                self.write(name, bytes(flipped))
                with self.subTest(name=name, at=at, bit=bit):
                    outcome = self.assay(
                        "clean", name, "-r", rules, "-q", "--compress", "none", "--rejects", "none",
                        "--findings", "none", "--report", "none")
                    if outcome.status == 0:
                        # The change hit a date, a name or a hint in the header. No checksum covers these.
                        self.assertEqual(self.read("a.clean.csv" if name[0] == "a" else "b.clean.csv"), expected)
                        self.path(f"{name[0]}.clean.csv").unlink()
                    else:
                        self.assertEqual(self.files(), [name, rules])
            self.path(name).unlink()

    def test_bytes_after_a_member_are_not_ignored(self):
        self.write("a.csv.gz", gzip.compress(b"a,b\n1,2\n") + b"rubbish")
        outcome = self.assay("check", "a.csv.gz", status=3)
        self.assertEqual(
            outcome.err, "assay: error: a.csv.gz is damaged at byte 28: gzip: the next bytes are not a gzip member\n")

    def test_a_header_inside_packed_data_is_no_member(self):
        # Stored blocks contain the bytes unchanged, including a whole archive.
        inner = gzip.compress(b"x" * 300_000, 0)
        text = b"a\n" + b"".join(b"%d\n" % i for i in range(40_000))
        content = text + inner.replace(b"\n", b"-") + b"\n" + inner[:12] + b"\n"
        packed = gzip.compress(text, 1) + gzip.compress(content, 0) * 3
        self.write("a.csv.gz", packed)
        full = self.assay("check", "a.csv.gz", "--threads", 1, "--report", "1.json", "--quote", "none")
        for threads in (2, 7):
            self.assay("check", "a.csv.gz", "--threads", threads, "--report", f"{threads}.json", "--quote", "none")
            for key in ("inputs", "structure", "findings"):
                self.assertEqual(self.report(f"{threads}.json")[key], self.report("1.json")[key])

    def test_member_has_more_bytes_than_declared(self):
        """The declared size selects parallel decompression. It also bounds the output, so a member with more data is an
        error."""
        content = b"a\n" + b"1\n" * volume(500_000, 5_000_000)
        member = bytearray(blocked(content, len(content))[:-28])
        self.assertLess(len(member), 1 << 16)
        member[-4:] = (1000).to_bytes(4, "little")
        self.write("a.csv.gz", blocked(b"b\n") + bytes(member))
        outcome = self.assay("check", "a.csv.gz", status=3)
        self.assertIn("is damaged at byte", outcome.err)
        self.assertIn("a member is longer than its stated size", outcome.err)

    @slow
    def test_member_declares_a_wrong_size(self):
        """gzip(1) ignores the declared size and bgzip rejects the file. Assay must reject it with every decompression
        strategy."""
        make_ten(self.path("ten.csv"), volume(1_500, 3_000))
        plain = self.read("ten.csv")
        head, small = gzip.compress(b"a,b\n", mtime=0), gzip.compress(b"1,2\n" * 50, mtime=0)

        def text(count):
            return bytes(random.Random(1).choices(b"abcdefghij0123456789,", k=count))

        def member(declared, content=text(400), extra=0):
            return self.sized(content, declared, extra)

        right = len(member(None))
        big = members(plain, 40_000)
        parts = flushed(plain, 20_000)
        blocks = blocked(plain)[:-28]
        # The bytes before the member, the member, the bytes after it, and the real size that the message must contain.
        cases = {
            "less": (head, member(right - 2), blocked(b"1,2\n") + small, "more"),
            "more": (head, member(right + 2), blocked(b"1,2\n") + small, right),
            "to-the-end-of-the-next": (head, member(right + 28), blocked(b""), right),
            "to-the-end-of-two": (head, member(right + 56), blocked(b"") * 3, right),
            "no-header": (head, member(3), small, "more"),
            "header-only": (head, member(20), small, "more"),
            "first": (b"", member(right + 1), small, right),
            "last": (head, member(right + 1), b"", right),
            "last-beyond-the-end": (head, member(right + 5_000), b"", right),
            "long-header": (head, member(right - 1 + 60_000, extra=60_000), small, "more"),
            "long-header-more": (head, member(right + 1 + 60_000, extra=60_000), small, right + 60_000),
            "over-64-KiB": (head, member(1_000, text(150_000)), small, "more"),
            "behind-members": (big, member(right + 3), big, right),
            "behind-members-less": (big, member(right - 3), big, "more"),
            "behind-parts": (parts, member(right + 3), parts, right),
            "behind-parts-less": (parts, member(right - 3), parts, "more"),
            "among-blocks": (blocks, member(right + 3), blocks, right),
            "among-blocks-less": (blocks, member(right - 3), blocks, "more"),
            "parts-in-it": (head, self.redeclared(flushed(plain[:300_000], 20_000), 4_000), small, "more"),
        }
        for name, (before, lie, behind, real) in cases.items():
            declared = int.from_bytes(lie[16:18], "little") + 1
            message = (f"is damaged at byte {len(before)}: gzip: the header declares {declared} bytes, "
                       f"but the member has {real}\n")
            packed = before + lie + behind
            gzip.decompress(packed)
            self.write("a.csv.gz", packed)
            for threads in volume((1, 3), (1, 2, 4)):
                for pipe in (False, True):
                    with self.subTest(name=name, threads=threads, pipe=pipe):
                        outcome = self.assay(
                            "check", "-" if pipe else "a.csv.gz", "-q", "--threads", threads,
                            stdin=packed if pipe else b"")
                        self.assertTrue(outcome.err.endswith(message), outcome.err)
                        self.assertIn(outcome.status, (2, 3))

    def test_member_declares_its_size_after_a_long_header(self):
        packed = gzip.compress(b"a,b\n") + self.sized(b"1,2\n" * 9, None, extra=60_000) + blocked(b"3,4\n")
        self.write("a.csv.gz", packed)
        for threads in (1, 2, 4):
            for name in ("a.csv.gz", "-"):
                with self.subTest(threads=threads, name=name):
                    outcome = self.assay("check", name, "--threads", threads,
                                         stdin=packed if name == "-" else b"", status=0)
                    self.assertIn(" 10 ", outcome.err)

    def test_header_checksum_is_checked_in_parts(self):
        make_ten(self.path("ten.csv"), volume(3_000, 30_000))
        parts = flushed(self.read("ten.csv"), 20_000)
        header = b"\x1f\x8b\x08\x02" + bytes(5) + b"\xff"
        checksum = zlib.crc32(header) & 0xFFFF
        for wrong in (0, 1):
            self.write("a.csv.gz", header + (checksum ^ wrong).to_bytes(2, "little") + parts[10:])
            for threads in (1, 2, 4):
                with self.subTest(wrong=wrong, threads=threads):
                    outcome = self.assay("check", "a.csv.gz", "-q", "--threads", threads)
                    self.assertEqual("is damaged at byte 0: gzip: the checksum" in outcome.err, wrong == 1, outcome.err)
                    self.assertEqual(outcome.status > 1, wrong == 1)

    @slow
    def test_reserved_flags(self):
        """RFC 1952 requires an error (section 2.3.1.2), but ISA-L ignores the flags."""
        good = gzip.compress(b"1,2\n" * 50, mtime=0)
        for flag in volume((0x20, 0x61), (0x20, 0x40, 0x80, 0x61)):
            bad = good[:3] + bytes([flag]) + good[4:]
            for before, behind in ((b"", b""), (b"", good), (gzip.compress(b"a,b\n"), good),
                                   (blocked(b"a,b\n" * 30_000)[:-28], blocked(b"1,2\n"))):
                packed = before + bad + behind
                self.write("a.csv.gz", packed)
                for threads in volume((1, 3), (1, 2, 4)):
                    for name in ("a.csv.gz", "-"):
                        with self.subTest(flag=flag, before=len(before), threads=threads, name=name):
                            outcome = self.assay("check", name, "-q", "--threads", threads,
                                                 stdin=packed if name == "-" else b"")
                            self.assertIn(f"is damaged at byte {len(before)}: gzip: its header has flags that no gzip "
                                          f"member has\n", outcome.err)
                            self.assertIn(outcome.status, (2, 3))

    @staticmethod
    def sized(content, declared, extra=0):
        """A member that declares the size `declared`, or its real size if None. A second extra field of `extra` bytes
        follows."""
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = packer.compress(content) + packer.flush()
        field = b"XX" + (extra - 4).to_bytes(2, "little") + bytes(extra - 4) if extra else b""
        declared = 18 + len(field) + len(packed) + 8 if declared is None else declared
        return (b"\x1f\x8b\x08\x04" + bytes(4) + b"\x00\xff" + (6 + len(field)).to_bytes(2, "little") + b"BC\x02\x00"
                + (declared - 1).to_bytes(2, "little") + field + packed + zlib.crc32(content).to_bytes(4, "little")
                + len(content).to_bytes(4, "little"))

    @staticmethod
    def redeclared(member, declared):
        """A copy of a member without a name, with the declared size `declared`."""
        return member[:3] + b"\x04" + member[4:10] + b"\x06\x00BC\x02\x00" + (declared - 1).to_bytes(
            2, "little") + member[10:]

    @slow
    def test_frame_declares_more_bytes_than_it_has(self):
        """libzstd does not detect this if it receives the frame in pieces and the last block is empty."""

        def frame(content, declared):
            pieces = [content[i : i + 100_000] for i in range(0, len(content), 100_000)] + [b""]
            blocks = [(len(piece) << 3 | (not piece)).to_bytes(3, "little") + piece for piece in pieces]
            return b"\x28\xb5\x2f\xfd\xa0" + declared.to_bytes(4, "little") + b"".join(blocks)

        content = b"3,4\n" * volume(150_000, 1_500_000)
        cases = {"right": 0, "more": 1, "less": -1}
        for name, lie in cases.items():
            packed = frame(b"a,b\n1,2\n", 8) + frame(content, len(content) + lie) + frame(b"", 0)
            self.write("a.csv.zst", packed)
            for threads in (1, 2, 4):
                for source in ("a.csv.zst", "-"):
                    with self.subTest(name=name, threads=threads, source=source):
                        outcome = self.assay("check", source, "--threads", threads,
                                             stdin=packed if source == "-" else b"")
                        self.assertEqual(outcome.status, 0 if lie == 0 else 3, outcome.err)
                        self.assertEqual(" is damaged at byte " in outcome.err, lie != 0, outcome.err)

    def test_bytes_as_they_are(self):
        self.write("a.csv.gz", gzip.compress(b"a,b\n1,2\n"))
        outcome = self.assay("check", "a.csv.gz", "--compression", "none", status=2)
        self.assertIn("a.csv.gz is gzip data, not CSV", outcome.err)

    @slow
    def test_a_bomb_takes_no_memory(self):
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        bomb = packer.compress(b"a\n")
        for _ in range(200):
            bomb += packer.compress(b"1\n" * (1 << 19))
        bomb += packer.flush()
        self.write("bomb.csv.gz", bomb)
        self.assertLess(self.peak("check", "bomb.csv.gz", "-q"), 300)

    def test_the_first_records_of_a_pipe_are_not_waited_for(self):
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        begun = packer.compress(b"a,b\n1,2\n3,4\n") + packer.flush(zlib.Z_SYNC_FLUSH)
        process = self.start("check", "-", "--head", 1)
        process.stdin.write(begun)
        process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 0)

    @unittest.skipUnless(has_zstd(), "needs zstd")
    def test_the_first_records_of_a_zstd_pipe_are_not_waited_for(self):
        packed = zstd(EXPORT.read_bytes())
        process = self.start("check", "-", "--head", 1)
        process.stdin.write(packed[: len(packed) // 2])
        process.stdin.flush()
        self.assertEqual(process.wait(PATIENCE), 0)

    @unittest.skipUnless(sys.platform == "linux", "the loader of Linux")
    def test_the_library_for_gzip_is_missing(self):
        self.write("libisal.so.2", b"")
        self.write("a.csv.gz", gzip.compress(b"a\n1\n"))
        self.write("b.csv", b"a\n1\n")
        env = environment(LD_LIBRARY_PATH=str(self.directory))
        advice = "gzip needs the library ISA-L (libisal.so.2): install it, such as with apt-get install libisal2\n"
        outcome = self.assay("check", "a.csv.gz", env=env, status=3)
        self.assertEqual(outcome.err, f"assay: error: cannot read a.csv.gz: {advice}")
        outcome = self.assay("clean", "b.csv", "-r", self.rules("a"), "--compress", "gzip", env=env, status=3)
        self.assertEqual(outcome.err, f"assay: error: cannot write b.clean.csv.gz: {advice}")


if __name__ == "__main__":
    unittest.main()
