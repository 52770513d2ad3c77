import type { CommandOption, Invocation } from './command.ts';
import { UsageError } from './usage-error.ts';

/** The option by which the user says why a model's text ends. */
export const stoppedOption: CommandOption = {
  type: 'string',
  value: 'WHY',
  description: 'why the text ends: stop (the model was done) or length (it was cut; the default)',
};

/**
 * Returns why the text ends.
 *
 * @throws UsageError for any other value.
 */
export function readStopReason(invocation: Pick<Invocation, 'value'>): 'stop' | 'length' {
  const given = invocation.value('stopped');
  if (given === undefined || given === 'length' || given === 'stop') return given ?? 'length';
  throw new UsageError(`--stopped ${given}: expected stop or length`);
}
