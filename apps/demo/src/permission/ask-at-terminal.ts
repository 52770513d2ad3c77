import type { PermissionRequest } from '@haft/core';
import type { Paint } from '../show/paint.ts';
import { showable, showableLine } from '../show/showable.ts';
import type { TerminalDevice } from './terminal-device.ts';

/** What a person answers: this once, for as long as the program runs, or not at all. */
export type Answer = 'once' | 'session' | 'no';

const answers: Readonly<Record<string, Answer>> = {
  y: 'once',
  yes: 'once',
  a: 'session',
  always: 'session',
  n: 'no',
  no: 'no',
};

/** Asks one question after the other, in the order in which they come; no answer at all is a no. */
export function createTerminalAsker(device: TerminalDevice): (request: PermissionRequest) => Promise<Answer> {
  let turn: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = turn.then(() => ask(device, request));
    turn = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(device: TerminalDevice, request: PermissionRequest): Promise<Answer> {
  if (request.signal.aborted) return 'no';
  const { paint } = device;
  for (const line of describeQuestion(request, paint)) device.write(`${line}\n`);
  for (;;) {
    device.write(`  ${paint('strong', 'allow?')} [y]es, [a]lways in this run, [n]o: `);
    const line = await device.readLine(request.signal);
    if (line === undefined) {
      device.write('\n');
      return 'no';
    }
    const answer = Object.hasOwn(answers, line.trim().toLowerCase()) ? answers[line.trim().toLowerCase()] : undefined;
    if (answer) return answer;
    device.write(`  ${paint('warn', 'please type y, a or n')}\n`);
  }
}

/** The question as lines: what is about to happen, and every argument, with nothing in it that could repaint the screen. */
export function describeQuestion(request: PermissionRequest, paint: Paint): readonly string[] {
  const { arguments: args, tool, title } = request;
  const entries = typeof args === 'object' && args !== null ? Object.entries(args) : [['', args] as const];
  return [
    `${paint('warn', '?')} ${paint('strong', showableLine(tool))}: ${showableLine(title, 100)}`,
    ...entries.flatMap(([name, value]) => describeArgument(name, value)).map((line) => `    ${line}`),
  ];
}

const shownLines = 12;
const shownCharacters = 2_000;

function describeArgument(name: string, value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  const lines = showable(text.slice(0, shownCharacters)).split('\n');
  const label = name === '' ? '' : `${showableLine(name)}: `;
  if (lines.length === 1 && text.length <= shownCharacters) return [`${label}${lines[0]}`];
  const left = text.split('\n').length - Math.min(lines.length, shownLines);
  const more = left > 0 || text.length > shownCharacters ? [`  … ${text.length} characters in all`] : [];
  return [label.trimEnd(), ...lines.slice(0, shownLines).map((line) => `  ${line}`), ...more];
}
