/** What is wrong, without the drawing that the parser makes of it. */
export function firstLine(error: unknown): string {
  const { message } = error as Error;
  return (message.split('\n').find((line) => /\w/.test(line)) ?? message).replace(/\s*\(\d+:\d+\)$/, '').trim();
}

/** Node tells where TypeScript does not parse in the first line of the stack alone. */
export function lineOf(error: unknown, linesBefore: number): { readonly line?: number } {
  const [, line] = /^[^\n]*:(\d+)\n/.exec((error as Error).stack ?? '') ?? [];
  return Number(line) > linesBefore ? { line: Number(line) - linesBefore } : {};
}
