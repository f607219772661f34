// SPDX-License-Identifier: Apache-2.0
// Sentences of the server say which file, what is wrong and what to do. Knows no editor.

// A notification makes a link of [text](address), also of a name in a file: here it stays text.
export const withoutLinks = (message: string): string => message.replaceAll("](", "] (");

// Without the reasons in brackets and without what to do: as much as a notification has room for.
export function shortSentence(message: string): string {
  const end = [message.indexOf(" (score "), message.indexOf("; ")].filter((at) => at > 0);
  const sentence = message.slice(0, Math.min(message.length, ...end));
  return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
