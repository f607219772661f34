// SPDX-License-Identifier: Apache-2.0
// The executions and the statistic that the numbers are of.
import * as assert from "node:assert";
import * as vscode from "vscode";
import * as protocol from "../../src/base/protocol";
import { totals } from "../../src/base/statistics";
import { choices } from "../../src/commands/executions";
import type { Parts } from "../../src/commands/parts";
import { statusTooltip } from "../../src/views/statusTooltip";
import { ready, until } from "./support";

describe("executions and statistics", () => {
  let parts: Parts;
  const shown = (): protocol.StatusProfile => {
    const profile = parts.profile.status?.profile;
    assert.ok(profile);
    return profile;
  };
  const profiles = () => parts.server.request<protocol.ProfilesResult>(protocol.profiles);
  before(async () => {
    parts = await ready();
  });
  afterEach(async () => {
    await parts.server.execute(protocol.commands.selectExecutions, null);
    await parts.server.execute(protocol.commands.selectStatistic, null);
    await until("the settings again", () => shown().statistic === "typical" && shown().executions_used > 1);
  });

  it("the typical execution, with the mean and what disturbed it", () => {
    const profile = shown();
    assert.strictEqual(profile.executions, 10);
    assert.strictEqual(profile.strip.length, 10);
    assert.match(totals(profile), /^[\d.]+ \S+ typical · [\d.]+ \S+ mean$/);
    const tooltip = statusTooltip("", parts.profile.status).value;
    assert.ok(tooltip.includes(profile.strip));
    assert.doesNotMatch(tooltip, /\| (total|mean|disturbance) \|/, "the headline has them");
    for (const { execution } of profile.odd.slice(0, 5)) assert.ok(tooltip.includes(`execution ${execution}: `), tooltip);
  });

  it("the choice of executions: those far from the others first, then every one with its time and a bar", async () => {
    const { executions } = await profiles();
    const offered = choices(executions, shown());
    const separators = offered.flatMap(({ kind, label }) => (kind === vscode.QuickPickItemKind.Separator ? [label] : []));
    const odd = executions.filter((execution) => execution.odd);
    assert.deepStrictEqual(odd.map(({ number }) => number), shown().odd.map(({ execution }) => execution));
    assert.deepStrictEqual(separators, [...(odd.length > 0 ? ["far from the others"] : []), "in the order of the run"]);
    const numbers = offered.flatMap((choice) => (/^\d+$/.test(choice.executions ?? "") ? [Number(choice.executions)] : []));
    assert.deepStrictEqual(numbers, [...odd, ...executions].map(({ number }) => number));
    for (const choice of offered.slice(-executions.length)) assert.match(choice.description ?? "", /^[\d.]+ \S+ [█▉▊▋▌▍▎▏]+$/);
  });

  it("one execution is a single sample, and says so", async () => {
    await parts.server.execute(protocol.commands.selectExecutions, { executions: "3" });
    await until("one execution", () => shown().executions_used === 1);
    assert.strictEqual(shown().executions_shown, "3");
    assert.match(totals(shown()), / single sample$/);
    assert.match(statusTooltip("", parts.profile.status).value, /a single sample, execution 3 of 10/);
    await until("the view's description", () => parts.events.description === "single sample");
    const used = (await profiles()).executions.filter((execution) => execution.used);
    assert.deepStrictEqual(used.map(({ number }) => number), [3]);
  });

  it("another statistic is named beside its numbers", async () => {
    await parts.server.execute(protocol.commands.selectStatistic, { statistic: "mean" });
    await until("the mean", () => shown().statistic === "mean");
    assert.strictEqual(shown().total_text, shown().mean_text);
    await until("the description of the view", () => parts.events.description === "mean");
    const current = (await profiles()).statistics.filter((statistic) => statistic.current);
    assert.deepStrictEqual(current.map(({ name }) => name), ["mean"]);
  });
});
