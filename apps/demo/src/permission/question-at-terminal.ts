import type { AskQuestion, PersonAnswer, PersonQuestion } from '@haft/builtins';
import { showable, showableLine } from '../show/showable.ts';
import { takeTurn } from './take-turn.ts';
import type { TerminalDevice } from './terminal-device.ts';

/** Asks a model's questions at the terminal. Without a terminal, questions are unavailable. */
export function createTerminalQuestioner(open: () => TerminalDevice | undefined): AskQuestion {
  return async (question, signal) => {
    const device = open();
    if (!device) return { kind: 'unavailable' };
    return takeTurn(device, () => askOnce(device, question, signal));
  };
}

async function askOnce(device: TerminalDevice, question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
  const { paint } = device;
  device.forget();
  const [first = '', ...more] = showable(question.question).split('\n');
  device.write(`${paint('warn', '?')} ${paint('strong', first)}\n`);
  for (const line of more) device.write(`  ${line}\n`);
  for (const [index, { label, description }] of question.options.entries()) {
    const about = description === undefined ? '' : paint('quiet', `: ${showableLine(description)}`);
    device.write(`  ${index + 1}. ${showableLine(label)}${about}\n`);
  }
  device.write(`  ${paint('strong', promptFor(question))} `);
  const line = await device.readLine(signal);
  return readAnswer(question, line);
}

function promptFor({ options, multiple }: PersonQuestion): string {
  if (options.length === 0) return 'your answer (empty for none):';
  return `${multiple ? 'numbers' : 'a number'}, or your own answer (empty for none):`;
}

/** Parses `2`, `1 3`, `1, 3`, or free text. An empty line is not an answer. */
export function readAnswer({ options, multiple }: PersonQuestion, line: string | undefined): PersonAnswer {
  const text = line?.trim() ?? '';
  if (text === '') return { kind: 'dismissed' };
  const numbers = /^\d+(?:[\s,]+\d+)*$/.test(text) ? text.split(/[\s,]+/).map(Number) : [];
  const labels = numbers.flatMap((number) => options[number - 1]?.label ?? []);
  const areChosen = labels.length > 0 && labels.length === numbers.length && (multiple || labels.length === 1);
  return areChosen ? { kind: 'chosen', labels } : { kind: 'text', text };
}
