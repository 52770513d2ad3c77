/** Returns the beginning of a value, for a person to inspect. */
export function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 600);
}
