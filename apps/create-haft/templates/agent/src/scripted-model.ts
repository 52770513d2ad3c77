import type { Model } from '@haft/core';
import { scriptedModel } from '@haft/runner/testing';

/** Plays a model that makes the mistakes of small models. Haft repairs them. */
export function createScriptedModel(): Model {
  return scriptedModel([
    // Two calls at once. The JSON of the second one is broken.
    {
      calls: [
        { name: 'read', arguments: { path: 'pancakes.md' } },
        { name: 'read', arguments: "{path: 'shopping.md',}" },
      ],
    },
    // A call as text, which is not even closed.
    'Eggs are missing.\n<tool_call>{"name": "add_item", "arguments": {"item": "6 eggs"}}',
    ({ messages }) =>
      JSON.stringify(messages.at(-1)).includes('PERMISSION_DENIED')
        ? 'You need flour, milk and eggs. Eggs are missing, and I was not allowed to put them on the list.'
        : 'You need flour, milk and eggs. Eggs were missing; they are on the list.',
  ]);
}
