import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDispatcher, createWorkspace, defineTool, renderForModel } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { spillText } from '@haft/sandbox';
import { expect, it } from 'vitest';
import { createBuiltins } from './create/create-builtins.ts';

it('a long result is cut, and the model can read the complete text at the given path', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-spilled-')));
  try {
    const spillDirectory = join(base, 'spill');
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`).join('\n');
    const flood = defineTool({ name: 'flood', description: 'Says much.', kind: 'read', execute: () => lines });
    const source = createDispatcher({
      registry: [...createBuiltins(), eraseTool(flood)],
      workspace: createWorkspace({ cwd: base, spillDirectory }),
      maxResultCharacters: 1_000,
      spill: (text) => spillText(spillDirectory, text),
    });
    const cut = renderForModel(await source.dispatch({ id: '1', name: 'flood', arguments: {} }));
    expect(cut.length).toBeLessThan(1_300);
    const path = /the whole text is in (\S+)/.exec(cut)?.[1];
    const read = await source.dispatch({
      id: '2',
      name: 'read',
      arguments: { path, offset: 1_500, limit: 2 },
    });
    expect(renderForModel(read)).toContain('line 1499');
  } finally {
    rmSync(base, { recursive: true });
  }
});
