// SPDX-License-Identifier: Apache-2.0
// An ETRecord as if it were of another machine: its paths are changed. It is a zip archive whose members are not compressed.
import * as fs from "node:fs";
import { crc32 } from "node:zlib";

const headerSize = 30;
const entrySize = 46;
const endSize = 22;

interface Member {
  name: Buffer;
  content: Buffer;
}

function membersOf(archive: Buffer): Member[] {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    if (archive.readUInt16LE(at + 10) !== 0) throw new Error("a member of the record is compressed");
    const nameEnd = at + entrySize + archive.readUInt16LE(at + 28);
    const name = archive.subarray(at + entrySize, nameEnd);
    const header = archive.readUInt32LE(at + 42);
    const start = header + headerSize + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const content = archive.subarray(start, start + archive.readUInt32LE(at + 24));
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    return { name, content };
  });
}

// What a header and an entry say alike: version, sizes and checksum.
function fieldsOf({ name, content }: Member): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function archiveOf(members: Member[]): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const member of members) {
    const header = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fieldsOf(member), member.name, member.content]);
    const rest = Buffer.alloc(entrySize - 32);
    rest.writeUInt32LE(at, 10);
    entries.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), fieldsOf(member), rest, member.name);
    parts.push(header);
    at += header.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(endSize);
  end.write("PK\x05\x06", "latin1");
  for (const field of [8, 10]) end.writeUInt16LE(members.length, field);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

// Changes the start of the paths that a record names.
export function movePaths(record: string, from: string, to: string): void {
  const move = ({ name, content }: Member): Member => {
    // Programs are JSON; the other members hold numbers.
    const isProgram = content.subarray(0, 1).toString() === "{";
    return { name, content: isProgram ? Buffer.from(content.toString("utf8").replaceAll(from, to)) : content };
  };
  fs.writeFileSync(record, archiveOf(membersOf(fs.readFileSync(record)).map(move)));
}
