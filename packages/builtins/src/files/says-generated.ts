const headLength = 2_000;
/** The standard marker for generated files, and the comments of common generators. */
const marks: readonly RegExp[] = [
  /(?:^|[\s*#/;"'-])@generated(?![\w-])/,
  /\bgenerated\b[^\n]{0,200}(?:\n[^\n]{0,200}){0,2}?\bdo not (?:edit|modify|change)\b/i,
  /\bdo not (?:edit|modify|change)\b[^\n]{0,200}(?:\n[^\n]{0,200}){0,2}?\bgenerated\b/i,
];

/** Checks whether the first lines of a file mark it as generated, which means that edits would be lost. */
export function saysGenerated(text: string): boolean {
  const head = text.slice(0, headLength);
  return marks.some((mark) => mark.test(head));
}
