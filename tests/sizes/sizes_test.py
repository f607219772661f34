#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Functions stay under 60 lines, and classes under 25 private functions.

    tests/sizes/sizes_test.py            fails with one line for each function or class that is too large
    tests/sizes/sizes_test.py --table    prints the largest of both, with their sizes

A larger one needs a reason: a comment of its own or directly above it that contains `Long: ` and the reason. A reason that
no longer has a large function or class is a fault too. Python is parsed; in C++, TypeScript and JavaScript braces are counted.
"""
import ast
import bisect
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOMS = ("core", "cli", "server", "mcp", "rpc", "protocol", "python", "scripts", "packaging", "bench", "vscode-extension/src",
         "vscode-extension/*.mjs", "tests/support")
ENDINGS = {".cc", ".h", ".ts", ".mjs", ".py"}
LINES = 60
PRIVATE_FUNCTIONS = 25
REASON = re.compile(r"(?://|#|\*).*\bLong: \S")

# What may not be read as code: comments, raw strings, strings, characters (a ' between digits is none), templates, expressions of JavaScript.
NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'"""
    r"""|`(?:\\.|[^`\\])*`|(?<=[(=,:!&|?])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/""", re.DOTALL)
HOLDS_OTHERS = re.compile(r"\b(?:namespace|class|struct|union|enum|interface|extern)\b(?![^<]*>[^<]*\()")
CLASS = re.compile(r"\b(?:class|struct)\s+(?:[A-Z_]+\s+)?(\w+)")
CONTROLS = re.compile(r"^(?:\}?\s*else\s+)?(?:if|for|while|switch|catch|do|try)\b")
NAMED = re.compile(r"([~\w:#]+|operator\s*\S+?)\s*(?:<[^()]*>)?\s*\(")
DECLARES = re.compile(r"(?:^|[\s*&>])(~?\w+|operator\s*\S+?)\s*\(")


class Piece:
    """A function or class: its kind, name, first line and size in its unit."""

    def __init__(self, kind, name, first, size, last=0):
        self.kind, self.name, self.first, self.size, self.last = kind, name, first, size, last or first


def blanked(text):
    """The text with the same lines and columns, but blanks for all that is no code, and for lines of the preprocessor."""
    text = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    return re.sub(r"(?m)^\s*#\s*(?:if|ifdef|ifndef|else|elif|endif|define|include|pragma|undef)\b(?:.*\\\n)*.*$",
                  lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def name_of(head):
    """The name of the function that a text in front of a brace declares, or nothing."""
    head = " ".join(head.split())
    if CONTROLS.match(head) or "(" not in head and "=>" not in head:
        return None
    assigned = re.search(r"(\w+)\s*(?::[^=]*)?=\s*(?:async\s*)?(?:\([^=]*\)(?: *:[^=]*)? *=>|function\b|\w+ *=>|\[[^\]]*\] *\()", head)
    if assigned:
        return assigned.group(1)
    outside = re.sub(r"\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)", "()", head)
    if re.search(r"(?<![=!<>r])=(?!=)", outside.replace("operator=", "operator")):
        return None  # a table
    if re.match(r"[^(]*\bconst(?:expr|init)? std::array<.*> \w+$", head):
        return None
    found = NAMED.search(re.sub(r"\b(?:template|requires|alignas|decltype|noexcept)\s*[<(][^;{]*?[>)]\s", " ", head, count=1))
    return found.group(1) if found else None


def braced_pieces(text):
    code = blanked(text)
    starts = [0] + [match.end() for match in re.finditer("\n", code)]
    line_of = lambda at: bisect.bisect_right(starts, at)
    pieces, since, open_braces = [], 0, []  # of each open brace: kind, name, where its declaration starts
    inside_function = 0
    round_brackets = 0
    for match in re.finditer(r"[{};()]", code):
        at, sign = match.start(), match.group()
        if sign in "()":
            round_brackets += 1 if sign == "(" else -1
        elif sign == "{":
            head = code[since:at]
            kind, name = "block", None
            if inside_function == 0:
                if HOLDS_OTHERS.search(head) and not head.rstrip().endswith(")"):
                    kind = "class" if CLASS.search(head) else "holder"
                    name = CLASS.search(head).group(1) if kind == "class" else None
                else:
                    name = name_of(head)
                    kind = "function" if name else "block"
            inside_function += kind == "function"
            open_braces.append((kind, name, since + len(head) - len(head.lstrip()), at, round_brackets))
            since = at + 1
        elif sign == "}":
            if not open_braces:
                continue
            kind, name, start, body, round_brackets = open_braces.pop()
            if kind == "function":
                inside_function -= 1
                pieces.append(Piece("function", name, line_of(start), line_of(at) - line_of(start) + 1, line_of(at)))
            elif kind == "class":
                pieces.append(Piece("class", name, line_of(start), private_functions(code[body + 1:at]), line_of(at)))
            since = at + 1
        elif round_brackets == (open_braces[-1][4] if open_braces else 0):
            since = at + 1
    return pieces


def without_bodies(body):
    depth, kept = 0, []
    for sign in body:
        depth -= sign == "}"
        if depth == 0:
            kept.append(";" if sign == "}" else "" if sign == "{" else sign)
        depth += sign == "{"
    return "".join(kept)


def private_functions(body):
    """How many functions a class of C++ declares as private."""
    sections = re.split(r"\b(public|private|protected)\s*:(?!:)", without_bodies(body))
    names = 0
    for label, section in zip(sections[1::2], sections[2::2]):
        for declared in section.split(";") if label == "private" else []:
            head = re.sub(r"<[^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>[^<>]*)*>", "", declared)
            found = DECLARES.search(head)
            names += bool(found) and "=" not in head[:found.start()] and not re.match(r"\s*(?:friend|using|struct|enum)\b", head)
    return names


def python_pieces(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # The text at its start is no more part of it than the comment above a function of C++.
            text = node.body[0] if ast.get_docstring(node, clean=False) is not None else None
            size = node.end_lineno - node.lineno + 1 - (text.end_lineno - text.lineno + 1 if text else 0)
            yield Piece("function", node.name, node.lineno, size, node.end_lineno)
        elif isinstance(node, ast.ClassDef):
            private = [each for each in node.body if isinstance(each, ast.FunctionDef) and re.match(r"_(?!_)", each.name)]
            yield Piece("class", node.name, node.lineno, len(private), node.end_lineno)


def reasons_of(lines, piece):
    """The numbers of the lines that give a reason for the size of this piece: in the comment above it, or in its own first lines."""
    first = piece.first - 1
    while first > 0 and re.match(r"\s*(?://|#|\*|/\*|@|template)", lines[first - 1]):
        first -= 1
    return [number for number in range(first, min(piece.last, piece.first + 8)) if REASON.search(lines[number])]


def sources():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *ROOMS], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\0")
    for name in filter(lambda name: name and "/templates/" not in name, listed):  # these are filled in first
        path = ROOT / name
        if path.suffix in ENDINGS and path.exists():
            yield name, path.read_text()
        elif not path.suffix and path.is_file():
            text = path.read_text()
            if text.startswith(("#!/usr/bin/env python3", "#!/usr/bin/env node")):
                yield name, text


def pieces_of(name, text):
    return list(python_pieces(text) if name.endswith(".py") or "python3" in text.split("\n", 1)[0] else braced_pieces(text))


PLANTED = {
    "a.cc": ("""
namespace a {
template <typename T>
class Big : public Base<T> {
 public:
  Big() : one_{1}, two_(2) {}
  int shown() const { if (one_) { return f("}"); } return '}'; }
 private:
  using F = std::function<void(int)>;
  void first();
  std::map<int, std::pair<int, int>> second(int a = g()) const;
  static bool third() { return true; }
  int one_ = h(3);
  std::vector<int> two_;
};
constexpr auto kRows = std::to_array<Row>({
    {"}", 1}, {"b", [](int a) { return a; }},
});
// } of no function
std::string Big::first() && noexcept {
  for (;;) {
    R"x( } )x";
  }
}
}  // namespace a
""", {"Big": 3, "Big::first": 5}),
    "a.ts": ("""
export class Small { private async run<T>(of: Map<string, T>): Promise<T> {
    return `} ${of}`;
  }
}
const table = { a: 1,
  b: 2 };
export const arrow = async (a: number): Promise<void> => {
  if (/[}"]/.test("")) await a;

};
""", {"run": 3, "arrow": 4}),
    "a.py": ('def f():\n    """One.\n\n    Two."""\n    return 1\n\n\nclass C:\n    def _a(self): pass\n    def b(self): pass\n', {"f": 2, "C": 1}),
}


def planted_faults():
    """What is wrong with the reader of sizes itself."""
    for name, (text, expected) in PLANTED.items():
        found = {piece.name: piece.size for piece in pieces_of(name, text)}
        for piece, size in expected.items():
            if found.get(piece) != size:
                yield f"planted {name}: {piece} has {found.get(piece)}, should have {size}"
        if "kRows" in found or "table" in found or "std::to_array" in found:
            yield f"planted {name}: a table is no function"


def main():
    faults, table, functions, classes = list(planted_faults()), [], 0, 0
    for name, text in sources():
        lines, used = text.splitlines(), set()
        for piece in pieces_of(name, text):
            functions += piece.kind == "function"
            classes += piece.kind == "class"
            table.append((piece.kind, piece.size, f"{name}:{piece.first}", piece.name))
            most, unit = (LINES, "lines") if piece.kind == "function" else (PRIVATE_FUNCTIONS, "private functions")
            if piece.size <= most:
                continue
            reasons = reasons_of(lines, piece)
            used.update(reasons)
            if not reasons:
                faults.append(f"{name}:{piece.first}: {piece.name} has {piece.size} {unit}, over {most}")
        faults += [f"{name}:{number + 1}: gives a reason for a size that is not too large" for number, line in enumerate(lines)
                   if REASON.search(line) and number not in used]
    if "--table" in sys.argv:
        for kind in ("function", "class"):
            for _, size, where, called in sorted((row for row in table if row[0] == kind), key=lambda row: -row[1])[:25]:
                print(f"{size:5} {where} {called}")
    if functions < 5000 or classes < 500:
        faults.append(f"only {functions} functions and {classes} classes were found")
    print("\n".join(faults) if faults else f"{functions} functions and {classes} classes are small enough")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
