// SPDX-License-Identifier: Apache-2.0
// Environments for the server, and mappings of paths from one file that was shown.
import { expect, test } from "@playwright/test";
import { mappingOf, withEnvironment } from "../../src/base/environments";

test("the environment of the Python extension stands behind those of the user", () => {
  expect(withEnvironment({ raw: true }, "/v/bin/python")).toEqual({ raw: true, pythonEnvironments: ["/v/bin/python"] });
  expect(withEnvironment({ pythonEnvironments: ["/mine"] }, "/v")).toEqual({ pythonEnvironments: ["/mine", "/v"] });
  expect(withEnvironment({ pythonEnvironments: "wrong" }, "/v")).toEqual({ pythonEnvironments: ["/v"] });
  for (const settings of [null, undefined, "text", 1, ["list"]]) expect(withEnvironment(settings, "/v")).toEqual(settings);
  expect(withEnvironment({ raw: true }, undefined)).toEqual({ raw: true });
});

test("a mapping is of the folders above what both paths have in common", () => {
  const recorded = "/usr/lib/python3/dist-packages/torchvision/models/resnet.py";
  expect(mappingOf(recorded, "/home/me/vision/torchvision/models/resnet.py")).toEqual({ from: "/usr/lib/python3/dist-packages", to: "/home/me/vision" });
  expect(mappingOf(recorded, "/home/me/resnet.py")).toEqual({ from: "/usr/lib/python3/dist-packages/torchvision/models", to: "/home/me" });
  expect(mappingOf("C:\\net\\a.py", "/w/net/a.py")).toEqual({ from: "C:", to: "/w" });
  // Another name: this file alone.
  expect(mappingOf("/x/net/a.py", "/w/b.py")).toEqual({ from: "/x/net/a.py", to: "/w/b.py" });
  // One lies below the other's root.
  expect(mappingOf("/net/a.py", "/w/net/a.py")).toEqual({ from: "/net", to: "/w/net" });
  expect(mappingOf("/w/net/a.py", "/net/a.py")).toEqual({ from: "/w/net", to: "/net" });
});
