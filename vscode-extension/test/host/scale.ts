// SPDX-License-Identifier: Apache-2.0
// Ten thousand events: how long the view "Events" takes for what a person does in it.
import * as assert from "node:assert";
import * as protocol from "../../src/base/protocol";
import type { Parts } from "../../src/commands/parts";
import { notes, open, ready } from "./support";

const limitMs = 100;
const attempts = 5;

// The best of several attempts: the machine may be busy with other things.
async function best(what: string, work: () => Promise<unknown>): Promise<void> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts; ++i) {
    const start = performance.now();
    await work();
    shortest = Math.min(shortest, performance.now() - start);
  }
  notes.push(`measured: ${what} ${shortest.toFixed(1)} ms`);
  assert.ok(shortest < limitMs, `${what} took ${shortest} ms`);
}

describe("ten thousand events", () => {
  let parts: Parts;
  let total = 0;
  before(async () => {
    await open("model.py").catch(() => undefined);
    parts = await ready();
    total = (await parts.server.request<protocol.EventsResult>(protocol.events, { limit: 0 })).count;
    assert.ok(total >= 10_000, `${total} events`);
    notes.push(`measured: ${total} events`);
  });

  const rows = async () => {
    const all = await parts.events.getChildren();
    return all.map((row) => parts.events.getTreeItem(row));
  };

  it("the first rows", () =>
    best("the first rows", async () => {
      parts.events.setFilter(" ");
      parts.events.setFilter("");
      assert.ok((await rows()).length > 200);
    }));

  it("a page far down", () =>
    best("a page far down", async () => {
      parts.events.setFilter(" ");
      parts.events.setFilter("");
      const last = (await parts.events.getChildren()).at(-1);
      assert.strictEqual(last?.kind, "page");
      assert.ok((await parts.events.getChildren(last)).length > 0);
    }));

  it("each letter of a filter", async () => {
    for (const filter of ["s", "so", "sof", "softmax"]) {
      await best(`the filter “${filter}”`, async () => {
        parts.events.setFilter("");
        parts.events.setFilter(filter);
        assert.ok((await rows()).length > 0);
      });
    }
    parts.events.setFilter("");
  });

  for (const grouping of ["line", "module", "operator", "delegate"] as const) {
    it(`grouped by ${grouping}`, () =>
      best(`grouped by ${grouping}`, async () => {
        parts.events.setGrouping("none");
        parts.events.setGrouping(grouping);
        assert.ok((await rows()).length > 0);
      }));
  }
});
