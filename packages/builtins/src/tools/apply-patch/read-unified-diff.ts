import { PatchProblem, type FilePatch, type PatchHunk } from './file-patch.ts';
import { readGitPath } from './read-patch-path.ts';

const range = /^@@+ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const hint = 'Send "--- a/PATH", "+++ b/PATH", then hunks that begin with "@@ -1,3 +1,4 @@" or "@@".';

interface Headers {
  oldPath?: string | null;
  newPath?: string | null;
  renameFrom?: string;
  renameTo?: string;
  isGit: boolean;
  line: number;
}

/** Parses a unified diff, as written by `diff -u` and `git diff`, in the given lines. Throws a `PatchProblem`. */
export function readUnifiedDiff(lines: readonly string[], from: number, to: number): readonly FilePatch[] {
  const files: FilePatch[] = [];
  let headers: Headers | undefined;
  let hunks: PatchHunk[] = [];
  const finish = (): void => {
    if (headers) files.push(toFile(headers, hunks));
    headers = undefined;
    hunks = [];
  };
  for (let at = from; at < to;) {
    const line = lines[at]!;
    if (line.startsWith('diff --git ')) {
      finish();
      headers = { isGit: true, line: at + 1 };
      at += 1;
    } else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true) {
      if (headers?.oldPath !== undefined || hunks.length > 0) finish();
      headers ??= { isGit: false, line: at + 1 };
      const isGit =
        headers.isGit ||
        (/^--- (?:"?a\/|\/dev\/null)/.test(line) && /^\+\+\+ (?:"?b\/|\/dev\/null)/.test(lines[at + 1]!));
      headers.oldPath = readGitPath(line.slice(4), isGit);
      headers.newPath = readGitPath(lines[at + 1]!.slice(4), isGit);
      at += 2;
    } else if (line.startsWith('@@')) {
      if (headers?.oldPath === undefined) throw new PatchProblem(at + 1, 'a hunk has no file', hint);
      const read = readHunk(lines, at, to);
      hunks.push(read.hunk);
      at = read.next;
    } else if (headers?.isGit === true && hunks.length === 0) {
      readGitHeader(headers, line, at);
      at += 1;
    } else if (line.trim() === '' || /^(?:Index: |={3,}$)/.test(line)) at += 1;
    else throw new PatchProblem(at + 1, `${JSON.stringify(line.slice(0, 80))} is not a line of a patch`, hint);
  }
  finish();
  return files;
}

function readGitHeader(headers: Headers, line: string, at: number): void {
  if (line.startsWith('rename from ')) headers.renameFrom = readGitPath(line.slice(12), false) ?? '';
  else if (line.startsWith('rename to ')) headers.renameTo = readGitPath(line.slice(10), false) ?? '';
  else if (/^(?:GIT binary patch|Binary files )/.test(line)) {
    throw new PatchProblem(
      at + 1,
      'the patch changes a binary file',
      'Only text files can be patched. Use bash for others.',
    );
  } else if (/^(?:new file|new|old|deleted file) mode 1[26]0000|^copy (?:from|to) /.test(line)) {
    throw new PatchProblem(
      at + 1,
      'the patch creates a link, a submodule or a copy',
      'Only regular files can be patched.',
    );
  } else if (
    !/^(?:index |similarity |dissimilarity |new file mode |deleted file mode |old mode |new mode |$)/.test(line)
  ) {
    throw new PatchProblem(at + 1, `${JSON.stringify(line.slice(0, 80))} is not a line of a patch`, hint);
  }
}

function toFile({ oldPath, newPath, renameFrom, renameTo, line }: Headers, hunks: readonly PatchHunk[]): FilePatch {
  const from = renameFrom ?? oldPath;
  const to = renameTo ?? newPath;
  if (from === undefined || to === undefined)
    throw new PatchProblem(line, 'the patch has no files and no changes', hint);
  if (from === null && to === null) throw new PatchProblem(line, 'both sides are /dev/null', hint);
  if (from === null) return { kind: 'add', path: to!, content: contentOf(hunks, line) };
  if (to === null) return { kind: 'delete', path: from, hunks };
  if (hunks.length === 0 && from === to) throw new PatchProblem(line, `the patch does not change ${from}`, hint);
  return { kind: 'update', path: from, hunks, ...(from === to ? {} : { moveTo: to }) };
}

function contentOf(hunks: readonly PatchHunk[], line: number): string {
  if (hunks.some(({ oldLines }) => oldLines.length > 0)) {
    throw new PatchProblem(
      line,
      'a new file has unchanged or removed lines',
      'Begin every line of a new file with "+".',
    );
  }
  const lines = hunks.flatMap(({ newLines }) => newLines);
  const end = hunks.at(-1)?.finalBreak?.after === false ? '' : '\n';
  return lines.length === 0 ? '' : `${lines.join('\n')}${end}`;
}

/**
 * Parses one hunk. Models often get the line counts wrong, so the counts determine the end only if the lines agree with
 * them.
 */
function readHunk(
  lines: readonly string[],
  at: number,
  to: number,
): { readonly hunk: PatchHunk; readonly next: number } {
  const counts = range.exec(lines[at]!);
  const header = counts ? '' : lines[at]!.slice(2).replace(/@@.*$/, '').trim();
  const oldLines: string[] = [];
  const newLines: string[] = [];
  let last: 'both' | 'old' | 'new' | undefined;
  const open = { old: false, new: false };
  const wanted = counts ? { old: Number(counts[2] ?? 1), new: Number(counts[4] ?? 1) } : undefined;
  let next = at + 1;
  let blankUntil = 0;
  for (; next < to; next += 1) {
    const line = lines[next]!;
    if (line.startsWith('\\')) {
      if (last === 'both' || last === 'old') open.old = true;
      if (last === 'both' || last === 'new') open.new = true;
      continue;
    }
    const isFull = wanted !== undefined && oldLines.length >= wanted.old && newLines.length >= wanted.new;
    if (line.startsWith('@@') || line.startsWith('diff --git ')) break;
    const isLastPair = wanted?.old === oldLines.length + 1 && wanted.new === newLines.length + 1;
    // If the counts leave exactly one old and one new line, `--- a` is a removed line with the content `-- a`.
    if (beginsFile(lines, next) && !isLastPair) break;
    if (isFull && !/^[ +-]/.test(line)) break;
    if (line.startsWith('+')) {
      newLines.push(line.slice(1));
      last = 'new';
    } else if (line.startsWith('-')) {
      oldLines.push(line.slice(1));
      last = 'old';
    } else if (line.startsWith(' ') || line === '') {
      // Blank lines before the next section are separators, unless the counts include them.
      if (line === '' && (isFull || wanted === undefined) && next >= blankUntil) {
        blankUntil = skipBlankLines(lines, next, to);
        if (blankUntil === to || beginsNext(lines, blankUntil)) break;
      }
      oldLines.push(line.slice(1));
      newLines.push(line.slice(1));
      last = 'both';
    } else break;
  }
  if (oldLines.length + newLines.length === 0) throw new PatchProblem(at + 1, 'a hunk is empty', hint);
  const isOpen = open.old || open.new;
  return {
    next,
    hunk: {
      headers: header === '' || header === '...' ? [] : [header],
      oldLines,
      newLines,
      isAtEnd: isOpen,
      patchLine: at + 1,
      ...(counts ? { oldStart: Number(counts[1]) } : {}),
      ...(isOpen ? { finalBreak: { before: !open.old, after: !open.new } } : {}),
    },
  };
}

function beginsFile(lines: readonly string[], at: number): boolean {
  const isPair = lines[at]!.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true;
  return isPair && (lines[at + 2] === undefined || /^(?:@@|diff --git |\s*$)/.test(lines[at + 2]!));
}

function skipBlankLines(lines: readonly string[], at: number, to: number): number {
  let next = at;
  while (next < to && lines[next] === '') next += 1;
  return next;
}

function beginsNext(lines: readonly string[], at: number): boolean {
  return lines[at]!.startsWith('@@') || lines[at]!.startsWith('diff --git ') || beginsFile(lines, at);
}
