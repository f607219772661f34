# SPDX-License-Identifier: Apache-2.0
# What an agent that may read FOLDER learns of a dump in it and of one beside it: windows_agent.py FOLDER COMMAND…
# FOLDER is as the server names it. Prints the answers, without the server's version.
import json
import re
import subprocess
import sys

folder, command = sys.argv[1], sys.argv[2:]
server = subprocess.Popen([*command, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
requests = [("initialize", client)]
for dump in ("storyteller/model.etdp", "../model.etdp"):
    requests.append(("tools/call", {"name": "hot_lines", "arguments": {"etdump": f"{folder}/{dump}"}}))
for number, (method, params) in enumerate(requests):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    print(re.sub('"version":"[^"]*"', "", server.stdout.readline()))
server.stdin.close()
sys.exit(server.wait(60))
