import { oneAtATime, type AskUser, type PermissionAnswer, type PermissionQuestion } from '@haft/permission';
import type { Paint } from '../show/paint.ts';
import { showable, showableLine } from '../show/showable.ts';
import { takeTurn } from './take-turn.ts';
import type { TerminalDevice } from './terminal-device.ts';

/** Asks the user at a terminal. No answer means no. */
export function createTerminalAsker(device: TerminalDevice): AskUser {
  return oneAtATime((question, signal) => takeTurn(device, () => askOnce(device, question, signal)));
}

async function askOnce(
  device: TerminalDevice,
  question: PermissionQuestion,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const { paint } = device;
  device.forget();
  for (const line of describeQuestion(question, paint)) device.write(`${line}\n`);
  const more = isShownWhole(question) ? '' : ', [s]how everything';
  for (;;) {
    device.write(
      `  ${paint('strong', 'allow?')} [y]es, [a]lways for exactly this call in this run, [n]o (or n REASON)${more}: `,
    );
    const line = await device.readLine(signal);
    if (line === undefined) return { action: 'deny' };
    const answer = readAnswer(line);
    if (answer) return answer;
    // Lines that arrived together with this one are not an answer, either.
    device.forget();
    if (/^\s*s(?:how)?\s*$/i.test(line)) {
      for (const each of describeQuestion(question, paint, true)) device.write(`${each}\n`);
      continue;
    }
    device.write(`  ${paint('warn', 'please type y, a, n, or n and a reason')}\n`);
  }
}

/** Parses `y`, `a`, `n`, their long forms, and a reason after a no. Pasted lines allow nothing. */
function readAnswer(line: string): PermissionAnswer | undefined {
  const [, word = '', rest = ''] = /^\s*(\w*)[\s:,]*(.*?)\s*$/s.exec(line) ?? [];
  const isWordOnly = rest === '' && !line.includes('\n');
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return isWordOnly ? { action: 'allow', scope: 'once' } : undefined;
    case 'a':
    case 'always':
      return isWordOnly ? { action: 'allow', scope: 'session' } : undefined;
    case 'n':
    case 'no':
      return rest === '' ? { action: 'deny' } : { action: 'deny', reason: rest };
    default:
      return undefined;
  }
}

/**
 * Formats the question: the call and every argument, without characters that could repaint the screen. Long arguments
 * are shortened, with their total length, unless `isWhole`.
 */
export function describeQuestion(question: PermissionQuestion, paint: Paint, isWhole = false): readonly string[] {
  const { tool, title, provider } = question;
  const origin = provider === 'builtin' ? '' : paint('quiet', ` (from ${showableLine(provider)})`);
  return [
    `${paint('warn', '?')} ${paint('strong', showableLine(tool))}${origin}: ${showableLine(title, 100)}`,
    ...argumentsOf(question)
      .flatMap(([name, value]) => describeArgument(name, value, isWhole))
      .map((line) => `    ${line}`),
  ];
}

function isShownWhole(question: PermissionQuestion): boolean {
  return argumentsOf(question).every(([, value]) => !isLong(textOf(value)));
}

function argumentsOf({ arguments: args }: PermissionQuestion): readonly (readonly [name: string, value: unknown])[] {
  return typeof args === 'object' && args !== null ? Object.entries(args) : [['', args]];
}

const shownLines = 12;
const shownCharacters = 2_000;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}

function isLong(text: string): boolean {
  return text.length > shownCharacters || text.split('\n', shownLines + 1).length > shownLines;
}

function describeArgument(name: string, value: unknown, isWhole: boolean): readonly string[] {
  const text = textOf(value);
  const isCut = !isWhole && isLong(text);
  const lines = showable(isCut ? text.slice(0, shownCharacters) : text).split('\n');
  const label = name === '' ? '' : `${showableLine(name)}: `;
  if (lines.length === 1 && !isCut) return [`${label}${lines[0]}`];
  const shown = isCut ? lines.slice(0, shownLines) : lines;
  const more = isCut ? [`  … ${text.length} characters, ${text.split('\n').length} lines in all`] : [];
  return [label.trimEnd(), ...shown.map((line) => `  ${line}`), ...more];
}
