import { HaftError } from '@haft/core';
import { checkOptions } from '@haft/core/options';
import type { RunAgentOptions } from './agent-options.ts';
import { runOptionKinds } from './run-option-kinds.ts';

/**
 * Refuses what no run can be made of, before the model is asked anything.
 * @throws HaftError `INVALID_OPTION`, naming the option, what was expected and what was given.
 */
export function checkRunOptions(options: RunAgentOptions): void {
  checkOptions('runAgent', options, runOptionKinds, '{ model, tools, prompt }');
  const { prompt, messages = [] } = options;
  if (prompt === undefined && messages.length === 0)
    throw new HaftError('INVALID_OPTION', 'runAgent: prompt is missing (expected a prompt, messages, or both)');
}
