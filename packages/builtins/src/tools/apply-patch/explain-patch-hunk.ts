import { failure, toolError, type ToolResult } from '@haft/core';
import { explainMiss } from '../../editing/advice/explain-miss.ts';
import type { PatchHunk } from './file-patch.ts';
import type { UnpatchedText } from './patch-text.ts';

/** Explains why a hunk has no unique match: with the lines of all matches, or with the closest match as a diff. */
export function explainHunk(
  callId: string,
  shown: string,
  text: string,
  hunks: readonly PatchHunk[],
  { index, miss }: UnpatchedText,
): ToolResult {
  const hunk = hunks[index]!;
  const argument = `hunk ${index + 1} of ${shown} (line ${hunk.patchLine} of the patch)`;
  const details = { path: shown, hunk: index + 1, patchLine: hunk.patchLine };
  if (miss.reason === 'overlap') {
    const hint = `Join it with the hunk that changes the same lines of ${shown}.`;
    return failure(
      callId,
      toolError('INVALID_ARGS', `${argument} overlaps another hunk; no file was changed`, { hint, details }),
    );
  }
  if (miss.reason === 'nothing-to-find') {
    const hint = 'Add the lines above and below the change to the hunk, each after a blank.';
    return failure(
      callId,
      toolError('INVALID_ARGS', `${argument} has only added lines; no file was changed`, { hint, details }),
    );
  }
  const explained = explainMiss(callId, {
    missed:
      miss.reason === 'ambiguous'
        ? { ok: false, reason: 'ambiguous', starts: miss.starts, match: 'exact' }
        : { ok: false, reason: 'not-found' },
    text,
    oldText: hunk.oldLines.join('\n'),
    argument,
    shown,
    path: shown,
  });
  if (explained.ok) return explained;
  const { error } = explained;
  return {
    ...explained,
    error: {
      ...error,
      message: `${error.message}; no file was changed`,
      hint:
        miss.reason === 'ambiguous'
          ? 'Add more lines around the change to the hunk, or "@@ " and a line above it, such as the first line of its function.'
          : `Send the patch again with the current lines of ${shown}: those shown with "+" or a blank. Those shown with "-" are not in the file.`,
      details: { ...error.details, ...details },
    },
  };
}
