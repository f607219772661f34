// SPDX-License-Identifier: Apache-2.0
// A ClickHouse for a test: Debian's server on loopback, with ports and a folder of its own, gone when the test ends; or, where
// CHDB names a node_modules that has chdb (npm), the release that this brings, inside the process.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

function whereIs(name) {
  for (const folder of [...process.env.PATH.split(":"), "/usr/sbin"]) {
    try {
      execFileSync("test", ["-x", join(folder, name)]);
      return join(folder, name);
    } catch {
      // another folder
    }
  }
  return null;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// A server's client takes input from a pipe; here it is a file.
function openChdb(folder, modules) {
  const { Session } = createRequire(resolve(modules, "index.js"))("chdb");
  mkdirSync(folder, { recursive: true });
  const session = new Session(join(folder, "data"));
  const file = join(folder, "input");
  const ask = (sql, input = undefined) => {
    if (input === undefined) return sql.split(/;\s*(?:\n|$)/).filter((part) => part.trim() !== "").map((part) => session.query(part, "TabSeparated")).join("");
    writeFileSync(file, input);
    const [, table, format] = /^INSERT INTO (\w+) FORMAT (\w+)$/.exec(sql);
    return session.query(`INSERT INTO ${table} FROM INFILE '${file}' FORMAT ${format}`);
  };
  return {
    ask,
    pipe: (command) => {
      execFileSync("bash", ["-c", `set -o pipefail; ${command} > '${file}'`], { cwd: join(folder, "..") });
      session.query(`INSERT INTO etlens_rows FROM INFILE '${file}' FORMAT JSONEachRow`);
    },
    stop: async () => session.cleanup(),
  };
}

// Null where Debian's packages are not installed.
export async function startClickHouse(folder) {
  if (process.env.CHDB) return openChdb(folder, process.env.CHDB);
  const server = whereIs("clickhouse-server");
  const client = whereIs("clickhouse-client");
  if (!server || !client) return null;
  const [tcp, http] = [await freePort(), await freePort()];
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.xml"),
    `<yandex><logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
<tcp_port>${tcp}</tcp_port><http_port>${http}</http_port><listen_host>127.0.0.1</listen_host>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
<users_config>${folder}/users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>100000000</mark_cache_size></yandex>`,
  );
  writeFileSync(
    join(folder, "users.xml"),
    `<yandex><profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles><users><default>
<password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default></default></quotas></yandex>`,
  );
  const child = spawn(server, [`--config-file=${folder}/config.xml`], { stdio: "ignore", cwd: folder });
  const ask = (sql, input = undefined) =>
    execFileSync(client, ["--host", "127.0.0.1", "--port", String(tcp), "--multiquery", "--query", sql], {
      input,
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "pipe"],
    }).toString();
  for (let i = 0; ; ++i) {
    try {
      ask("SELECT 1");
      break;
    } catch (error) {
      if (i === 100 || child.exitCode !== null) throw error;
      await sleep(200);
    }
  }
  return {
    ask,
    // As a person does it: `etlens rows … | clickhouse-client --query "INSERT …"`.
    pipe: (command) =>
      execFileSync(
        "bash",
        [
          "-c",
          `set -o pipefail; ${command} | '${client}' --host 127.0.0.1 --port ${tcp} --query "$0"`,
          "INSERT INTO etlens_rows FORMAT JSONEachRow",
        ],
        { cwd: join(folder, "..") },
      ),
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(20000)]);
      child.kill("SIGKILL");
    },
  };
}
