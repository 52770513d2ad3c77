const headLength = 2_000;
/** A mark that tools for review know, and what generators write in the words of their own. */
const marks: readonly RegExp[] = [
  /(?:^|[\s*#/;"'-])@generated(?![\w-])/,
  /\bgenerated\b[^\n]{0,200}(?:\n[^\n]{0,200}){0,2}?\bdo not (?:edit|modify|change)\b/i,
  /\bdo not (?:edit|modify|change)\b[^\n]{0,200}(?:\n[^\n]{0,200}){0,2}?\bgenerated\b/i,
];

/** Whether the first lines of a file say that a program made it, so that an edit of it would be lost. */
export function saysGenerated(text: string): boolean {
  const head = text.slice(0, headLength);
  return marks.some((mark) => mark.test(head));
}
