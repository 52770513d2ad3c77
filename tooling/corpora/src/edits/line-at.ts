/** Returns a line by its index, or `''` if there is no such line. No case uses an empty line. */
export function lineAt(lines: readonly string[], index: number): string {
  return lines.at(index) ?? '';
}
