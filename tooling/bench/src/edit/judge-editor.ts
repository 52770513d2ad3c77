import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EditCase, EditOutcome } from '@haft-tooling/corpora/edits';
import { makeFolder } from '@haft-tooling/measure';
import type { Editor } from '@haft-tooling/peers/edits/editors';

/** The outcome of one editor for the cases of one category. */
export type Tally = Readonly<Record<EditOutcome, number>> & {
  /** Files that changed although the editor reported no change. */
  readonly touched: number;
};

/** Runs an editor on every case, each in a file of its own, and compares the bytes. */
export async function judgeEditor(editor: Editor, cases: readonly EditCase[]): Promise<Tally> {
  using folder = makeFolder();
  const tally = { right: 0, wrong: 0, refused: 0, touched: 0 };
  for (const [index, one] of cases.entries()) {
    if (one.all && !editor.replacesAll) continue;
    const path = join(folder.path, `file${index}.txt`);
    writeFileSync(path, one.file);
    const edit = await editor.open(path);
    const says = await edit(one.edits, one.all);
    const bytes = readFileSync(path);
    if (says) tally[one.expected !== null && bytes.equals(one.expected) ? 'right' : 'wrong'] += 1;
    else {
      tally.refused += 1;
      if (!bytes.equals(one.file)) tally.touched += 1;
    }
    rmSync(path);
  }
  return tally;
}
