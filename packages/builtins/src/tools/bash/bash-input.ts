import type { ToolDefinition } from '@haft/core';
import { z } from 'zod';
import { maxTimeoutMs } from '../../commands/plan-command-time.ts';

const defaultTimeoutMs = 120_000;

/** The arguments of a command. */
export const commandInput: z.ZodObject<
  {
    command: z.ZodString;
    timeout_ms: z.ZodOptional<z.ZodInt>;
    timeout_seconds: z.ZodOptional<z.ZodNumber>;
    description: z.ZodOptional<z.ZodString>;
  },
  z.core.$strict
> = z.strictObject({
  command: z
    .string()
    .min(1)
    .describe('The command line for the shell. It runs in the working directory, without a terminal or input.'),
  timeout_ms: z
    .int()
    .min(1)
    .max(maxTimeoutMs)
    .optional()
    .describe(`Milliseconds after which the command is ended. Default ${defaultTimeoutMs}, at most ${maxTimeoutMs}.`),
  timeout_seconds: z
    .number()
    .gt(0)
    .max(maxTimeoutMs / 1_000)
    .optional()
    .describe('The same in seconds; pass only one.'),
  description: z.string().optional().describe('What the command does, in a few words; shown to the user.'),
});

/** The arguments of a command that may continue in the background. */
export const longRunningInput: z.ZodObject<
  (typeof commandInput)['shape'] & {
    background: z.ZodOptional<z.ZodBoolean>;
    on_timeout: z.ZodOptional<z.ZodEnum<{ end: 'end'; background: 'background' }>>;
  },
  z.core.$strict
> = commandInput.extend({
  background: z
    .boolean()
    .optional()
    .describe('Start the command and return at once, without a time limit. Default false.'),
  on_timeout: z
    .enum(['end', 'background'])
    .optional()
    .describe('At the time limit, "end" (default) ends it, and "background" lets it continue in the background.'),
});

/** The schema of {@link commandInput}. */
export type CommandInput = typeof commandInput;

/** The schema of {@link longRunningInput}. */
export type LongRunningInput = typeof longRunningInput;

type Issues = Awaited<ReturnType<NonNullable<ToolDefinition<CommandInput>['check']>>>;

/** Rejects a time limit that is given in both units. */
export function checkTimes(args: z.output<CommandInput>): Issues {
  if (args.timeout_ms === undefined || args.timeout_seconds === undefined) return [];
  return [
    {
      path: '$.timeout_seconds',
      code: 'custom',
      expected: 'only one time limit',
      received: 'two',
      message: 'pass timeout_ms or timeout_seconds, for example timeout_ms: 60000',
    },
  ];
}

/** Returns the time limit of a command in milliseconds. */
export function timeoutOf({ timeout_ms, timeout_seconds }: z.output<CommandInput>): number {
  return (
    timeout_ms ?? (timeout_seconds === undefined ? defaultTimeoutMs : Math.max(1, Math.round(timeout_seconds * 1_000)))
  );
}
