import type { AskPerson, PermissionAnswer, PermissionQuestion } from '@haft/permission';
import type { Paint } from '../show/paint.ts';
import { showable, showableLine } from '../show/showable.ts';
import type { TerminalDevice } from './terminal-device.ts';

/** Puts questions to the person at a terminal; no answer at all is a no. */
export function createTerminalAsker(device: TerminalDevice): AskPerson {
  return async (question, signal) => {
    const { paint } = device;
    for (const line of describeQuestion(question, paint)) device.write(`${line}\n`);
    for (;;) {
      device.write(
        `  ${paint('strong', 'allow?')} [y]es, [a]lways for exactly this call in this run, [n]o (or n REASON): `,
      );
      const line = await device.readLine(signal);
      if (line === undefined) {
        device.write('\n');
        return { action: 'deny' };
      }
      const answer = readAnswer(line);
      if (answer) return answer;
      device.write(`  ${paint('warn', 'please type y, a, n, or n and a reason')}\n`);
    }
  };
}

/** Understands `y`, `a`, `n`, their long forms, and what is said after a no. */
function readAnswer(line: string): PermissionAnswer | undefined {
  const [, word = '', rest = ''] = /^\s*(\w*)[\s:,]*(.*?)\s*$/s.exec(line) ?? [];
  switch (word.toLowerCase()) {
    case 'y':
    case 'yes':
      return rest === '' ? { action: 'allow', scope: 'once' } : undefined;
    case 'a':
    case 'always':
      return rest === '' ? { action: 'allow', scope: 'session' } : undefined;
    case 'n':
    case 'no':
      return rest === '' ? { action: 'deny' } : { action: 'deny', reason: rest };
    default:
      return undefined;
  }
}

/** The question as lines: what is about to happen, and every argument, with nothing in it that could repaint the screen. */
export function describeQuestion(question: PermissionQuestion, paint: Paint): readonly string[] {
  const { arguments: args, tool, title, provider } = question;
  const entries = typeof args === 'object' && args !== null ? Object.entries(args) : [['', args] as const];
  const origin = provider === 'builtin' ? '' : paint('quiet', ` (from ${showableLine(provider)})`);
  return [
    `${paint('warn', '?')} ${paint('strong', showableLine(tool))}${origin}: ${showableLine(title, 100)}`,
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
  const isCut = lines.length > shownLines || text.length > shownCharacters;
  const more = isCut ? [`  … ${text.length} characters in all`] : [];
  return [label.trimEnd(), ...lines.slice(0, shownLines).map((line) => `  ${line}`), ...more];
}
