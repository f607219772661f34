# SPDX-License-Identifier: Apache-2.0
# A short session with a language server: windows_session.py FOLDER FOLDER_URI DUMP COMMAND…
# Opens model.py of FOLDER, waits for its hints, and prints them as JSON, with a hover, lenses, symbols and the status. Then
# DUMP takes the place of FOLDER's model.etdp, without a word to the server, which has to notice; and the new hints follow.
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

folder, root, dump = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
server = subprocess.Popen(sys.argv[4:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
seconds = 60  # that anything may take
requests = 0


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = None
    while line := server.stdout.readline().strip():
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None:
        sys.exit("the server ends before it is told to")
    return json.loads(server.stdout.read(length))


def ask(method, params):
    global requests
    requests += 1
    send({"id": requests, "method": method, "params": params})
    while True:
        message = receive()
        if "method" in message and "id" in message:
            send({"id": message["id"], "result": None})
        elif message.get("id") == requests:
            return message["result"] if "result" in message else sys.exit(f"{method}: {message['error']}")


# The first hints that differ from those of before.
def hints_after(before, params):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        hints = ask("textDocument/inlayHint", params)
        if hints and hints != before:
            return hints
        time.sleep(0.1)
    sys.exit("no hints" if before is None else "the dump that was replaced is not noticed")


def show(value):
    print(json.dumps(value, indent=1))


def main():
    text = (folder / "model.py").read_bytes().decode()
    document = {"uri": root + "/model.py"}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}
    initialized = ask("initialize", {"processId": None, "rootUri": root, "capabilities": {}})
    show(initialized["capabilities"])
    send({"method": "initialized", "params": {}})
    send({"method": "textDocument/didOpen",
          "params": {"textDocument": {**document, "languageId": "python", "version": 1, "text": text}}})
    hints = hints_after(None, {"textDocument": document, "range": everything})
    show(hints)
    position = {"line": hints[0]["position"]["line"], "character": 12}
    show(ask("textDocument/hover", {"textDocument": document, "position": position}))
    show(ask("textDocument/codeLens", {"textDocument": document}))
    show(ask("workspace/symbol", {"query": "forward"}))
    show(ask("etlens/status", {}))
    # As whoever copies a file beside and renames it does.
    shutil.copy(dump, folder / "new")
    os.replace(folder / "new", folder / "model.etdp")
    show(hints_after(hints, {"textDocument": document, "range": everything}))
    ask("shutdown", None)
    send({"method": "exit"})
    sys.exit(server.wait(seconds))


main()
