/** Formats the remedy of a denial for the end of the error message. The model receives the message without it. */
export function remedyOf(remedy: string): string {
  return ` (${remedy})`;
}
