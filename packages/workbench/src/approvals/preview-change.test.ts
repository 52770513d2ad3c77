import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApprovalView } from '../contract/page-data.ts';
import { previewChange } from './preview-change.ts';

function question(writes: readonly string[], args: object): ApprovalView {
  return { writes, cwd: tmpdir(), arguments: JSON.stringify(args) } as unknown as ApprovalView;
}

function makeFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'haft-preview-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'list.txt');
  writeFileSync(path, text);
  return path;
}

describe('previewChange', () => {
  it('shows what a write or an edit would change', async () => {
    const path = makeFile('milk\nbread\n');
    const written = await previewChange(question([path], { path, content: 'milk\neggs\n' }));
    expect(written?.patch).toMatch(/-bread\n\+eggs\n/);
    expect(written?.path).toBe(relative(tmpdir(), path));
    const edited = await previewChange(question([path], { path, old_text: 'milk', new_text: 'tea' }));
    expect(edited?.patch).toMatch(/-milk\n\+tea\n/);
    const made = await previewChange(question([`${path}.new`], { content: 'new\n' }));
    expect(made?.patch).toContain('+new');
  });

  it('returns undefined for other calls', async () => {
    const path = makeFile('a a\n');
    for (const [writes, args] of [
      [[path], { old_text: 'a', new_text: 'b' }],
      [[path], { old_text: 'missing', new_text: 'b' }],
      [[path], { command: 'rm list.txt' }],
      [[path, `${path}.b`], { content: 'x' }],
      [[`${path}/`], { content: 'x' }],
      [[], { content: 'x' }],
    ] as const)
      expect(await previewChange(question(writes, args))).toBeUndefined();
  });
});
