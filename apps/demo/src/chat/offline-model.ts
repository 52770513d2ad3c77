import type { Model } from '@haft/core';
import { scriptedModel, type ScriptedTurn } from '@haft/runner/testing';

const note = 'haft-note.md';

/** The answers to each task. They are broken the way models break things; the calls are real. */
const turns: readonly ScriptedTurn[] = [
  {
    text: 'I look at the folder first. My second call is not valid JSON; it is repaired.',
    calls: [
      { name: 'ls', arguments: { path: '.' } },
      { name: 'glob', arguments: "{pattern: '*.md', limit: 20,}" },
    ],
    usage: { inputTokens: 900, outputTokens: 60 },
  },
  {
    text: `Now I write a note. This call is part of my text, and it waits for your approval.\n<tool_call>\n{"name": "write", "arguments": {"path": "${note}", "content": "A note of the offline script.\\n"}}\n</tool_call>`,
    usage: { inputTokens: 1_300, outputTokens: 70 },
  },
  {
    text: `That is the end of the script. If you allowed the call, ${note} is on the page Changes, where you can undo it. The whole run is on the page Runs.`,
    usage: { inputTokens: 1_450, outputTokens: 40 },
  },
];

/** A model without a network: every task gets the same scripted answers. */
export function createOfflineModel(): Model {
  const name = 'offline-script';
  return {
    name,
    generate(request) {
      const start = request.messages.findLastIndex(({ role }) => role === 'user');
      const answered = request.messages.slice(start + 1).filter(({ role }) => role === 'assistant').length;
      const turn = turns[Math.min(answered, turns.length - 1)]!;
      return scriptedModel([turn], { name }).generate(request);
    },
  };
}
