import { failure, type ToolResult } from '@haft/core';
import { runProcess } from '@haft/sandbox';
import type { z } from 'zod';
import type { BuiltinCall } from '../../definition/define-builtin.ts';
import { timeoutOf, type CommandInput } from './bash-input.ts';
import { concludeCommand } from '../../commands/conclude-command.ts';
import { createOutputRecorder } from './bash-output-recorder.ts';
import { planTime } from '../../commands/plan-command-time.ts';
import { prepareCommand } from './prepare-bash-command.ts';

/** Runs a command line until it ends or its time limit is reached. */
export async function runCommand(
  args: z.output<CommandInput>,
  { context, workspace }: BuiltinCall,
): Promise<ToolResult> {
  const prepared = await prepareCommand(workspace);
  if (!('ok' in prepared)) return failure(context.callId, prepared);
  const { env, jail, shell, letGo } = prepared;
  const { timeoutMs, killGraceMs } = planTime(timeoutOf(args), context.deadline - context.now());
  const recorder = createOutputRecorder(workspace.spillDirectory);
  const result = await runProcess({
    command: args.command,
    shell,
    cwd: workspace.cwd,
    env,
    signal: context.signal,
    timeoutMs,
    killGraceMs,
    ...(jail ? { jail } : {}),
    onOutput: (output) => {
      recorder.push(output);
      context.progress({ output });
    },
  }).finally(letGo);
  const spilled = recorder.finish(result.output.truncated);
  return concludeCommand({ command: args.command, result, spilled, timeoutMs, workspace, context, jail });
}
