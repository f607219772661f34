// SPDX-License-Identifier: Apache-2.0
// How a program runs that tests/editors/fetch unpacked.
import fs from 'node:fs';
import path from 'node:path';

// The suite's own loader and libraries for the editor alone: the server that it starts has the system's.
export function wordsOf(root, program) {
  const triplet = fs.readdirSync(path.join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'));
  const libraries = path.join(root, 'usr/lib', triplet);
  const loader = fs.readdirSync(libraries).find((name) => /^ld-linux.*\.so\.\d$/.test(name));
  return [path.join(libraries, loader), '--library-path', `${libraries}:${path.join(root, 'usr/lib')}`, path.join(root, program)];
}
