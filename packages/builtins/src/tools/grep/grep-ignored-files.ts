import type { BuiltinCall } from '../../definition/define-builtin.ts';
import type { PatternRunner } from '../../search/text/text-search-runner.ts';
import { startSearchTime } from '../../search/limit-search-time.ts';
import type { WalkReport } from '../../search/walk/walk-folders.ts';
import { walkIgnored } from '../../search/walk/walk-ignored.ts';
import type { IgnoredFindings } from '../../search/search-notes.ts';
import { searchFolders } from './grep-files.ts';
import { type FileSearch } from './grep-file-search.ts';

/** Maximum time to search ignored files, in milliseconds. */
export const maxIgnoredMs = 2_000;
const enoughFiles = 20;

/** Searches ignored files for a short time, so that the result can mention matches there when nothing else matches. */
export async function searchIgnored(
  search: FileSearch,
  walk: WalkReport,
  title: string,
  { context, workspace }: Pick<BuiltinCall, 'context' | 'workspace'>,
  runner: PatternRunner,
): Promise<IgnoredFindings> {
  const isTimeOver = startSearchTime(context, maxIgnoredMs);
  let matched = 0;
  const isOver = (): boolean => isTimeOver() || matched >= enoughFiles || search.isOver();
  const found = await searchFolders(
    {
      ...search,
      query: { ...search.query, isFirstEnough: true, keep: 0 },
      maxFiles: enoughFiles,
      isOver,
      onMatch: () => (matched += 1),
    },
    walkIgnored(workspace.readRoots, walk.ignoredEntries, context.signal),
    { walk, title },
    workspace,
    context,
    runner,
  );
  const isPartial = found.gaps.isPartial || walk.ignored > walk.ignoredEntries.length;
  return { paths: found.files.map(({ path }) => path), isPartial };
}
