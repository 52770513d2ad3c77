import { numberKind, anyKind, checkOptions, required, type OptionTable } from '@haft/core/options';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { runOptionKinds } from '../options/run-option-kinds.ts';
import { runAgent } from './run-agent.ts';
import type { OutputOptions } from '../options/output-options.ts';

/** Options of {@link createSpecializedLoop}: those of every run, and the schema of the answers. */
export interface SpecializedLoopOptions extends Omit<RunAgentOptions, 'output' | 'prompt' | 'messages'> {
  readonly schema: OutputOptions['schema'];
  readonly maxAnswers?: number;
}

/** A loop for one kind of question with one answer schema. */
export interface SpecializedLoop {
  /** Answers one question in a new conversation: first freely with tools, then by schema without tools. */
  run(prompt: string, options?: Pick<RunAgentOptions, 'messages' | 'signal' | 'forceSignal'>): Promise<AgentResult>;
}

const { output: _output, prompt: _prompt, messages: _messages, ...ofRuns } = runOptionKinds;
const table: OptionTable<SpecializedLoopOptions> = {
  ...ofRuns,
  schema: required(anyKind),
  maxAnswers: numberKind({ above: 0 }),
};

/**
 * Creates a loop that works in two phases: {@link runAgent} with `output.strategy` set to `two-phase`.
 *
 * @throws HaftError `INVALID_OPTION` if an option is missing, misspelled or invalid.
 */
export function createSpecializedLoop(options: SpecializedLoopOptions): SpecializedLoop {
  checkOptions('createSpecializedLoop', options, table, '{ model, schema }');
  const { schema, maxAnswers, ...common } = options;
  const output: OutputOptions = { schema, strategy: 'two-phase', ...(maxAnswers !== undefined && { maxAnswers }) };
  return { run: (prompt, own = {}) => runAgent({ ...common, ...own, prompt, output }) };
}
