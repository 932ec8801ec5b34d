"""Memory exhaustion: Assay's own allocations lead to one line and exit status 3, and the next run removes all leftover
files."""

import os
import shutil
import subprocess
import sys
import unittest

from support import PATIENCE, CommandTest, environment, wait_until, slow

# Makes one allocation fail, or a mapping of the size of a JIT stack.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

static atomic_long calls;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text == NULL ? -1 : atol(text);
}

static int fails(size_t size)
{
    static long nth = -2, atLeast = -2;
    if (nth == -2) nth = number("FAIL_NTH"), atLeast = number("FAIL_AT_LEAST");
    if (nth >= 0 && atomic_fetch_add(&calls, 1) == nth) return 1;
    return atLeast >= 0 && size >= (size_t)atLeast;
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
    if (!fails(size)) return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size)
{
    if (!fails(count * size)) return __libc_calloc(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *block, size_t size)
{
    if (!fails(size)) return __libc_realloc(block, size);
    errno = ENOMEM;
    return NULL;
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (real == NULL) real = dlsym(RTLD_NEXT, "mmap");
    long stack = number("FAIL_STACKS");
    static atomic_long stacks;
    if (stack >= 0 && length >= (size_t)stack && length < (size_t)stack + (64 << 10) &&
        atomic_fetch_add(&stacks, 1) >= number("STACKS_LEFT")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return real(address, length, protection, flags, file, offset);
}
"""

ROWS = "a,b\n" + "".join(f"{number},x{number} y\n" for number in range(3_000)) + "bad\n"


@unittest.skipUnless(sys.platform.startswith("linux") and shutil.which("cc"), "needs Linux and a C compiler")
class NoMemoryTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", ROWS)
        # PCRE2 must match the look-behind, and an e-mail address has its own failure reasons.
        self.rules({"name": "a", "type": "integer"},
                   {"name": "b", "format": "email", "rules": [{"id": "p", "pattern": r"x.*(?<=\d) y"}]})
        self.write("shim.c", SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.path("shim.so"), self.path("shim.c"), "-ldl"],
                       check=True, capture_output=True)
        os.mkdir(self.path("out"))

    def clean(self, *arguments, **faults):
        preload = {"LD_PRELOAD": str(self.path("shim.so"))} if faults else {}
        if "--threads" not in arguments:
            arguments = ("--threads", "2", *arguments)
        return self.assay("clean", "users.csv", "-r", "rules.json", "--output-dir", "out", "--force", *arguments,
                          env=environment(**preload, **faults))

    def temporaries(self):
        return [name for name in self.files() if ".assay-" in name]

    def assert_reports_it(self, outcome):
        self.assertEqual(outcome.status, 3, outcome.err)
        self.assertRegex(outcome.err, r"\Aassay: error: [^\n]*no memory[^\n]*\n\Z")
        self.assertEqual(self.files(), ["rules.json", "shim.c", "shim.so", "users.csv"])

    def test_memory_per_thread(self):
        """The JIT stack, and the buffers of a chunk."""
        self.assert_reports_it(self.clean("-q", FAIL_STACKS=str(1 << 20), STACKS_LEFT="0"))
        self.assert_reports_it(self.clean("-q", FAIL_AT_LEAST=str(4 << 20)))

    def test_a_thread_has_one_stack(self):
        """The search for failure reasons uses the same stack."""
        outcome = self.clean("--threads", "1", FAIL_STACKS=str(1 << 20), STACKS_LEFT="1")
        self.assertEqual(outcome.status, 0, outcome.err)
        self.assertIn(b"is not an e-mail address: there is no @", self.read("out/users.findings.jsonl"))

    @slow
    def test_the_nth_allocation(self):
        """A sample of all allocations. Assay reports its own failed allocations. If Swift's runtime ends the process,
        the next run removes its files."""
        counts = {"died": 0, "reported": 0}
        numbers = [int(40 * 1.35**step) for step in range(24)]
        for number in numbers:
            with self.subTest(number):
                outcome = self.clean("-q", FAIL_NTH=str(number))
                if outcome.status < 0:
                    counts["died"] += 1
                else:
                    self.assertIn(outcome.status, (0, 3), outcome.err)
                    self.assertEqual(self.temporaries(), [])
                if outcome.status == 3:
                    counts["reported"] += 1
                    self.assertEqual(outcome.err.count("\n"), 1, outcome.err)
                self.assertEqual(self.clean("-q").status, 0)
                self.assertEqual(self.temporaries(), [])
        self.assertGreater(counts["died"] + counts["reported"], 0, "the sample met an allocation")


class LeftoverTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", ROWS)
        self.rules("a")

    def temporaries(self):
        return [name for name in self.files() if ".assay-" in name]

    def started(self, name):
        """A run that waits for its input and has temporary files."""
        process = self.start("clean", "-", "-r", "rules.json", "--clean", f"{name}.clean",
                             "--rejects", f"{name}.bad", "-q")
        wait_until(lambda: len([file for file in self.temporaries() if file.startswith(f".{name}")]) == 2,
                   "it is staged")
        return process

    def test_only_those_of_a_dead_run_are_removed(self):
        dead, living = self.started("dead"), self.started("living")
        dead.kill()
        dead.wait(PATIENCE)
        left = [name for name in self.temporaries() if name.startswith(".dead")]
        self.assertEqual(len(left), 2)
        random = "0123456789abcdef"
        kept = {".notes.assay-plan", f".assay-1-{random}", ".a.assay-1-", f".a.assay-1-{random}.csv",
                f"a.assay-1-{random}",
                ".backup.assay-2024-01", f".a.assay-x-{random}", f".a.assay-1-{random}0",
                f".a.assay-1-{random.upper()}"}
        for name in kept:
            self.write(name, "mine")
        os.mkdir(self.path(f".d.assay-1-{random}"))
        os.symlink("users.csv", self.path(f".l.assay-1-{random}"))
        outcome = self.assay("clean", "users.csv", "-r", "rules.json", status=0)
        for name in left:
            self.assertIn(f"assay: removed {name}, a temporary file left by a run that was killed\n", outcome.err)
        self.assertEqual(outcome.err.count("removed"), 2)
        self.assertFalse(any(self.exists(name) for name in left))
        self.assertEqual({name for name in kept if self.exists(name)}, kept)
        self.assertTrue(self.exists(f".d.assay-1-{random}") and self.exists(f".l.assay-1-{random}"))
        # The other run ends normally.
        living.stdin.write(ROWS.encode())
        living.stdin.close()
        self.assertEqual(living.wait(PATIENCE), 0)
        self.assertTrue(self.exists("living.clean") and self.exists("living.bad"))

    def test_inputs_are_kept_under_any_name(self):
        """The user may want to inspect the partial output of a killed run."""
        table, rules, other = (f".{part}.assay-1-0123456789abcdef" for part in ("users.csv", "rules", "countries"))
        self.write(table, "a\nx\n")
        self.write(other, "code\nx\n")
        self.rules("a", name=rules, foreignKeys=[{"fields": "a", "reference": {"resource": other, "fields": "code"}}])
        outcome = self.assay("clean", table, "--format", "csv", "-r", rules, "--clean", "good.csv",
                             "--rejects", "bad.csv", status=0)
        self.assertNotIn("removed", outcome.err)
        self.assay("check", table, "--format", "csv", "-r", rules, "--findings", "f.jsonl", status=0)
        self.assay("clean", table, "--format", "csv", "-r", rules, "--clean", "none", "--rejects", "bad.csv",
                   "--delimiter", ";", status=2)
        self.assertEqual([self.exists(name) for name in (table, rules, other)], [True] * 3)

    def test_quietly(self):
        process = self.started("dead")
        process.kill()
        process.wait(PATIENCE)
        outcome = self.assay("check", "users.csv", "-r", "rules.json", "--report", "r.json", "-q",
                             "--max-reject-rate", "100")
        self.assertEqual((outcome.status, outcome.err), (0, ""))
        self.assertEqual(self.temporaries(), [])

    @slow
    def test_many_runs_at_once(self):
        """Concurrent runs must never remove a file of a live run."""
        runs = [self.start("clean", "-", "-r", "rules.json", "--clean", f"c{number}", "--rejects", f"r{number}", "-q")
                for number in range(24)]
        for run in runs:
            run.stdin.write(ROWS.encode())
            run.stdin.close()
        for run in runs:
            self.assertEqual(run.wait(PATIENCE), 0, run.stderr.read())
        self.assertEqual(self.temporaries(), [])


if __name__ == "__main__":
    unittest.main()
