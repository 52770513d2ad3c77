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
    .describe('Text to add at the end of the plan, instead of content.'),
});

/** Creates the `plan` tool, which stores the plan of a session as text. */
export function createPlanTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const store = dependencies.plans ?? createPlanStore();
  return defineBuiltin('createPlanTool', dependencies, {
    name: 'plan',
    title: 'Keep the plan',
    description:
      'Stores the plan of this session: the goal, findings, decisions and reasons, and remaining work. Use it before larger work, and when a decision changes it; ' +
      'read it (without arguments) when you have lost the thread. Pass content to replace it, append to add to it. ' +
      'For tasks and their progress use todo, for a document that the user wants use write.',
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
    const message = `the plan would be longer than ${maxPlanLength} characters; it is unchanged, with ${plan.length}`;
    const hint = 'Read the plan, and pass a shorter one as content, without finished work.';
    return failure(callId, toolError('INVALID_ARGS', message, { hint, details: { characters: plan.length } }));
  }
  const said = plan === '' ? 'The plan was removed.' : `The plan is stored: ${count(plan.length, 'character')}.`;
  return success(callId, said, { summary: `Stored: the plan (${count(plan.length, 'character')})` });
}
