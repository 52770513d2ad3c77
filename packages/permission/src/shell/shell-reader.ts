import { isProcessSubstitution, readSubstitutions, readWord, type CommandReading } from './read-word.ts';
import type { Redirection, ShellCommand, ShellConstruct, ShellWord } from './shell-word.ts';

/** Reads one command line from its beginning to its end. */
export interface ShellReader {
  readAll(): readonly ShellCommand[];
  /** False once something was not balanced, or nested too deep. */
  isWhole(): boolean;
  /** True once anything but words was seen: operators, brackets, reserved words. */
  hasGrammar(): boolean;
}

interface OpenCommand {
  words: ShellWord[];
  assignments: ShellWord[];
  redirections: Redirection[];
  construct?: ShellConstruct;
}

const deepest = 40;
const reserved: ReadonlySet<string> = new Set(
  'if then elif else fi do done while until for case esac in select function time coproc { } ! [[ ]]'.split(' '),
);
const constructs: Readonly<Record<string, ShellConstruct>> = {
  for: 'for',
  select: 'select',
  case: 'case',
  '[[': '[[',
  function: 'function',
};
const operators = ['&&', '||', ';;', '|&', '&>>', '&>', ';', '&', '|', '\n'] as const;
const redirectors = ['<<<', '<<-', '<<', '<>', '>>', '>|', '<&', '>&', '<', '>'] as const;

/** Makes a reader. State is shared by all levels: pipelines are numbered through, and one defect spoils the whole. */
export function createShellReader(line: string): ShellReader {
  let whole = true;
  let grammar = false;
  let pipeline = 0;
  const found: ShellCommand[] = [];

  const spoil = (): void => {
    whole = false;
  };

  /** Reads commands up to `closer` (or the end when it is empty); gives the index after it. */
  const readList = (text: string, from: number, closer: '' | ')', depth: number, nested: ShellCommand[]): number => {
    if (depth > deepest) {
      spoil();
      return text.length;
    }
    let at = from;
    let open = emptyCommand();
    const heredocs: { readonly delimiter: ShellWord; readonly stripsTabs: boolean }[] = [];
    pipeline += 1;
    let current = pipeline;

    const close = (): void => {
      if (open.words.length > 0 || open.assignments.length > 0 || open.redirections.length > 0) {
        const command = { ...open, pipeline: current };
        nested.push(command);
        found.push(command);
      }
      open = emptyCommand();
    };

    while (at < text.length) {
      const character = text[at]!;
      if (character === ' ' || character === '\t') {
        at += 1;
        continue;
      }
      if (text.startsWith('\\\n', at)) {
        at += 2;
        continue;
      }
      if (character === '#') {
        const end = text.indexOf('\n', at);
        at = end === -1 ? text.length : end;
        continue;
      }
      if (character === ')') {
        if (closer === ')') {
          close();
          return at + 1;
        }
        // Also the end of a pattern in `case`.
        grammar = true;
        open.construct ??= 'pattern';
        close();
        at += 1;
        continue;
      }
      if (character === '(') {
        grammar = true;
        close();
        at = readList(text, at + 1, ')', depth + 1, nested);
        continue;
      }
      const descriptor = /^(?:\d+|\{\w+\})(?=[<>])/.exec(text.slice(at, at + 24))?.[0].length ?? 0;
      const redirector = isProcessSubstitution(text, at)
        ? undefined
        : redirectors.find((operator) => text.startsWith(operator, at + descriptor));
      const operator =
        redirector === undefined ? operators.find((candidate) => text.startsWith(candidate, at)) : undefined;
      if (operator === '&>' || operator === '&>>' || redirector !== undefined) {
        const used = redirector ?? operator!;
        at = skipBlanks(text, at + (redirector === undefined ? 0 : descriptor) + used.length);
        const { word, end } = readWord(reading, text, at, depth);
        open.redirections.push({ operator: used, target: word });
        if (used === '<<' || used === '<<-') heredocs.push({ delimiter: word, stripsTabs: used === '<<-' });
        if (end === at) spoil();
        at = Math.max(end, at);
        if (end === at && at < text.length && !/[ \t\n;&|()<>]/.test(text[at]!)) at += 1;
        continue;
      }
      if (operator !== undefined) {
        grammar = true;
        close();
        at += operator.length;
        if (operator === '\n')
          for (const heredoc of heredocs.splice(0)) at = skipHeredoc(text, at, heredoc, depth, nested);
        if (operator !== '|' && operator !== '|&') {
          pipeline += 1;
          current = pipeline;
        }
        continue;
      }
      const { word, end } = readWord(reading, text, at, depth);
      if (end === at) {
        spoil();
        at += 1;
        continue;
      }
      at = end;
      const isReserved = reserved.has(word.text) && text.slice(at - word.text.length, at) === word.text;
      // The name of a function, and the brace that begins it.
      if (open.construct === 'function' && open.words.length === 1 && isReserved) {
        close();
        continue;
      }
      if (open.words.length === 0 && isReserved) {
        grammar = true;
        const construct = constructs[word.text];
        if (construct) open.construct = construct;
      } else if (open.words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(word.text)) open.assignments.push(word);
      else open.words.push(word);
    }
    close();
    if (closer !== '') spoil();
    return at;
  };

  const skipHeredoc = (
    text: string,
    from: number,
    heredoc: { readonly delimiter: ShellWord; readonly stripsTabs: boolean },
    depth: number,
    nested: ShellCommand[],
  ): number => {
    let at = from;
    while (at < text.length) {
      const end = text.indexOf('\n', at);
      const raw = text.slice(at, end === -1 ? text.length : end);
      const next = end === -1 ? text.length : end + 1;
      if ((heredoc.stripsTabs ? raw.replace(/^\t+/, '') : raw) === heredoc.delimiter.text) {
        const body = text.slice(from, at);
        readSubstitutions(reading, body, depth, nested);
        // A shell may be what reads it.
        found.push({
          words: [literal(heredocProgram), literal(body)],
          assignments: [],
          redirections: [],
          pipeline,
        });
        return next;
      }
      at = next;
    }
    spoil();
    return at;
  };

  const reading: CommandReading = { spoil, readList };
  return {
    readAll() {
      // A line that goes on inside an operator or behind a dollar is not read as it was written.
      if (joinsSigns.test(line)) spoil();
      readList(line, 0, '', 0, []);
      return found;
    },
    isWhole: () => whole,
    hasGrammar: () => grammar,
  };
}

const joinsSigns = /\$\\\n|[<>&|;](?:\\\n)+[<>&|;(]/;

/** Stands for whatever reads a here-document; its second word is the text. */
export const heredocProgram = '<<';

function emptyCommand(): OpenCommand {
  return { words: [], assignments: [], redirections: [] };
}

function literal(text: string): ShellWord {
  return {
    text,
    isLiteral: true,
    hasQuotedPattern: false,
    nested: [],
    parts: [{ kind: 'text', text, isQuoted: true }],
  };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}
