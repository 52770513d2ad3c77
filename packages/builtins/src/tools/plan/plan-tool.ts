import { failure, success, toolError, type AnyTool, type ToolResult } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { count } from '../../count.ts';
import { keepsNotes } from '../../definition/tool-traits.ts';
import { createPlanStore, type PlanStore } from '../../notes/plan-store.ts';

const maxPlanLength = 40_000;

const input = z.strictObject({
  content: z
    .string()
    .max(maxPlanLength)
    .optional()
    .describe('The whole plan, as Markdown; it replaces the old one. Empty removes it.'),
  append: z
    .string()
    .min(1)
    .max(maxPlanLength)
    .optional()
    .describe('What to add at the end of the plan, instead of all of it.'),
});

/** Creates the `plan` tool, which stores the plan of a session as text. */
export function createPlanTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const store = dependencies.plans ?? createPlanStore();
  return defineBuiltin('createPlanTool', dependencies, {
    name: 'plan',
    title: 'Keep the plan',
    description:
      'Keeps the plan of this session: the goal, what was found out, what was decided and why, what is left. Use it before larger work, and when a decision changes it; ' +
      'read it (without arguments) when you have lost the thread. Pass content to write it anew, append to add to it. ' +
      'For a list of tasks and how far they are use todo, for a document that the user wants use write.',
    input,
    kind: 'other',
    traits: { ...keepsNotes, idempotent: false },
    aliases: { content: ['plan', 'text', 'markdown'], append: ['add'] },
    footprint: () => ({ writes: ['plan:'] }),
    initialTitle: ({ content, append }) => {
      if (content !== undefined) return `Write the plan (${count(content.length, 'character')})`;
      return append === undefined ? 'Read the plan' : `Add to the plan (${count(append.length, 'character')})`;
    },
    check: ({ content, append }) =>
      content === undefined || append === undefined
        ? []
        : [
            {
              path: '$.append',
              code: 'custom',
              expected: 'content alone or append alone',
              received: 'both',
              message: 'Pass either content to replace the plan, or append to add to it.',
            },
          ],
    run: (args, call) => keep(args, call, store),
  });
}

async function keep(args: z.output<typeof input>, { context }: BuiltinCall, store: PlanStore): Promise<ToolResult> {
  const { callId, sessionId } = context;
  const { content, append } = args;
  if (content === undefined && append === undefined) {
    const plan = await store.read(sessionId);
    return success(callId, plan === '' ? 'There is no plan yet.' : plan, {
      summary: `Read: the plan (${count(plan.length, 'character')})`,
    });
  }
  let isTooLong = false;
  const plan = await store.update(sessionId, (now) => {
    const next = content ?? (now === '' ? append! : `${now.trimEnd()}\n${append!}`);
    isTooLong = next.length > maxPlanLength;
    return isTooLong ? now : next;
  });
  if (isTooLong) {
    const message = `the plan would be longer than ${maxPlanLength} characters; it stays as it is, with ${plan.length}`;
    const hint = 'Read the plan, and pass content with a shorter one: what is done can go.';
    return failure(callId, toolError('INVALID_ARGS', message, { hint, details: { characters: plan.length } }));
  }
  const said = plan === '' ? 'There is no plan any more.' : `The plan is kept: ${count(plan.length, 'character')}.`;
  return success(callId, said, { summary: `Kept: the plan (${count(plan.length, 'character')})` });
}
