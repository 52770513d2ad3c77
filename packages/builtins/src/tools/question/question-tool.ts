import { failure, success, toolError, type AnyTool, type ToolResult } from '@haft/core';
import { cleanText, createTimeoutSignal } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import type { AskQuestion, PersonAnswer, PersonQuestion } from '../../options/ask-dependency.ts';

const patienceMs = 600_000;
const maxAnswerLength = 20_000;

const option = z.union([
  z.string().trim().min(1).max(200),
  z.strictObject({
    label: z.string().trim().min(1).max(200).describe('The answer, in a few words.'),
    description: z.string().max(500).optional().describe('What it means.'),
  }),
]);

const input = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe('One question, with the information that the user needs to answer it.'),
  options: z
    .array(option)
    .min(2)
    .max(9)
    .optional()
    .describe(
      '2 to 9 answers to choose from, the one you recommend first. Without options, the user answers in their own words.',
    ),
  multiple: z.boolean().optional().describe('Whether more than one may be chosen. Default false.'),
});

/** An answered question, for programs. */
export interface AnsweredQuestion {
  readonly answered: boolean;
  /** The chosen options. */
  readonly chosen?: readonly string[];
  /** The free-text answer. */
  readonly text?: string;
  /** Why the question was not answered. */
  readonly reason?: 'unavailable' | 'timeout';
}

/**
 * Creates the `question` tool, which asks the user through the callback `ask`. Without the callback, it reports that
 * the user cannot be asked.
 */
export function createQuestionTool(dependencies: BuiltinDependencies = {}): AnyTool {
  return defineBuiltin('createQuestionTool', dependencies, {
    name: 'question',
    title: 'Ask the user',
    description:
      'Asks the user one question and waits for the answer. Use it when only the user can decide, and a wrong guess would cost more than the interruption. ' +
      "Don't ask for facts that you can look up, or for permission: tools ask for that themselves. " +
      'Without an answer, continue with your recommendation, and say so.',
    input,
    kind: 'other',
    traits: { readOnly: true, idempotent: false, openWorld: false, sideEffects: 'none', requires: ['person'] },
    parallelizable: false,
    timeoutMs: patienceMs + 5_000,
    aliases: {
      question: ['prompt', 'text', 'message'],
      options: ['choices', 'answers'],
      multiple: ['multi_select', 'multiSelect'],
      'options[].label': ['title', 'name', 'text'],
    },
    footprint: () => ({ writes: ['person:'] }),
    initialTitle: ({ question }) => `Ask: ${question.replace(/\s+/g, ' ').slice(0, 120)}`,
    run: (args, call) => ask(args, call, dependencies.ask),
  });
}

async function ask(
  args: z.output<typeof input>,
  { context }: BuiltinCall,
  askPerson: AskQuestion | undefined,
): Promise<ToolResult> {
  const { callId, sessionId } = context;
  if (!askPerson) return unanswered(callId, 'unavailable');
  const options = (args.options ?? []).map((given) => {
    const { label, description } = typeof given === 'string' ? { label: given, description: undefined } : given;
    return { label: cleanText(label), ...(description === undefined ? {} : { description: cleanText(description) }) };
  });
  const question: PersonQuestion = {
    question: cleanText(args.question),
    options,
    multiple: args.multiple ?? false,
    sessionId,
    callId,
  };
  const patience = createTimeoutSignal(context.signal, Math.min(patienceMs, context.deadline - context.now() - 250));
  try {
    const answer = await untilAborted(askPerson(question, patience.signal), patience.signal);
    return conclude(callId, question, answer);
  } catch (error) {
    if (patience.timedOut) return unanswered(callId, 'timeout');
    throw error;
  } finally {
    patience.dispose();
  }
}

function conclude(callId: string, { options, multiple }: PersonQuestion, answer: PersonAnswer): ToolResult {
  if (answer.kind === 'unavailable') return unanswered(callId, 'unavailable');
  if (answer.kind === 'dismissed')
    return failure(
      callId,
      toolError('ABORTED', 'the user dismissed the question', {
        hint: "Don't ask it again. Continue without the answer as far as you can, or explain why you need it.",
      }),
    );
  const labels =
    answer.kind === 'chosen' ? answer.labels.filter((label) => options.some((each) => each.label === label)) : [];
  const chosen = multiple ? labels : labels.slice(0, 1);
  const text = (answer.text ?? '').slice(0, maxAnswerLength).trim();
  const lines = [
    ...(chosen.length > 0 ? [`The user chose: ${chosen.join('; ')}`] : []),
    ...(chosen.length === 0 && answer.kind === 'chosen' && text === '' ? ['The user chose none of them.'] : []),
    ...(text === '' ? [] : [`The user says: ${text}`]),
    ...(text === '' && answer.kind === 'text' ? ['The user gave an empty answer.'] : []),
  ];
  const structured: AnsweredQuestion = {
    answered: true,
    ...(answer.kind === 'chosen' ? { chosen } : {}),
    ...(text === '' ? {} : { text }),
  };
  return success(callId, lines.join('\n'), {
    summary: `Answered: ${(chosen.join('; ') || text).slice(0, 120)}`,
    structured,
  });
}

function unanswered(callId: string, reason: 'unavailable' | 'timeout'): ToolResult {
  const why =
    reason === 'unavailable'
      ? "The user can't be asked here."
      : `The user did not answer in ${patienceMs / 60_000} minutes.`;
  const structured: AnsweredQuestion = { answered: false, reason };
  return success(
    callId,
    `${why} Follow your recommendation, state your assumption, and do nothing that can't be undone.`,
    {
      summary: reason === 'unavailable' ? 'Not asked: no user available' : 'Not answered',
      structured,
    },
  );
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
