import { sourceOptions } from '../assembly/source-options.ts';
import { permissionOptions, permissionMode } from '../permission/permission-mode.ts';
import type { Command } from '../program/command.ts';
import { readText } from '../program/read-text.ts';
import { readStopReason, stoppedOption } from '../program/stop-reason.ts';

/** Runs the calls in a text of any model. */
export const dispatch: Command = {
  name: 'dispatch',
  summary: 'run the tool calls in text that a model wrote',
  operands: '[FILE|-]',
  maximumOperands: 1,
  options: {
    ...permissionOptions,
    json: { type: 'boolean', description: 'print one JSON value: the calls, how they were read, their results' },
    stopped: stoppedOption,
    ...sourceOptions,
  },
  notes: [
    'Reads a file, or standard input (-), finds the calls in any format, repairs and checks them, and runs them in the current folder. Reading inside the folder is allowed; other calls are asked about at the terminal.',
    'These calls are not recorded in a journal, so haft undo cannot undo them.',
    'Exit code 0: all calls succeeded. 1: no call was found, or one was refused or failed.',
    '',
    'Example: echo \'<tool_call>{name: "ls", arguments: {path: "."}}\' | haft dispatch -',
  ],
  async run(invocation) {
    const stopped = readStopReason(invocation);
    const mode = permissionMode(invocation);
    const text = await readText(invocation.positionals[0], invocation);
    const { runDispatch } = await import('./run-dispatch.ts');
    return runDispatch({ invocation, mode, stopped, text });
  },
};
