/** What a thrown value says, whatever it is: reading it never throws. */
export function describeCause(cause: unknown): string {
  try {
    const told: unknown = cause instanceof Error ? cause.message : cause;
    return String(told);
  } catch {
    return 'something that cannot be shown was thrown';
  }
}
