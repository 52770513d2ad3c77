/** A line by its index; `''` where there is none, which no case is made of. */
export function lineAt(lines: readonly string[], index: number): string {
  return lines.at(index) ?? '';
}
