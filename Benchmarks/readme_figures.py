"""The tables of README: the same job beside other tools, and values in Swift beside Foundation and Swift `Regex`."""


def job_table(rounds, figure):
    """One row per tool, with the faster of its ways. Slow tools do the job on a smaller file, beside Assay's time."""
    lines = ["| splits one file into clean rows and rejects, ten patterns, 6 % of rows bad "
             "| time | × Assay's | peak memory |",
             "|:--|--:|--:|--:|"]
    large = rounds.subjects("6 % bad, 2 threads")
    sizes = {subject.split(",")[0] for subject in large}
    # The large file on one thread has the same tools again.
    small = [subject for subject in rounds.subjects("6 % bad, 1 thread") if subject.split(",")[0] not in sizes]
    for subject in large + small:
        size, _, threads = subject.split(", ")
        count = int(threads.split()[0])
        names = rounds.contenders(subject)
        assay = "assay clean, the same job" if "assay clean, the same job" in names else "assay clean"
        time = rounds.best("wall_s", subject, assay, count)

        def row(name, wall, ratio, label):
            return f"| {label} | {figure(wall)} s | {ratio} | {figure(rounds.peak(subject, name, count))} MB |"

        lines.append(row(assay, time, "", f"**assay clean**, {size}, {threads}"))
        fastest = {}
        for name in names:
            wall = None if name.startswith("assay clean") else rounds.best("wall_s", subject, name, count)
            tool = name.split(" ")[0]
            if wall and (tool not in fastest or wall < fastest[tool][0]):
                fastest[tool] = wall, name
        lines += [row(name, wall, f"{figure(wall / time)}×", name) for wall, name in sorted(fastest.values())]
    return lines


def value_table(rounds, figure):
    """Nanoseconds per value of a column with one value in a hundred bad, on one thread."""
    engines = "verdicts(utf8:offsets:)", "NSRegularExpression firstMatch", "Swift Regex"
    lines = ["| one value in Swift, one thread | Assay | `NSRegularExpression` | Swift `Regex` |",
             "|:--|--:|--:|--:|"]
    for column, words in ("date", "dates"), ("email", "e-mail addresses"), ("uuid", "UUIDs"):
        each = (rounds.each(f"{column}, 1 % bad", engine) for engine in engines)
        lines.append(f"| {words} | " + " | ".join(f"{figure(nanoseconds)} ns" for nanoseconds in each) + " |")
    return lines
