import { HaftError } from '@haft/core';
import { checkOptions } from '@haft/core/options';
import type { RunAgentOptions } from './agent-options.ts';
import { runOptionKinds } from './run-option-kinds.ts';

/**
 * Validates the options before the first request.
 * @throws HaftError `INVALID_OPTION` with the option, the expected and the actual value.
 */
export function checkRunOptions(options: RunAgentOptions): void {
  checkOptions('runAgent', options, runOptionKinds, '{ model, tools, prompt }');
  const { prompt, messages = [] } = options;
  if (prompt === undefined && messages.length === 0)
    throw new HaftError('INVALID_OPTION', 'runAgent: prompt is missing (expected a prompt, messages, or both)');
}
