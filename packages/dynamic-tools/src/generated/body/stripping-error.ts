/** Returns the message of a syntax error without the code frame that the parser adds. */
export function firstLine(error: unknown): string {
  const { message } = error as Error;
  return (message.split('\n').find((line) => /\w/.test(line)) ?? message).replace(/\s*\(\d+:\d+\)$/, '').trim();
}

/** Node reports the position of a TypeScript syntax error only in the first line of the stack. */
export function lineOf(error: unknown, linesBefore: number): { readonly line?: number } {
  const [, line] = /^[^\n]*:(\d+)\n/.exec((error as Error).stack ?? '') ?? [];
  return Number(line) > linesBefore ? { line: Number(line) - linesBefore } : {};
}
