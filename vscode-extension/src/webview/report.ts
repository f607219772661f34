// SPDX-License-Identifier: Apache-2.0
// The page of the report: shows what the server wrote, and opens the lines that are clicked.
import type { ReportData } from "./data";
import { element, setTitle } from "./page";

const vscode = acquireVsCodeApi<never>();
// The policy of the page allows no inline styles: the page's own go into a sheet, those of elements are set one by one.
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

// Before the editor's own handler, which would scroll to the top for an empty fragment.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-path]") : null;
    if (link === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    vscode.postMessage({ path: link.dataset["path"], line: Number(link.dataset["line"]) });
  },
  true,
);

// What is unfolded, and where the page is scrolled to, stay.
function show({ why, title, style, body }: ReportData): void {
  const page = element("page");
  setTitle(title, why);
  if (why !== "") return;
  element("title").hidden = true; // the page has its own
  const summaries = () => [...page.querySelectorAll("details")];
  const unfolded = new Set(summaries().flatMap((details, i) => (details.open ? [i] : [])));
  const { scrollX, scrollY } = window;
  sheet.replaceSync(style);
  page.innerHTML = body.replaceAll(' style="', ' data-style="'); // no text of the body has plain quotes
  for (const styled of page.querySelectorAll<HTMLElement>("[data-style]")) styled.style.cssText = styled.dataset["style"] ?? "";
  summaries().forEach((details, i) => (details.open = unfolded.has(i)));
  window.scrollTo(scrollX, scrollY);
}

window.addEventListener("message", ({ data }: MessageEvent<ReportData>) => show(data));
vscode.postMessage({ ready: true });
