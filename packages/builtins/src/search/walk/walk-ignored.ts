import { openConfinedDirectory, type Roots } from '@haft/sandbox';
import { groupRuns } from './group-walk-runs.ts';
import { joinName } from './join-walked-name.ts';
import { createWalkReport, walkFolders, type IgnoredEntry, type WalkedFolder } from './walk-folders.ts';

/** Walks the ignored entries of another walk: the files among them, and everything below the directories. */
export async function* walkIgnored(
  roots: Roots,
  entries: readonly IgnoredEntry[],
  signal: AbortSignal,
): AsyncGenerator<WalkedFolder> {
  for (const ofFolder of groupRuns(entries, ({ folder }) => folder)) {
    const { folder: path, below } = ofFolder[0]!;
    const files = ofFolder.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name);
    const folders = ofFolder.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    const open = openConfinedDirectory(roots, path, { expectedPath: path });
    if (open.ok) {
      try {
        yield { path, below, files, folders, open };
      } finally {
        open.close();
      }
    }
    for (const name of folders) {
      const options = { noIgnore: true, below: `${below}${name}/` };
      yield* walkFolders(roots, joinName(path, name), createWalkReport(), signal, options);
    }
  }
}
