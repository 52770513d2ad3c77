import { PatchProblem, type FilePatch, type PatchHunk } from './file-patch.ts';

type Marker =
  | { readonly kind: 'begin' | 'end' | 'end-of-file' }
  | { readonly kind: 'add' | 'update' | 'delete' | 'move'; readonly path: string };

const file = { 'Add File': 'add', 'Update File': 'update', 'Delete File': 'delete', 'Move to': 'move' } as const;

/**
 * Parses `*** Begin Patch` … `*** End Patch` in the given lines. Whitespace around markers is ignored. Throws a
 * `PatchProblem`.
 */
export function readEnvelope(lines: readonly string[], from: number, to: number): readonly FilePatch[] {
  const files: FilePatch[] = [];
  let at = from;
  const markerOf = createMarkerReader(lines.slice(from, to));
  if (markerOf(lines[at])?.kind === 'begin') at += 1;
  for (;;) {
    while (at < to && lines[at]!.trim() === '') at += 1;
    if (at >= to) {
      throw new PatchProblem(
        to,
        'the patch ends without "*** End Patch": it may have been cut off',
        'Send the whole patch again, with "*** End Patch" as its last line.',
      );
    }
    const marker = markerOf(lines[at]);
    if (marker?.kind === 'end') break;
    const isFile = marker?.kind === 'add' || marker?.kind === 'update' || marker?.kind === 'delete';
    if (!isFile || !('path' in marker)) {
      throw new PatchProblem(
        at + 1,
        `${JSON.stringify(lines[at]!.slice(0, 80))} is not the header of a file`,
        'Begin each file with "*** Update File: PATH", "*** Add File: PATH" or "*** Delete File: PATH".',
      );
    }
    if (marker.path === '') {
      throw new PatchProblem(
        at + 1,
        'the file has no path',
        'Write the path after the colon: "*** Update File: src/a.ts".',
      );
    }
    const end = findNextFile(lines, at + 1, to, markerOf);
    const body = { lines, from: at + 1, to: end, markerOf };
    if (marker.kind === 'add') files.push({ kind: 'add', path: marker.path, content: readAdded(body) });
    else if (marker.kind === 'delete') files.push(readDeleted(body, marker.path));
    else files.push(readUpdated(body, marker.path, at + 1));
    at = end;
  }
  const rest = lines.slice(at + 1, to).findIndex((line) => line.trim() !== '');
  if (rest !== -1) {
    throw new PatchProblem(
      at + rest + 2,
      'there is text after "*** End Patch"',
      'Put all files of the patch before "*** End Patch", and send nothing after it.',
    );
  }
  return files;
}

type MarkerReader = (line: string | undefined) => Marker | undefined;

interface Body {
  readonly markerOf: MarkerReader;
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

const marked = /^(\s*)\*\*\* ?(Begin Patch|End Patch|End of File|(Add File|Update File|Delete File|Move to):(.*))\s*$/;

/**
 * Creates a reader for markers. A marker is not indented, or has the same indent as the first two markers of the patch.
 * Any other indented line is content of a hunk.
 */
function createMarkerReader(patch: readonly string[]): MarkerReader {
  const first = patch.filter((line) => marked.test(line)).slice(0, 2);
  const indentations = new Set(['', ...first.map((line) => marked.exec(line)![1]!)]);
  return (line) => {
    const found = marked.exec(line ?? '');
    if (!found || !indentations.has(found[1]!)) return undefined;
    if (found[2] === 'Begin Patch') return { kind: 'begin' };
    if (found[2] === 'End Patch') return { kind: 'end' };
    if (found[2] === 'End of File') return { kind: 'end-of-file' };
    return { kind: file[found[3] as keyof typeof file], path: unquote((found[4] ?? '').trim()) };
  };
}

function findNextFile(lines: readonly string[], from: number, to: number, markerOf: MarkerReader): number {
  for (let at = from; at < to; at += 1) {
    const kind = markerOf(lines[at])?.kind;
    if (kind !== undefined && kind !== 'end-of-file' && kind !== 'move') return at;
  }
  return to;
}

function readAdded({ lines, from, to }: Body): string {
  const end = trimEnd(lines, from, to);
  const content: string[] = [];
  for (let at = from; at < end; at += 1) {
    const line = lines[at]!;
    if (line.startsWith('+')) content.push(line.slice(1));
    else if (line.trim() === '') content.push('');
    else {
      throw new PatchProblem(
        at + 1,
        `${JSON.stringify(line.slice(0, 80))} of an added file does not begin with "+"`,
        'Begin every line of an added file with "+".',
      );
    }
  }
  return content.length === 0 ? '' : `${content.join('\n')}\n`;
}

function readDeleted({ lines, from, to }: Body, path: string): FilePatch {
  const rest = lines.slice(from, to).findIndex((line) => line.trim() !== '');
  if (rest === -1) return { kind: 'delete', path, hunks: [] };
  throw new PatchProblem(
    from + rest + 1,
    `"*** Delete File: ${path}" is followed by lines`,
    'Remove the lines after it, or use "*** Update File".',
  );
}

function readUpdated({ lines, from, to, markerOf }: Body, path: string, patchLine: number): FilePatch {
  let at = from;
  while (at < to && lines[at]!.trim() === '') at += 1;
  const move = markerOf(lines[at]);
  const moveTo = move?.kind === 'move' && 'path' in move ? move.path : undefined;
  if (moveTo !== undefined) at += 1;
  if (moveTo === '') throw new PatchProblem(at, 'the move has no path', 'Write the new path after "*** Move to:".');
  const hunks = readHunks({ lines, from: at, to, markerOf });
  if (hunks.length === 0 && moveTo === undefined) {
    throw new PatchProblem(
      patchLine,
      `"*** Update File: ${path}" has no changes`,
      'Give a hunk: "@@", then lines that begin with a blank, "-" or "+".',
    );
  }
  return { kind: 'update', path, hunks, ...(moveTo === undefined ? {} : { moveTo }) };
}

function readHunks({ lines, from, to, markerOf }: Body): readonly PatchHunk[] {
  const end = trimEnd(lines, from, to);
  const hunks: PatchHunk[] = [];
  let headers: string[] = [];
  let oldLines: string[] = [];
  let newLines: string[] = [];
  let isAtEnd = false;
  let start = from;
  const close = (next: number): void => {
    if (oldLines.length + newLines.length > 0)
      hunks.push({ headers, oldLines, newLines, isAtEnd, patchLine: start + 1 });
    else if (headers.length > 0 && lines[next]?.startsWith('@@') !== true) {
      throw new PatchProblem(
        start + 1,
        'a hunk is empty',
        'Give lines that begin with a blank, "-" or "+" below "@@".',
      );
    }
    if (oldLines.length + newLines.length > 0) headers = [];
    oldLines = [];
    newLines = [];
    isAtEnd = false;
    start = next;
  };
  for (let at = from; at < end; at += 1) {
    const line = lines[at]!;
    if (line.startsWith('@@')) {
      close(at);
      const header = line
        .slice(2)
        .replace(/^ /, '')
        .replace(/\s*@@\s*$/, '')
        .trimEnd();
      // Line ranges of a unified diff may be outdated. Only the lines decide.
      const isRange = /^-\d+(?:,\d+)? \+\d+/.test(header);
      if (header !== '' && !isRange) headers.push(header);
      continue;
    }
    if (markerOf(line)?.kind === 'end-of-file') {
      isAtEnd = true;
      close(at + 1);
      continue;
    }
    if (line.startsWith('+')) newLines.push(line.slice(1));
    else if (line.startsWith('-')) oldLines.push(line.slice(1));
    else {
      // Models often omit the leading space of a blank line or of a line without indent.
      const kept = line.startsWith(' ') ? line.slice(1) : line;
      oldLines.push(kept);
      newLines.push(kept);
    }
  }
  close(end);
  return hunks;
}

/** Removes blank lines before the next marker, which are not part of the hunk. */
function trimEnd(lines: readonly string[], from: number, to: number): number {
  let end = to;
  while (end > from && lines[end - 1] === '') end -= 1;
  return end;
}

function unquote(path: string): string {
  return /^(["'`]).*\1$/.test(path) && path.length > 2 ? path.slice(1, -1) : path;
}
