/** The beginning of a value, for a person to look at. */
export function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 600);
}
