import type { ShellCommand, ShellWord } from '../syntax/shell-word.ts';

/** Programs that print only numbers, with a test for the arguments that guarantee this. */
const printsNumbers: ReadonlyMap<string, (words: readonly string[]) => boolean> = new Map([
  // With a file operand, `wc` also prints the name of the file.
  ['wc', (words: readonly string[]) => words.every((word) => /^-[clmwL]+$/.test(word))],
  ['nproc', () => true],
  ['seq', () => true],
  ['date', (words: readonly string[]) => words.some((word) => /^\+(?:%[dHIjmMNsSuUwWyY])+$/.test(word))],
  ['grep', (words: readonly string[]) => words.some((word) => /^-[a-zA-Z]*c$/.test(word)) && words.length <= 3],
  ['id', (words: readonly string[]) => words.length === 1 && /^-[ug]$/.test(words[0]!)],
  ['tput', (words: readonly string[]) => words.length === 1 && /^(?:cols|lines)$/.test(words[0]!)],
  ['stat', (words: readonly string[]) => /^-c %[sYXZaug]$/.test(words.slice(0, 2).join(' '))],
  ['git', (words: readonly string[]) => words[0] === 'rev-list' && words.includes('--count')],
]);

/** Returns whether `<(…)` or `>(…)` is a part of a word. */
export function hasPipe({ parts }: ShellWord): boolean {
  return parts.some(({ kind }) => kind === 'pipe');
}

/** Returns whether the output of commands is a number for any input. Only the last command of a pipeline prints. */
export function printsNumber(commands: readonly ShellCommand[]): boolean {
  const last = commands.at(-1);
  if (!last || last.construct !== undefined || commands.some(({ pipeline }) => pipeline !== last.pipeline))
    return false;
  const [program, ...words] = last.words;
  return (
    program !== undefined &&
    program.isLiteral &&
    words.every((word) => word.parts[0]?.kind === 'text' && !hasPipe(word)) &&
    last.redirections.every(({ operator, target }) => operator.startsWith('<') || target.text === '/dev/null') &&
    printsNumbers.get(program.text)?.(words.map(({ text }) => text)) === true
  );
}
