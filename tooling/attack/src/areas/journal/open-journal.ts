import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { allowAll, createDispatcher, createWorkspace, defineTool } from '@haft/core';
import { createJournal, type Journal } from '@haft/journal';

/** A journal, and a call that changes a file. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly change: (text: string) => Promise<unknown>;
}

export async function openJournal(directory: string): Promise<OpenedJournal> {
  const workspace = createWorkspace({ cwd: directory, permission: allowAll });
  const journal = await createJournal({ workspace, directory: join(directory, 'journal') });
  const tool = defineTool({
    name: 'shell',
    description: 'Changes a file.',
    input: { type: 'object' },
    execute: ({ text }: { readonly text?: string }) => writeFileSync(join(directory, 'a.txt'), text ?? ''),
  });
  const dispatcher = createDispatcher({ registry: [tool], workspace, middleware: [journal.middleware] });
  let calls = 0;
  return {
    journal,
    change: (text) => dispatcher.dispatch({ id: `${text}_${(calls += 1)}`, name: 'shell', arguments: { text } }, {}),
  };
}

/** Records calls, damages the folder, and uses the journal again. Returns what fails. */
export async function record(directory: string, damage: (folder: string) => void): Promise<string | undefined> {
  const first = await openJournal(directory);
  for (const text of ['one', 'two']) await first.change(text);
  await first.journal.close();
  damage(join(directory, 'journal'));
  const { journal, change } = await openJournal(directory);
  try {
    await change('three');
    const known = journal.calls().map(({ callId }) => callId);
    journal.changes({ runId: '' });
    journal.diff({ runId: '' });
    await journal.undo({ callId: 'three_1' });
    const lost = ['one_1', 'two_2', 'three_1'].filter((id) => !known.includes(id));
    return lost.length === 0 ? undefined : `lost ${lost.join(', ')}`;
  } finally {
    await journal.close();
  }
}

/** Opens a damaged journal in a separate process, so that a hang does not stop the attacks. */
export async function endsInTime(directory: string, damage: (folder: string) => void): Promise<string | undefined> {
  const { journal, change } = await openJournal(directory);
  await change('one');
  await journal.close();
  damage(join(directory, 'journal'));
  const program = `
    import { createWorkspace } from ${JSON.stringify(import.meta.resolve('@haft/core'))};
    import { createJournal } from ${JSON.stringify(import.meta.resolve('@haft/journal'))};
    const workspace = createWorkspace({ cwd: ${JSON.stringify(directory)} });
    try { await (await createJournal({ workspace, directory: ${JSON.stringify(join(directory, 'journal'))} })).close(); } catch {}
    process.exit(0);`;
  const child = spawn(process.execPath, ['--max-old-space-size=512', '--input-type=module', '-e', program], {
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return code === 0 ? undefined : 'opening the journal did not end';
}
