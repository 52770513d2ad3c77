import type { RepairResult } from '@haft/repair';
import type { Command } from '../program/command.ts';
import { readText } from '../program/read-text.ts';
import { readStopReason, stoppedOption } from '../program/stop-reason.ts';
import type { Terminal } from '../program/terminal.ts';

const maxShownRepairs = 20;

/** Repairs the JSON in a text. */
export const repair: Command = {
  name: 'repair',
  summary: 'repair the JSON that a model wrote',
  operands: '[FILE|-]',
  maximumOperands: 1,
  options: {
    json: { type: 'boolean', description: 'print one JSON value: the value, its risk and every repair' },
    stopped: stoppedOption,
  },
  notes: [
    'Reads a file, or standard input (-), prints the JSON to standard output, and lists what was repaired on standard error.',
    'Exit code 0: the value can be used. 1: the text cannot be read, or it is or may be cut.',
    '',
    'Example: echo "{guests: 3, \'room\': \\"blue\\",}" | haft repair -',
  ],
  async run(invocation) {
    const stopped = readStopReason(invocation);
    const text = await readText(invocation.positionals[0], invocation);
    const { repairJson } = await import('@haft/repair');
    const result = repairJson(text, { stopped });
    const { terminal } = invocation;
    if (invocation.flag('json')) terminal.line(JSON.stringify(result, undefined, 2));
    else show(result, text, terminal, stopped === 'stop');
    return isUsable(result) ? 0 : 1;
  },
};

/** Whether the value may be used, because it is complete. */
function isUsable(result: RepairResult): boolean {
  return result.ok && result.risk !== 'truncated';
}

function show(result: RepairResult, text: string, terminal: Terminal, isDone: boolean): void {
  if (!result.ok) {
    terminal.note(`haft: ${result.message}`);
    return;
  }
  for (const { code, start, found, assumed } of result.repairs.slice(0, maxShownRepairs)) {
    const change = found === '' ? `added ${assumed}` : `${assumed === '' ? 'dropped ' : ''}${JSON.stringify(found)}`;
    terminal.note(`haft: ${placeOf(text, start)}: ${code}: ${change}`);
  }
  const more = result.repairs.length - maxShownRepairs;
  if (more > 0) terminal.note(`haft: and ${more} more repairs; --json lists all`);
  if (isUsable(result)) terminal.line(JSON.stringify(result.value, undefined, 2));
  else
    terminal.note(
      `haft: the text is or may be cut, so its value must not be used (${isDone ? '' : '--stopped stop says that the model was done; '}--json shows the value)`,
    );
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
