import { failure, success, toolError, type AnyTool, type ToolError, type ToolResult } from '@haft/core';
import { decodeText, detectEncoding, hashContent, isBinary, openConfined, type ConfinedFile } from '@haft/sandbox';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { basicPreference, defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { toFileError } from '../../files/file-errors.ts';
import { showAnchored, type HashLength } from '../../editing/anchors/line-anchor.ts';
import { fileKey } from '../../definition/footprint-keys.ts';
import type { ImageSizer } from '../../files/media/image-sizer.ts';
import { detectMedia } from '../../files/media/present-media.ts';
import { readMedia } from '../../files/media/read-media.ts';
import { fileAliases } from '../../definition/path-aliases.ts';
import { createReadTracker, type ReadTracker } from '../../files/read-tracker.ts';
import { binaryFile } from '../../files/text-file.ts';
import { readsFiles } from '../../definition/tool-traits.ts';
import { suggestPaths } from '../../files/find-similar-paths.ts';
import { saysGenerated } from '../../files/says-generated.ts';
import { streamWindow, takeWindow, type ReadWindow, type WindowRequest } from './read-window.ts';

const wholeFileBytes = 10_000_000;
const sniffedBytes = 65_536;
/** Number of bytes needed to detect the type of a binary file. */
const mediaBytes = 4_096;
const maxLines = 2_000;

const input = z.strictObject({
  path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
  offset: z
    .int()
    .optional()
    .describe('The first line to read, counted from 1. Negative: that many lines before the end. Default 1.'),
  limit: z.int().min(1).optional().describe('How many lines to read, at most 2000. Default 2000.'),
  end_line: z
    .int()
    .min(1)
    .optional()
    .describe('The last line to read, counted from 1, instead of limit. Not with a negative offset.'),
  hash_len: z
    .union([z.literal(3), z.literal(4)])
    .optional()
    .describe(
      'Show each line as "NUMBER:HASH→TEXT", with a hash of this many digits: anchors for edit and delete_range.',
    ),
});

/**
 * Creates the `read` tool, which returns numbered lines of a text file, one window at a time.
 *
 * @example
 * import { createReadTool } from '@haft/builtins';
 * createReadTool().name; // => 'read'
 */
export function createReadTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const readTracker = dependencies.readTracker ?? createReadTracker();
  return defineBuiltin('createReadTool', dependencies, {
    name: 'read',
    title: 'Read a file',
    description:
      'Reads a text file and returns its lines, each as "NUMBER→TEXT" (the number and the arrow are not part of the file). ' +
      'Read a file before you edit or overwrite it. For a long file pass offset and limit; the result says how to continue. Images, audio and PDFs are returned as media. ' +
      'To list a folder use ls, to search in files use grep.',
    input,
    kind: 'read',
    preference: basicPreference,
    traits: readsFiles,
    aliases: {
      path: fileAliases,
      offset: ['start_line', 'startLine', 'line_start'],
      limit: ['max_lines', 'line_count', 'num_lines'],
      end_line: ['endLine', 'line_end'],
    },
    footprint: ({ path }, cwd) => ({ reads: [fileKey(cwd, path)] }),
    check: checkRange,
    initialTitle: ({ path, offset }) => `Read ${path}${offset === undefined ? '' : ` from line ${offset}`}`,
    run: (args, call) => read(args, call, readTracker, dependencies.images),
  });
}

async function read(
  args: z.output<typeof input>,
  { context, workspace, place: placeOf }: BuiltinCall,
  readTracker: ReadTracker,
  images: ImageSizer | undefined,
): Promise<ToolResult> {
  const place = placeOf(args.path);
  const { path, shown } = place;
  const opened = await openConfined(workspace.readRoots, path, place);
  if (!opened.ok) {
    const error = await toFileError(opened, 'read', place);
    return failure(context.callId, await suggestPaths(error, workspace, path));
  }
  try {
    const media = detectMedia(await opened.read(0, mediaBytes));
    if (media) return await readMedia(opened, media, { callId: context.callId, shown, images });
    const request = requestOf(args);
    const content =
      opened.size <= wholeFileBytes
        ? await readWhole(opened, request)
        : await readLarge(opened, request, context.signal);
    if ('reason' in content)
      return failure(
        context.callId,
        content.reason === 'binary' ? binaryFile(shown, opened.size) : tooLarge(shown, opened.size),
      );
    const { window, seen } = content;
    if (window.lines.length === 0 && window.firstLine > 1) return failure(context.callId, beyondEnd(shown, window));
    if (seen) {
      // A call that requests anchors receives new ones. The old anchors are no longer needed.
      if (args.hash_len !== undefined) readTracker.forget(context.sessionId, opened.path);
      readTracker.record(context.sessionId, opened.path, seen);
    }
    const shownLines = window.lines.length;
    return success(context.callId, render(window, args.hash_len), {
      summary: `Read: ${shown} (${describeRange(window)})`,
      effects: [{ kind: 'file', path: opened.path, op: 'read', bytesAfter: opened.size }],
      metadata: {
        path: shown,
        firstLine: window.firstLine,
        shownLines,
        totalLines: window.totalLines,
        hasMore: window.hasMore,
      },
      advisories: seen && saysGenerated(seen.text) ? [generated] : [],
    });
  } catch (error) {
    if (context.signal.aborted) throw error;
    return failure(
      context.callId,
      toolError('READ_ERROR', `can't read ${shown}: the disk failed`, { cause: error, retryable: true }),
    );
  } finally {
    opened.close();
  }
}

const generated = 'its first lines say that a program generated this file: change its source, or an edit may be lost.';

/** Validates the requested line range. */
function checkRange({ offset = 1, end_line: last }: z.output<typeof input>): readonly RangeIssue[] {
  if (last === undefined || (offset >= 0 && last >= offset)) return [];
  const expected = offset < 0 ? 'no end_line with a negative offset' : `at least ${offset}, the first line`;
  const message = `$.end_line: expected ${expected}.`;
  return [{ path: '$.end_line', code: 'custom', expected, received: String(last), message }];
}

interface RangeIssue {
  readonly path: string;
  readonly code: 'custom';
  readonly expected: string;
  readonly received: string;
  readonly message: string;
}

function requestOf({ offset, limit = maxLines, end_line: last }: z.output<typeof input>): WindowRequest {
  // Some models count lines from 0, so offset 0 means the first line.
  const first = offset === 0 ? 1 : (offset ?? 1);
  return { offset: first, limit: Math.min(limit, maxLines, last === undefined ? maxLines : last - first + 1) };
}

interface Content {
  readonly window: ReadWindow;
  readonly seen?: { readonly hash: string; readonly text: string };
}
interface Unreadable {
  readonly reason: 'binary' | 'large';
}

async function readWhole(file: ConfinedFile, request: WindowRequest): Promise<Content | Unreadable> {
  // Files such as those in /proc report a size of zero.
  const bytes = await file.read(0, file.size === 0 ? sniffedBytes : file.size);
  if (isBinary(bytes)) return { reason: 'binary' };
  const { text, lossless } = decodeText(bytes);
  if (!lossless) return { reason: 'binary' };
  return { window: takeWindow(text, request), seen: { hash: hashContent(bytes), text } };
}

async function readLarge(
  file: ConfinedFile,
  request: WindowRequest,
  signal: AbortSignal,
): Promise<Content | Unreadable> {
  const head = await file.read(0, sniffedBytes);
  if (isBinary(head)) return { reason: 'binary' };
  // A sample may end inside a character. The text up to the last line break contains only whole characters.
  const lastBreak = head.lastIndexOf(10);
  const format = detectEncoding(lastBreak === -1 ? trimPartial(head) : head.subarray(0, lastBreak + 1));
  if (format.encoding.startsWith('utf-16')) return { reason: 'large' };
  return { window: await streamWindow(file, request, format, signal) };
}

/** Removes an incomplete UTF-8 character at the end of the bytes. */
function trimPartial(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) end = bytes.length - back;
    if (byte < 0x80 || byte >= 0xc0) break;
  }
  return bytes.subarray(0, end);
}

function render(window: ReadWindow, hashLength: HashLength | undefined): string {
  if (window.lines.length === 0) return 'The file is empty.';
  const lines = window.lines.map((line, index) => {
    const whole = window.wholeLines?.[index];
    const number = window.firstLine + index;
    return hashLength === undefined || whole === undefined
      ? `${number}→${line}`
      : showAnchored(number, whole, hashLength, line);
  });
  if (hashLength !== undefined && window.wholeLines === undefined)
    lines.push('[files over 10 MB have no anchors, and cannot be edited]');
  if (window.hasMore) {
    const next = window.firstLine + window.lines.length;
    const why = window.isFull ? ' (the size limit of one answer)' : '';
    lines.push(`[${describeRange(window)}${why}; to continue, call read with offset=${next}]`);
  }
  return lines.join('\n');
}

function describeRange({ firstLine, lines, totalLines, hasMore }: ReadWindow): string {
  if (lines.length === 0) return 'empty';
  const last = firstLine + lines.length - 1;
  if (firstLine === 1 && !hasMore) return `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`;
  return `lines ${firstLine}-${last}${totalLines === undefined ? '' : ` of ${totalLines}`}`;
}

function beyondEnd(shown: string, { firstLine, totalLines = 0 }: ReadWindow): ToolError {
  return toolError(
    'INVALID_ARGS',
    `offset ${firstLine} is beyond the end of ${shown}, which has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}`,
    {
      hint: totalLines === 0 ? 'The file is empty.' : `Use an offset from 1 to ${totalLines}.`,
      details: { totalLines },
    },
  );
}

function tooLarge(shown: string, size: number): ToolError {
  return toolError(
    'FILE_TOO_LARGE',
    `${shown} has ${size} bytes, and a file in UTF-16 can only be read up to ${wholeFileBytes}`,
    {
      hint: 'Convert a copy with bash first: iconv -f utf-16 -t utf-8.',
      details: { bytes: size },
    },
  );
}
