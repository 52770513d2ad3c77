/** Returns the message of any thrown value. Never throws. */
export function describeCause(cause: unknown): string {
  try {
    const received: unknown = cause instanceof Error ? cause.message : cause;
    return String(received);
  } catch {
    return 'something that cannot be shown was thrown';
  }
}
