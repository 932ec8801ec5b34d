"""System calls that fail in unusual ways: each failure ends the run with exit status 3 and a message."""

import errno
import os
import shutil
import subprocess
import sys
import unittest

from support import CommandTest, environment, wait_until

# The name of each fault in the environment is that of the call. The value is the error number or arbitrary.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is(int file, mode_t kind)
{
    struct stat status;
    return fstat(file, &status) == 0 && (status.st_mode & S_IFMT) == kind;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count)
{
    return getenv("WRITES_NO_BYTE") && is(file, S_IFREG) ? 0 : REAL(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place)
{
    return getenv("WRITES_NO_BYTE") && is(file, S_IFREG) ? 0 : REAL(pwrite)(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) { return pwrite(file, bytes, count, place); }

static int interrupts(int file)
{
    static int armed = -1;
    if (armed < 0) armed = getenv("INTERRUPTS_READS") != NULL;
    if (!armed || !is(file, S_IFREG)) return 0;
    errno = EINTR;
    return 1;
}

ssize_t read(int file, void *bytes, size_t count)
{
    static ssize_t (*real)(int, void *, size_t);
    if (real == NULL) real = REAL(read);
    char path[64], name[4096] = "";
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int isInput = readlink(path, name, sizeof name - 1) > 0 && strstr(name, "users.csv") != NULL;
    return isInput && interrupts(file) ? -1 : real(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t place)
{
    return interrupts(file) ? -1 : REAL(pread)(file, bytes, count, place);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t place) { return pread(file, bytes, count, place); }

int fsync(int file)
{
    const char *code = getenv("FSYNC_OF_DIRECTORY");
    if (code == NULL || !is(file, S_IFDIR)) return REAL(fsync)(file);
    errno = atoi(code);
    return -1;
}

static int is_renamed;

int lstat(const char *path, struct stat *status)
{
    const char *code = getenv("LSTAT_OF_OUTPUT");
    if (code == NULL || !is_renamed || strstr(path, "users.clean.csv") == NULL) return REAL(lstat)(path, status);
    errno = atoi(code);
    return -1;
}

int rename(const char *from, const char *to)
{
    is_renamed = 1;
    if (getenv("SWAPS_AT_RENAME") && strstr(from, ".assay-")) {
        unlink(from);
        close(open(from, O_CREAT | O_WRONLY, 0600));
    }
    return REAL(rename)(from, to);
}
"""


@unittest.skipUnless(sys.platform.startswith("linux") and shutil.which("cc"), "needs Linux and a C compiler")
class FaultTests(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("users.csv", "a\n1\nx\n")
        self.rules({"name": "a", "type": "integer"})
        self.write("shim.c", SHIM)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.path("shim.so"), self.path("shim.c"), "-ldl"],
                       check=True, capture_output=True)
        os.mkdir(self.path("out"))

    def clean(self, *arguments, status, **faults):
        return self.assay("clean", "users.csv", "-r", "rules.json", "--output-dir", "out", "--force", "-q", *arguments,
                          env=environment(LD_PRELOAD=str(self.path("shim.so")), **faults), status=status)

    def test_without_a_fault(self):
        self.clean(status=0)
        self.assertEqual(self.read("out/users.clean.csv"), b"a\n1\n")

    def test_a_write_that_writes_no_byte_is_a_full_disk(self):
        for more in ([], ["--threads", "1"], ["--resume"]):
            with self.subTest(more=more):
                outcome = self.clean(*more, status=3, WRITES_NO_BYTE="1")
                self.assertRegex(outcome.err, r"\Aassay: error: cannot write [^\n]*: No space left on device\n")

    def test_a_read_that_is_always_interrupted_ends(self):
        for threads in ("1", "2"):
            with self.subTest(threads=threads):
                outcome = self.clean("--threads", threads, status=3, INTERRUPTS_READS="1")
                self.assertRegex(outcome.err,
                                 r"\Aassay: error: cannot read users\.csv[^\n]*: Interrupted system call\n")
                self.assertEqual(os.listdir(self.path("out")), [])

    def test_a_directory_that_is_not_on_the_disk_is_an_error(self):
        for code in (errno.EIO, errno.ENOSPC):
            with self.subTest(code=code):
                outcome = self.clean(status=3, FSYNC_OF_DIRECTORY=str(code))
                self.assertIn(f"cannot synchronize out/: {os.strerror(code)}\n  these outputs are already in place: "
                              "out/users.clean.csv, out/users.rejects.csv", outcome.err)
        for code in (errno.EINVAL, errno.ENOTSUP):
            with self.subTest(code=code):
                self.clean(status=0, FSYNC_OF_DIRECTORY=str(code))
        self.assertIn("cannot synchronize", self.clean("--resume", status=3, FSYNC_OF_DIRECTORY=str(errno.EIO)).err)

    SWAPPED = "cannot rename into place out/users.clean.csv: another program put another file in its place"

    def test_another_file_under_the_name_of_an_output(self):
        self.assertIn(self.SWAPPED, self.clean(status=3, SWAPS_AT_RENAME="1").err)

    def test_an_output_that_the_system_does_not_report(self):
        for code in (errno.EIO, errno.ENOMEM):
            with self.subTest(code=code):
                outcome = self.clean(status=3, LSTAT_OF_OUTPUT=str(code))
                self.assertIn(f"cannot rename into place out/users.clean.csv: {os.strerror(code)}\n", outcome.err)

    def test_another_file_under_the_temporary_name(self):
        """While the run waits for its input, another program replaces the unfinished output by a file and by a link."""
        for replace in (lambda path: self.path(path).write_text("a\nother\n"),
                        lambda path: os.symlink("../users.csv", self.path(path))):
            process = self.start("clean", "-", "-r", "rules.json", "--clean", "out/users.clean.csv",
                                 "--rejects", "none", "--force", "-q")
            process.stdin.write(b"a\n" + b"1\n" * 200_000)
            process.stdin.flush()
            wait_until(lambda: any(".users.clean.csv.assay-" in name for name in os.listdir(self.path("out"))),
                       "the output")
            [name] = [name for name in os.listdir(self.path("out")) if ".users.clean.csv.assay-" in name]
            os.unlink(self.path("out/" + name))
            replace("out/" + name)
            errors = process.communicate(b"1\n")[1].decode()
            self.assertEqual(process.returncode, 3, errors)
            self.assertIn(self.SWAPPED, errors)
            self.assertFalse(os.path.exists(self.path("out/users.clean.csv")))
