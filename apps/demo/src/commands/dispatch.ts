import { sourceOptions } from '../assembly/source-options.ts';
import { permissionOptions, permissionMode } from '../permission/permission-mode.ts';
import type { Command } from '../program/command.ts';
import { readText } from '../program/read-text.ts';
import { UsageError } from '../program/usage-error.ts';

/** Text any model wrote, turned into calls that ran. */
export const dispatch: Command = {
  name: 'dispatch',
  summary: 'run the tool calls in text that a model wrote',
  operands: '[FILE|-]',
  maximumOperands: 1,
  options: {
    ...permissionOptions,
    json: { type: 'boolean', description: 'print one JSON value: the calls, how they were read, their results' },
    stopped: {
      type: 'string',
      value: 'WHY',
      description: 'why the text ends: stop (the model was done) or length (it was cut; the default)',
    },
    ...sourceOptions,
  },
  notes: [
    'Reads a file, or standard input (-), finds the calls in whatever form they are written, repairs and checks them, and runs them in the current folder. Reading inside the folder is allowed; for the rest the terminal is asked.',
    'No journal is kept: what these calls change, haft undo does not know.',
    'Exit code 0: there were calls and all of them succeeded. 1: none was found, or one was refused or failed.',
    '',
    'Example: echo \'<tool_call>{name: "ls", arguments: {path: "."}}\' | haft dispatch -',
  ],
  async run(invocation) {
    const stopped = stopReason(invocation.value('stopped'));
    const mode = permissionMode(invocation);
    const text = await readText(invocation.positionals[0], invocation);
    const { runDispatch } = await import('./run-dispatch.ts');
    return runDispatch({ invocation, mode, stopped, text });
  },
};

function stopReason(given: string | undefined): 'stop' | 'length' {
  if (given === undefined || given === 'length' || given === 'stop') return given ?? 'length';
  throw new UsageError(`--stopped ${given}: expected stop or length`);
}
