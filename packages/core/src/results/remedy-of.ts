/** How the remedy of a denial ends the message of its failure, which the model gets without it. */
export function remedyOf(remedy: string): string {
  return ` (${remedy})`;
}
