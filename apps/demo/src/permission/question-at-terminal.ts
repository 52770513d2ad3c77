import type { AskQuestion, PersonAnswer, PersonQuestion } from '@haft/builtins';
import { showable, showableLine } from '../show/showable.ts';
import type { TerminalDevice } from './terminal-device.ts';

/** Puts a model's questions to the person at the terminal device; where there is none, nobody can be asked. */
export function createTerminalQuestioner(open: () => TerminalDevice | undefined): AskQuestion {
  return async (question, signal) => {
    const device = open();
    if (!device) return { kind: 'unavailable' };
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
    if (line === undefined) device.write('\n');
    return readAnswer(question, line);
  };
}

function promptFor({ options, multiple }: PersonQuestion): string {
  if (options.length === 0) return 'your answer (nothing: none):';
  return `${multiple ? 'numbers' : 'a number'}, or an answer of your own (nothing: none):`;
}

/** `2`, `1 3`, `1, 3`, or words of one's own; nothing is no answer. */
export function readAnswer({ options, multiple }: PersonQuestion, line: string | undefined): PersonAnswer {
  const text = line?.trim() ?? '';
  if (text === '') return { kind: 'dismissed' };
  const numbers = /^\d+(?:[\s,]+\d+)*$/.test(text) ? text.split(/[\s,]+/).map(Number) : [];
  const labels = numbers.flatMap((number) => options[number - 1]?.label ?? []);
  const areChosen = labels.length > 0 && labels.length === numbers.length && (multiple || labels.length === 1);
  return areChosen ? { kind: 'chosen', labels } : { kind: 'text', text };
}
