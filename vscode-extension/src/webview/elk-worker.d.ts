// SPDX-License-Identifier: Apache-2.0
// The worker of elkjs as text (esbuild.mjs): a page may not fetch it, and starts it from a blob.
declare module "elkjs/lib/elk-worker.min.js" {
  const text: string;
  export default text;
}
