import type { ShellCommand, ShellWord } from './parse-shell.ts';

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
  redirections: { operator: string; target: ShellWord }[];
}

const deepest = 40;
const reserved: ReadonlySet<string> = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'do',
  'done',
  'while',
  'until',
  'for',
  'case',
  'esac',
  'in',
  'select',
  'function',
  'time',
  'coproc',
  '{',
  '}',
  '!',
  '[[',
  ']]',
]);
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
      if (character === ' ' || character === '\t' || character === '\r') {
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
        const { word, end } = readWord(text, at, depth);
        open.redirections.push({ operator: used, target: word });
        if (used === '<<' || used === '<<-') heredocs.push({ delimiter: word, stripsTabs: used === '<<-' });
        if (end === at) spoil();
        at = Math.max(end, at);
        if (end === at && at < text.length && !/[\s;&|()<>]/.test(text[at]!)) at += 1;
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
      const { word, end } = readWord(text, at, depth);
      if (end === at) {
        spoil();
        at += 1;
        continue;
      }
      at = end;
      if (open.words.length === 0 && reserved.has(word.text) && text.slice(at - word.text.length, at) === word.text)
        grammar = true;
      else if (open.words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(word.text)) open.assignments.push(word);
      else open.words.push(word);
    }
    close();
    if (closer !== '') spoil();
    return at;
  };

  const readWord = (text: string, from: number, depth: number): { readonly word: ShellWord; readonly end: number } => {
    const nested: ShellCommand[] = [];
    let value = '';
    let isLiteral = true;
    let hasQuotedPattern = false;
    let at = from;
    const substitute = (opener: number): void => {
      isLiteral = false;
      const start = at + opener;
      at = readList(text, start, ')', depth + 1, nested);
      value += '$()';
    };
    const take = (part: string): void => {
      if (/[*?[]/.test(part)) hasQuotedPattern = true;
      value += part;
    };

    while (at < text.length) {
      const character = text[at]!;
      if (isProcessSubstitution(text, at)) substitute(2);
      else if (/[\s;&|()<>]/.test(character)) break;
      else if (character === '\\') {
        if (text[at + 1] !== '\n') take(text[at + 1] ?? '');
        if (at + 1 >= text.length) spoil();
        at += 2;
      } else if (character === "'") {
        const end = text.indexOf("'", at + 1);
        if (end === -1) spoil();
        take(text.slice(at + 1, end === -1 ? text.length : end));
        at = end === -1 ? text.length : end + 1;
      } else if (text.startsWith("$'", at)) {
        const { content, end, isClosed } = readAnsiQuoted(text, at + 2);
        if (!isClosed) spoil();
        take(content);
        at = end;
      } else if (character === '"' || text.startsWith('$"', at)) {
        at += character === '"' ? 1 : 2;
        while (at < text.length && text[at] !== '"') {
          if (text[at] === '\\' && /["$`\\\n]/.test(text[at + 1] ?? '')) {
            if (text[at + 1] !== '\n') take(text[at + 1]!);
            at += 2;
          } else if (text.startsWith('$(', at)) substitute(2);
          else if (text[at] === '`') readBackticks();
          else if (text.startsWith('${', at)) readBraced();
          else {
            if (text[at] === '$' && /[A-Za-z_0-9@*#?$!-]/.test(text[at + 1] ?? '')) isLiteral = false;
            take(text[at]!);
            at += 1;
          }
        }
        if (at >= text.length) spoil();
        at += 1;
      } else if (text.startsWith('$(', at)) substitute(2);
      else if (character === '`') readBackticks();
      else if (text.startsWith('${', at)) readBraced();
      else {
        if (character === '$' && /[A-Za-z_0-9@*#?$!-]/.test(text[at + 1] ?? '')) isLiteral = false;
        if (/[*?[{]/.test(character) || (character === '~' && value === '')) isLiteral = false;
        value += character;
        at += 1;
      }
    }
    return { word: { text: value, isLiteral, hasQuotedPattern, nested }, end: Math.min(at, text.length) };

    function readBackticks(): void {
      isLiteral = false;
      let end = at + 1;
      while (end < text.length && text[end] !== '`') end += text[end] === '\\' ? 2 : 1;
      if (end >= text.length) spoil();
      const inner = text.slice(at + 1, end).replaceAll(/\\([`$\\])/g, '$1');
      readList(inner, 0, '', depth + 1, nested);
      value += '$()';
      at = end + 1;
    }

    function readBraced(): void {
      isLiteral = false;
      let level = 0;
      let end = at + 1;
      for (; end < text.length; end += 1) {
        if (text[end] === '\\') end += 1;
        else if (text[end] === '{') level += 1;
        else if (text[end] === '}') {
          level -= 1;
          if (level === 0) break;
        }
      }
      if (end >= text.length) spoil();
      const inner = text.slice(at, end + 1);
      if (/\$\(|`/.test(inner.slice(2))) readSubstitutions(inner.slice(2, -1), depth, nested);
      value += inner;
      at = end + 1;
    }
  };

  /** Reads the substitutions of a text that is otherwise no command. */
  const readSubstitutions = (text: string, depth: number, nested: ShellCommand[]): void => {
    for (let at = 0; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text.startsWith('$(', at)) at = readList(text, at + 2, ')', depth + 1, nested) - 1;
      else if (text[at] === '`') {
        const end = text.indexOf('`', at + 1);
        if (end === -1) return spoil();
        readList(text.slice(at + 1, end), 0, '', depth + 1, nested);
        at = end;
      }
    }
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
        readSubstitutions(body, depth, nested);
        // A shell may be what reads it.
        found.push({
          words: [{ text: heredocProgram, isLiteral: true, hasQuotedPattern: false, nested: [] }, literal(body)],
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

  return {
    readAll() {
      readList(line, 0, '', 0, []);
      return found;
    },
    isWhole: () => whole,
    hasGrammar: () => grammar,
  };
}

/** Stands for whatever reads a here-document; its second word is the text. */
export const heredocProgram = '<<';

function emptyCommand(): OpenCommand {
  return { words: [], assignments: [], redirections: [] };
}

function literal(text: string): ShellWord {
  return { text, isLiteral: true, hasQuotedPattern: false, nested: [] };
}

function isProcessSubstitution(text: string, at: number): boolean {
  return (text[at] === '<' || text[at] === '>') && text[at + 1] === '(';
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

const ansiEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1B',
  E: '\x1B',
  f: '\f',
  v: '\v',
};

/** Reads what follows `$'`, with its escapes resolved: `$'\x72m'` is `rm`. */
function readAnsiQuoted(
  text: string,
  from: number,
): { readonly content: string; readonly end: number; readonly isClosed: boolean } {
  let content = '';
  let at = from;
  while (at < text.length) {
    if (text[at] === "'") return { content, end: at + 1, isClosed: true };
    if (text[at] !== '\\') {
      content += text[at];
      at += 1;
      continue;
    }
    const coded = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/.exec(
      text.slice(at, at + 10),
    );
    if (coded) {
      const code =
        coded[4] === undefined
          ? Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? '0', 16)
          : Number.parseInt(coded[4], 8);
      content += String.fromCodePoint(Math.min(code, 0x10ffff));
      at += coded[0].length;
    } else {
      const next = text[at + 1] ?? '';
      content += ansiEscapes[next] ?? next;
      at += 2;
    }
  }
  return { content, end: at, isClosed: false };
}
