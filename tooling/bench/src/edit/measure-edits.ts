import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, bestOf, inRounds, makeFolder, toRow, type MeasuredRow } from '@haft-tooling/measure';
import { haft, peers, type Editor } from '@haft-tooling/peers/edits/editors';
import { lineAt } from '@haft-tooling/corpora/edits';

/** A file, and an edit of it that every editor supports. */
interface Task {
  readonly what: string;
  readonly file: string;
  readonly oldText: string;
  readonly limitMs: number;
  readonly edits: number;
  /** Uses a file system in memory if available, so that the disk is not measured. */
  readonly isInMemory?: boolean;
}

const line = (index: number): string => `  const value${index} = compute(${index}, 'some text to fill the line');\n`;
/** Creates a file of this size with distinct lines. Returns its middle line too. */
function fill(bytes: number): { readonly file: string; readonly oldText: string } {
  const lines: string[] = [];
  let size = 0;
  while (size < bytes) {
    const next = line(lines.length);
    size += next.length;
    lines.push(next);
  }
  return { file: lines.join(''), oldText: lineAt(lines, Math.round(lines.length / 2)) };
}

const tasks: readonly Task[] = [
  {
    what: 'One edit of a file of 60 KB in memory: the whole call',
    ...fill(60_000),
    limitMs: 1,
    edits: 100,
    isInMemory: true,
  },
  {
    what: 'The same on a disk, flushed to it (peers do not flush)',
    ...fill(60_000),
    limitMs: 20,
    edits: 40,
  },
  {
    what: 'One edit of a file of 10 MB in memory',
    ...fill(9_900_000),
    limitMs: 150,
    edits: 3,
    isInMemory: true,
  },
  {
    what: 'An edit that matches nowhere, in 10,000 similar lines',
    file: '  the same line again and again\n'.repeat(10_000),
    oldText: `${'    the same line again and again\n'.repeat(30)}    another line\n`,
    limitMs: 500,
    edits: 3,
  },
];

/** The file system in memory on Linux. */
const memory = '/dev/shm';

/** Wall time of whole calls in milliseconds: the best of all calls, because other programs use the machine too. */
export async function measureCalls(rounds: number, log: (text: string) => void): Promise<readonly MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  const editors = new Map([haft, ...peers].map((editor) => [editor.name, editor]));
  for (const task of tasks) {
    log(`  ${task.what}`);
    const times = await inRounds([...editors.keys()], rounds, (name) => timeEdits(editors.get(name)!, task));
    const best = ({ name }: Editor): number => bestOf((times[name] ?? []).flat());
    const others = Object.fromEntries(peers.map((peer) => [peer.name, best(peer)]));
    rows.push(toRow(task.what, 'ms, best', best(haft), others, atMost(task.limitMs, 'ms')));
  }
  return rows;
}

async function timeEdits(editor: Editor, { file, oldText, edits, isInMemory }: Task): Promise<readonly number[]> {
  using folder = isInMemory === true && existsSync(memory) ? makeFolder(memory) : makeFolder();
  const path = join(folder.path, 'file.ts');
  const times: number[] = [];
  for (let index = 0; index < edits; index += 1) {
    writeFileSync(path, file);
    const edit = await editor.open(path);
    const start = performance.now();
    const says = await edit([{ oldText, newText: `  replaced(${index});\n` }], false);
    times.push(performance.now() - start);
    if (says !== file.includes(oldText)) throw new Error(`${editor.name} reported ${says} for an edit that is timed`);
  }
  return times;
}
