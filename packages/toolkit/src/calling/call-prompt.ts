import {
  type CallContext,
  findNearestNames,
  type Model,
  type Prompt,
  type Resource,
  toolError,
  type ToolError,
  type ToolSource,
  type TurnHooks,
} from '@haft/core';
import { describeCause } from '@haft/core/results';
import { runAgent, type AgentResult } from '@haft/runner';
import type { Issue } from '@haft/schema';
import type { AgentPrompt, ModelWish } from '../prompts/agent-prompt.ts';
import { isJsonResource, readText } from '../resources/read-content.ts';
import { json } from '../resources/json.ts';
import { text } from '../resources/text.ts';
import { answerFailed, answerWith, type Answer } from '../answer.ts';
import { insidePrompt, promptDepth } from './call-scope.ts';
import { readInputs, type CallInput } from './read-inputs.ts';

/** Dependencies for running prompts. */
export interface PromptRunner {
  /** Returns the model for a prompt, or undefined if no model matches. */
  modelFor(wish: ModelWish): Model | undefined;
  /** Returns the tools that a prompt may use, or an error if the prompt names unknown tools. */
  sourceFor(prompt: AgentPrompt): Promise<ToolSource | ToolError>;
  /** Runs prompts in place of a model. */
  readonly delegate?: (prompt: Prompt, ...resources: readonly Resource[]) => Resource | Promise<Resource>;
  /** Maximum nesting depth of prompts. */
  readonly maxDepth: number;
  readonly turnHooks: readonly TurnHooks[];
}

/**
 * Runs a prompt as an agent. The first input supplies the variables; the other inputs are attached. The nesting depth
 * is limited, so that prompts cannot call each other forever.
 */
export async function callPrompt(
  given: Prompt,
  inputs: readonly CallInput[],
  context: CallContext,
  runner: PromptRunner,
): Promise<Answer> {
  const prompt = given as AgentPrompt;
  const { main, others } = readInputs(inputs, 'prompt');
  if (promptDepth() >= runner.maxDepth)
    return answerFailed(
      toolError(
        'LIMIT_REACHED',
        `the prompt ${prompt.name} did not run: ${runner.maxDepth} prompts already call each other`,
        {
          hint: 'Answer with what you know.',
        },
      ),
    );
  if (runner.delegate) return delegate(prompt, [...(main ? [main] : []), ...others], runner.delegate);
  const model = runner.modelFor(prompt);
  if (!model) return answerFailed(noModel(prompt));
  try {
    const variables = await readVariables(prompt, main, context.signal);
    if (!variables.ok) return answerFailed(variables.error);
    const messages = await prompt.prepare(variables.value, others);
    const source = await runner.sourceFor(prompt);
    if ('code' in source) return answerFailed(source);
    const { signal, session, sessionId } = context;
    const run = await insidePrompt(() =>
      runAgent({
        model,
        tools: source,
        messages,
        turnHooks: runner.turnHooks,
        ...(prompt.systemPrompt === undefined ? {} : { systemPrompt: prompt.systemPrompt }),
        ...(prompt.output && { output: { schema: prompt.output.jsonSchema } }),
        ...(prompt.maxOutputTokens === undefined ? {} : { maxOutputTokens: prompt.maxOutputTokens }),
        ...(signal && { signal }),
        ...(session && { session }),
        ...(sessionId === undefined ? {} : { sessionId }),
      }),
    );
    return conclude(prompt, run);
  } catch (cause) {
    return answerFailed(
      toolError('EXECUTION_ERROR', `the prompt ${prompt.name} failed: ${describeCause(cause)}`, { cause }),
    );
  }
}

async function delegate(
  prompt: Prompt,
  resources: readonly Resource[],
  call: NonNullable<PromptRunner['delegate']>,
): Promise<Answer> {
  try {
    return answerWith(await insidePrompt(async () => call(prompt, ...resources)));
  } catch (cause) {
    return answerFailed(
      toolError('EXECUTION_ERROR', `the prompt ${prompt.name} failed: ${describeCause(cause)}`, { cause }),
    );
  }
}

function noModel({ name, model, provider }: AgentPrompt): ToolError {
  const wanted = [provider, model].filter((part) => part !== undefined).join('/');
  return {
    code: 'BAD_PARAMETER',
    fault: 'host',
    retryable: false,
    message:
      wanted === ''
        ? `the prompt ${name} needs a model: pass createToolkit a model, or a delegate that runs prompts`
        : `the prompt ${name} requires the model ${wanted}, which the option models of createToolkit does not provide`,
  };
}

type Variables = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ToolError };

async function readVariables(
  prompt: AgentPrompt,
  main: Resource | undefined,
  signal: AbortSignal | undefined,
): Promise<Variables> {
  const refuse = (reason: string, issues?: readonly Issue[]): Variables => ({
    ok: false,
    error: toolError('INVALID_ARGS', `the variables of the prompt ${prompt.name} ${reason}`, issues ? { issues } : {}),
  });
  const value = main === undefined ? undefined : await readValue(main, signal);
  if (value instanceof SyntaxError) return refuse(`are not valid JSON: ${value.message}`);
  if (prompt.input) {
    await prompt.input.ready();
    // A missing input becomes an empty object. Schemas that expect another type reject it.
    const validated = await prompt.input.validate(value ?? {});
    return validated.ok ? { ok: true, value: validated.value } : refuse("don't match its schema", validated.issues);
  }
  const fields = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const missing = prompt.variables.filter(({ name, required }) => required && !Object.hasOwn(fields, name));
  if (missing.length > 0) return refuse(`lack ${missing.map(({ name }) => name).join(', ')}`);
  const slip = findSlip(prompt, fields);
  return slip ? refuse('include unknown names', [slip]) : { ok: true, value: value ?? {} };
}

/**
 * Finds an unknown variable whose name is close to a missing one. Otherwise, the template would be rendered without the
 * value.
 */
function findSlip({ variables }: Prompt, fields: Readonly<Record<string, unknown>>): Issue | undefined {
  const left = variables.map(({ name }) => name).filter((name) => !Object.hasOwn(fields, name));
  for (const name of Object.keys(fields)) {
    if (variables.some((variable) => variable.name === name)) continue;
    const near = findNearestNames(name, left, 1)[0];
    if (near === undefined) continue;
    const message = `$.${name.slice(0, 60)} is not a variable; did you mean ${near}?`;
    return { path: `$.${name.slice(0, 60)}`, code: 'custom', expected: near, received: name.slice(0, 60), message };
  }
  return undefined;
}

/** Returns the parsed value of a JSON resource, or the text of any other resource. */
async function readValue(main: Resource, signal: AbortSignal | undefined): Promise<unknown> {
  const content = await readText(main, signal);
  if (!isJsonResource(main) || content === undefined) return content;
  try {
    return JSON.parse(content) as unknown;
  } catch (cause) {
    return cause instanceof SyntaxError ? cause : new SyntaxError(describeCause(cause));
  }
}

function conclude(prompt: AgentPrompt, run: AgentResult): Answer {
  if (run.stopReason !== 'finished' && run.stopReason !== 'limit') {
    const message = `the prompt ${prompt.name} ended without an answer: ${run.error?.message ?? run.stopReason}`;
    const aborted = run.stopReason === 'aborted';
    return answerFailed(run.error ?? toolError(aborted ? 'ABORTED' : 'EXECUTION_ERROR', message), { run });
  }
  const uri = `prompt:${encodeURIComponent(prompt.name)}`;
  if (!prompt.output) return answerWith(text(prompt.name, run.text, { uri }), { run });
  return run.output === undefined
    ? answerFailed(
        run.error ?? toolError('OUTPUT_INVALID', `the answer to the prompt ${prompt.name} does not match its schema`),
        { run },
      )
    : answerWith(json(prompt.name, run.output, { uri }), { run });
}
