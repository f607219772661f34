// SPDX-License-Identifier: Apache-2.0
describe("placeholder", () => { it("runs", () => undefined); });
