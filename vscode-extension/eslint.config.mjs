// SPDX-License-Identifier: Apache-2.0
import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist", "out", "server", "node_modules"] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers belong into texts.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => void something()` is how an event handler starts work that it does not wait for.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreVoidOperator: true, ignoreArrowShorthand: true }],
      eqeqeq: "error",
    },
  },
  {
    files: ["**/*.mjs"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: "readonly", console: "readonly" } },
  },
);
