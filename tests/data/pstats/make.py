# SPDX-License-Identifier: Apache-2.0
"""Writes python.txt (what this Python's pstats prints for each line of `cases`), the same profile in each
version of marshal, and a profile of Python's pure profiler. Run in this folder: python3 make.py"""
import io
import marshal
import profile
import pstats
import shlex

cases = """
stats recursive.cprofile-eager.prof --sort stdname
stats recursive.cprofile-eager.prof --sort none
stats recursive.cprofile-eager.prof --sort nfl --reverse
stats recursive.cprofile-eager.prof --sort calls,name --strip-dirs
stats recursive.cprofile-eager.prof --sort tot,line --restrict 0.5 --restrict built --restrict 1
stats recursive.cprofile-eager.prof --sort 1 --restrict '(?P<a>l)in\\w+\\b' --restrict -1
stats recursive.cprofile-eager.prof --sort cu --restrict '(' --restrict "it's"
stats recursive.cprofile-eager.prof --sort pcalls,file --restrict 0
stats recursive.cprofile-eager.prof recursive.dynamo-eager.prof grosse.dynamo-eager.prof --sort cumulative
stats recursive.cprofile-eager.prof grosse.cprofile-eager.prof --sort none --strip-dirs
stats grosse.cprofile-eager.prof --sort -1 --restrict größe
stats pure.prof --sort time
callers recursive.cprofile-eager.prof --sort time --restrict 5
callers grosse.dynamo-eager.prof recursive.dynamo-eager.prof --sort module --strip-dirs
callers pure.prof --sort ncalls
callees recursive.cprofile-eager.prof --sort cumulative
callees recursive.dynamo-eager.prof --sort cumulative --strip-dirs
callees pure.prof --sort ncalls
""".strip().splitlines()


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def restriction(word):
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def printed(line):
    words = shlex.split(line)
    method, files, restrictions, sort = words[0], [], [], []
    rest = iter(words[1:])
    flags = set()
    for word in rest:
        if word == "--sort":
            sort = next(rest).split(",")
        elif word == "--restrict":
            restrictions.append(restriction(next(rest)))
        elif word.startswith("--"):
            flags.add(word)
        else:
            files.append(word)
    out = io.StringIO()
    stats = pstats.Stats(*files, stream=out)
    stats.files = []
    if "--strip-dirs" in flags:
        stats.strip_dirs()
    if sort != ["none"]:
        stats.sort_stats(*[int(s) if s.lstrip("-").isdigit() else s for s in sort])
    if "--reverse" in flags:
        stats.reverse_order()
    getattr(stats, "print_" + method)(*restrictions)
    return out.getvalue()


pure = profile.Profile()
pure.runcall(fibonacci, 6)
pure.create_stats()
# Times that print the same wherever this runs.
pure.stats = {k: (cc, nc, 0.001 * i, 0.002 * i, callers)
              for i, (k, (cc, nc, _, _, callers)) in enumerate(sorted(pure.stats.items()))}
pure.stats = {("/home/user/dyn/make.py" if f.endswith("make.py") else f, line, name): v[:4] + (
    {("/home/user/dyn/make.py" if c.endswith("make.py") else c, n, m): k for (c, n, m), k in v[4].items()},)
    for (f, line, name), v in pure.stats.items()}
with open("pure.prof", "wb") as file:
    marshal.dump(pure.stats, file)
with open("recursive.cprofile-eager.prof", "rb") as file:
    recursive = marshal.load(file)
for version in range(marshal.version + 1):
    with open(f"version{version}.prof", "wb") as file:
        file.write(marshal.dumps(recursive, version))
with open("python.txt", "w", encoding="utf-8") as file:
    for case in cases:
        file.write(f"-- {case} --\n{printed(case)}")
