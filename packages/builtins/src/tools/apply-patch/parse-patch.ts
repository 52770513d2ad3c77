import { toLf } from '@haft/sandbox';
import { PatchProblem, type FilePatch, type ParsedPatch } from './file-patch.ts';
import { readEnvelope } from './read-patch-envelope.ts';
import { readUnifiedDiff } from './read-unified-diff.ts';

/**
 * Parses a patch: the `*** Begin Patch` envelope or a unified diff. A surrounding code fence or heredoc is removed. The
 * parser never guesses: a line that fits neither format is reported with its line number.
 */
export function parsePatch(patch: string): ParsedPatch {
  const lines = toLf(patch).split('\n');
  try {
    const { from, to } = unwrap(lines);
    const start = from + lines.slice(from, to).findIndex((line) => line.trim() !== '');
    if (start < from) throw new PatchProblem(1, 'the patch is empty', formHint);
    const isEnvelope = lines
      .slice(from, to)
      .some((line) => /^\s*\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/.test(line));
    const files = isEnvelope ? readEnvelope(lines, start, to) : readUnifiedDiff(lines, start, to);
    if (files.length === 0) throw new PatchProblem(start + 1, 'the patch has no files', formHint);
    return { ok: true, files };
  } catch (error) {
    if (!(error instanceof PatchProblem)) throw error;
    return { ok: false, line: error.line, problem: error.message, hint: error.hint };
  }
}

/** Returns the paths in a patch, as they are written there. */
export function pathsOf(files: readonly FilePatch[]): readonly string[] {
  return files.flatMap((file) =>
    file.kind === 'update' && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path],
  );
}

export const formHint: string =
  'Send "*** Begin Patch", then "*** Update File: PATH" with hunks of lines that begin with a blank, "-" or "+", then "*** End Patch".';

/** Returns the first and last line of the patch, without a surrounding code fence or heredoc. */
function unwrap(lines: readonly string[]): { readonly from: number; readonly to: number } {
  let from = 0;
  let to = lines.length;
  const trim = (): void => {
    while (from < to && lines[from]!.trim() === '') from += 1;
    while (to > from && lines[to - 1]!.trim() === '') to -= 1;
  };
  trim();
  for (let layer = 0; layer < 2; layer += 1) {
    const first = lines[from]?.trim() ?? '';
    const last = lines[to - 1]?.trim() ?? '';
    const word = /^(?:apply_patch\s*)?<<-?\s*(['"]?)(\w+)\1$/.exec(first)?.[2];
    const isFence = /^(`{3,}|~{3,})\w*$/.test(first) && last.length >= 3 && first.startsWith(last);
    if (!isFence && (word === undefined || last !== word)) break;
    from += 1;
    to -= 1;
    trim();
  }
  return { from, to };
}
