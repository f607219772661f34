#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts for people use the words that words.tsv asks for; links lead somewhere; lines of prose fit a screen.

    tests/words/words_test.py            fails with one line for each fault
    tests/words/words_test.py --rows     prints the rows of not_yet.tsv as the texts are now

Texts are the Markdown pages below and the string literals of what talks to people. not_yet.tsv lists what words are still
found where, by file and number. A number that is too small or too large is a fault, so that the list only shrinks.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "bench/RESULTS.md", "vscode-extension/README.md",
         "vscode-extension/CHANGELOG.md", "vscode-extension/walkthrough/*.md", "docs/*.md"]
GENERATED = {"docs/terms.md"}  # from the string literals of core/render/terms.cc
SOURCES = [f"{room}/**/*.{end}" for room in ("core", "cli", "server", "mcp", "rpc") for end in ("cc", "h")]
MANIFEST = "vscode-extension/package.json"
WIDTH = 200
README_LINES = 200
PICTURE_BYTES = 200_000


class Word:
    def __init__(self, name, pattern, allowed, instead):
        self.name = name
        self.instead = instead
        self.pattern = re.compile(pattern if pattern.startswith("(?<") else rf"\b(?:{pattern})\b", re.IGNORECASE)
        self.allowed = re.compile(allowed, re.IGNORECASE) if allowed else None

    def count(self, text):
        spans = [match.span() for match in self.allowed.finditer(text)] if self.allowed else []
        return sum(not any(start <= match.start() and match.end() <= end for start, end in spans)
                   for match in self.pattern.finditer(text))


def rows_of(path):
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def read_words():
    return [Word(*row) for row in rows_of(HERE / "words.tsv")]


def is_code(line, before):
    """A line of an indented code block, of which `before` is the line before."""
    return line.startswith("    ") and (not before.strip() or before.startswith("    ")) and not line.lstrip().startswith("```")


def prose_lines(text):
    """Number and text of every line that is not in a code block."""
    fence, before, is_block = False, "", False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fence = not fence
        elif not fence:
            is_block = is_code(line, before) and (is_block or not before.strip())
            if not is_block:
                yield number, line
        before = line


def without_spans(text):
    """Markdown without code in backticks and without the addresses of links."""
    text = re.sub(r"(`+)(?:(?!\1).|\n)*?\1", "`", text)
    return re.sub(r"\]\([^)\s]*\)", "]", text)


def prose(text):
    """The sentences of a page: headings stand alone, lines of a paragraph are joined."""
    out = []
    for _, line in prose_lines(text):
        stripped = line.strip()
        starts_anew = not stripped or re.match(r"([-*#|>]|\d+\.)(\s|\|)?", stripped)
        out.append(("\n" if starts_anew else " ") + re.sub(r"^([*-]|\d+\.)\s+", ". ", stripped))
    return without_spans("".join(out))


def newest_section(text):
    parts = re.split(r"(?m)^## ", text)
    return "## " + parts[1] if len(parts) > 1 else text


STRING = re.compile(r'R"\((?P<raw>.*?)\)"|"(?P<plain>(?:[^"\\\n]|\\.)*)"|//[^\n]*|/\*.*?\*/|\'(?:[^\'\\\n]|\\.)\'', re.DOTALL)


def literals(source):
    """The string literals of a C++ source; those that the compiler joins are one. Of words alone: no names, no keys."""
    texts, end = [], -1
    for match in STRING.finditer(source):
        if match.lastgroup is None:
            continue
        text = match.group(match.lastgroup)
        if texts and not source[end:match.start()].strip():
            texts[-1] += text
        else:
            texts.append(text)
        end = match.end()
    return [text for text in texts if " " in text.strip()]


def json_texts(text):
    return [match for match in re.findall(r'":\s*"((?:[^"\\]|\\.)*)"', text) if " " in match]


def pages(root):
    for pattern in PAGES:
        for path in sorted(root.glob(pattern)):
            if str(path.relative_to(root)) not in GENERATED:
                yield path


def texts_by_file(root):
    found = {}
    for path in pages(root):
        text = path.read_text()
        found[str(path.relative_to(root))] = prose(newest_section(text) if path.name == "CHANGELOG.md" else text)
    for pattern in SOURCES:
        for path in sorted(root.glob(pattern)):
            found[str(path.relative_to(root))] = "\n".join(literals(path.read_text()))
    found[MANIFEST] = "\n".join(json_texts((root / MANIFEST).read_text()))
    return found


def counts_of(texts, words):
    return {(file, word.name): count for file, text in texts.items() for word in words if (count := word.count(text))}


def word_faults(root, words, not_yet):
    counts = counts_of(texts_by_file(root), words)
    instead = {word.name: word.instead for word in words}
    for key in sorted(counts.keys() | not_yet.keys()):
        found, listed = counts.get(key, 0), not_yet.get(key, 0)
        if found > listed:
            yield f"{key[0]}: \"{key[1]}\" is there {found} times, {listed} are listed: write {instead[key[1]]}"
        elif found < listed:
            yield f"{key[0]}: \"{key[1]}\" is there {found} times, {listed} are listed: lower the number in tests/words/not_yet.tsv"


def anchor_of(heading):
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().replace("`", "").replace("*", ""))
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(text):
    return {anchor_of(line.lstrip("#")) for _, line in prose_lines(text) if line.startswith("#")}


def links_of(text):
    plain = re.sub(r"(`+)(?:(?!\1).|\n)*?\1", "`", "\n".join(line for _, line in prose_lines(text)))
    links = re.findall(r"\]\(([^)\s]+)\)", plain) + re.findall(r"(?:src|srcset|href)=\"([^\"]+)\"", plain)
    return [link for link in links if not re.match(r"[a-z]+:", link)]


def link_faults(root):
    for path in pages(root):
        name = path.relative_to(root)
        for link in links_of(path.read_text()):
            file, _, anchor = link.partition("#")
            target = path.parent / file if file else path
            if not target.exists():
                yield f"{name}: {link} leads to no file"
            elif anchor and anchor not in anchors(target.read_text()):
                yield f"{name}: {link} leads to no heading"
            elif target.suffix == ".png" and target.stat().st_size >= PICTURE_BYTES:
                yield f"{name}: {link} has {target.stat().st_size} bytes, {PICTURE_BYTES} are too many"


def width_faults(root):
    for path in pages(root):
        name = path.relative_to(root)
        lines = path.read_text().splitlines()
        for number, line in prose_lines("\n".join(lines)):
            if len(line) > WIDTH and not re.match(r"\s*(\||!\[)", line):  # a row of a table and a picture cannot be wrapped
                yield f"{name}:{number}: {len(line)} columns, {WIDTH} fit"
        if str(name) == "README.md" and len(lines) > README_LINES:
            yield f"{name}: {len(lines)} lines, {README_LINES} fit: move text to docs"


def self_test(words):
    """Planted faults are found, and what is allowed is not."""
    by_name = {word.name: word for word in words}
    bad = {"say": "The hover says it.", "tell": "It tells them apart.", "beside": "It lies beside\nthe dump.", "is no": "That is no file.",
           "clause": "It ends. What is left stays.", "had": "It cannot be had.", "passed over": "It is passed over."}
    good = {"say": "`said` and\n```\nsays\n```", "tell": "The verdict is cannot tell.", "is no": "It is no longer there.",
            "clause": "It ends. What is left?", "beside": "    a line of beside\n", "disturbance": "The part `disturbance`."}
    for name, text in bad.items():
        assert by_name[name].count(prose(text)) == 1, (name, text)
    for name, text in good.items():
        assert by_name[name].count(prose("\n" + text)) == 0, (name, text, prose(text))
    assert literals('f("a b" "c d"); // "no no"\n g("key"); h(R"(x y)");') == ["a bc d", "x y"]
    assert links_of("[a](b.md#c) `[x](y.md)` <img src=\"p.png\">") == ["b.md#c", "p.png"]
    assert anchor_of(" How many dumps, and `how`") == "how-many-dumps-and-how"
    assert newest_section("# C\n\n## 2\nnew\n\n## 1\nold\n").strip() == "## 2\nnew"


def main():
    words = read_words()
    self_test(words)
    if "--rows" in sys.argv[1:]:
        for (file, name), count in sorted(counts_of(texts_by_file(ROOT), words).items()):
            print(f"{file}\t{name}\t{count}")
        return
    assert len(list(pages(ROOT))) > 20
    not_yet = {(file, name): int(count) for file, name, count in rows_of(HERE / "not_yet.tsv")}
    faults = [*word_faults(ROOT, words, not_yet), *link_faults(ROOT), *width_faults(ROOT)]
    print("\n".join(faults) or f"{len(words)} words, {sum(not_yet.values())} of them not yet; links and lines are as they should be")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
