import { ToolRegistry } from '@haft/core';
import { runAgent } from '@haft/runner';
import { expect, test } from 'vitest';
import type { Terminal } from '../program/terminal.ts';
import { createRunView } from './run-view.ts';

test('createRunView begins an answer on its own line below the reasoning, which alone is dim', async () => {
  let shown = '';
  const terminal: Terminal = {
    write: (text) => (shown += text),
    line: (text = '') => (shown += `${text}\n`),
    note: () => {},
    paint: (tone, text) => (tone === 'quiet' ? `[${text}]` : text),
    isInteractive: false,
    columns: 80,
    closed: new AbortController().signal,
    reserve: () => {},
    flush: async () => {},
  };
  const model = {
    name: 'thinker',
    async *generate() {
      yield { type: 'reasoning', text: 'They greet' } as const;
      yield { type: 'reasoning', text: ' me.' } as const;
      yield { type: 'text', text: 'Hello' } as const;
      yield { type: 'text', text: ' there.' } as const;
      yield { type: 'finish', reason: 'stop' } as const;
    },
  };
  const snapshot = () => new ToolRegistry().snapshot();
  await runAgent({ model, prompt: 'Hi', onEvent: createRunView({ terminal, snapshot }) });
  expect(shown).toBe('turn 1\n  [They][ greet][ me.]\n  Hello there.\n');
});
