import { toolError, type ToolError } from '@haft/core';
import { computeFileDiff } from '@haft/sandbox';
import type { ReadRecord } from './read-tracker.ts';

const longestPatch = 4_000;

/** What is said when a file is no longer what the model saw: with the change as a diff, where it is still known. */
export function changedOnDisk(shown: string, seen: ReadRecord, now: string): ToolError {
  const change =
    seen.text === undefined
      ? ''
      : computeFileDiff({ path: shown, before: seen.text, after: now, maxPatchCharacters: longestPatch }).patch;
  const message = `${shown} changed since you last read it${change === '' ? '' : `:\n${change.trimEnd()}`}`;
  return toolError('CHANGED_ON_DISK', message, {
    hint: `Call read with path "${shown}" again, then repeat the change on what it holds now.`,
    details: { path: shown },
  });
}

/** What is said of a new text that leaves parts out. */
export function elision(argument: string, line: string): ToolError {
  return toolError(
    'INVALID_ARGS',
    `${argument} leaves text out: ${JSON.stringify(line)} would stand in the file as it is`,
    {
      hint: `Write out everything in ${argument}. To change a part of a file use edit with only the lines around the change.`,
    },
  );
}

/** What is said when a file would be changed unseen. */
export function notRead(shown: string, action: string): ToolError {
  return toolError('NOT_READ', `${shown} exists and has not been read in this session`, {
    hint: `Call read with path "${shown}" first, then ${action}.`,
    details: { path: shown },
  });
}
