import { toolError, type ToolError } from '@haft/core';
import { computeFileDiff } from '@haft/sandbox';
import type { ReadRecord } from '../read-tracker.ts';

const maxPatchLength = 4_000;

/** Creates the error for a file that changed since the model saw it. It contains a diff if the old text is known. */
export function changedOnDisk(shown: string, seen: ReadRecord, now: string): ToolError {
  const change =
    seen.text === undefined
      ? ''
      : computeFileDiff({ path: shown, before: seen.text, after: now, maxPatchCharacters: maxPatchLength }).patch;
  const message = `${shown} changed since you last read it${change === '' ? '' : `:\n${change.trimEnd()}`}`;
  return toolError('CHANGED_ON_DISK', message, {
    hint: `Call read with path "${shown}" again, then repeat the change on its current content.`,
    details: { path: shown },
  });
}

/** Creates the error for a new text that omits parts of the file. */
export function elision(argument: string, line: string): ToolError {
  return toolError('INVALID_ARGS', `${argument} omits text: ${JSON.stringify(line)} would be written literally`, {
    hint: `Write out everything in ${argument}. To change a part of a file use edit with only the lines around the change.`,
  });
}

/** Creates the error for a change of a file that was not read. */
export function notRead(shown: string, action: string): ToolError {
  return toolError('NOT_READ', `${shown} exists and has not been read in this session`, {
    hint: `Call read with path "${shown}" first, then ${action}.`,
    details: { path: shown },
  });
}
