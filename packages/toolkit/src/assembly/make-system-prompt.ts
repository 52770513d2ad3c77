import { basename } from 'node:path';

/** Returns the default system prompt for a model that works with the tools. */
export function makeSystemPrompt(cwd: string): string {
  return [
    `You work in the folder ${JSON.stringify(basename(cwd))}; tools take paths relative to it.`,
    'Look before you change anything, and use the tools instead of describing what could be done.',
    'A denial is intended: continue without the call, or explain why you need it.',
    'When you are done, summarize in a few plain sentences what you did and the result.',
  ].join('\n');
}
