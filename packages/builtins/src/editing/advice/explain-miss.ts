import { failure, toolError, type ToolError, type ToolResult } from '@haft/core';
import { lineNumbersAt } from '../../files/text-lines.ts';
import { findClosestRegion } from './closest-region.ts';
import type { LocateFailure } from '../matching/locate-edit.ts';

/** A text without a match, and where it was searched. */
export interface Missed {
  readonly missed: LocateFailure;
  /** The searched text. */
  readonly text: string;
  readonly oldText: string;
  /** The path of the argument with the wanted text: `old_text`, `edits[2].old_text`. */
  readonly argument: string;
  /** The file in the form for models, with a note if `text` is not its current content. */
  readonly shown: string;
  readonly path: string;
}

/** Explains why a text has no unique match: the lines of all matches, or the closest one as a diff. */
export function explainMiss(callId: string, miss: Missed): ToolResult {
  const { missed, text, argument, shown, path } = miss;
  if (missed.reason === 'ambiguous') return failure(callId, severalPlaces(missed.starts, miss));
  const closest = findClosestRegion(text, miss.oldText);
  const error = toolError('TEXT_NOT_FOUND', `${argument} does not occur in ${shown}`, {
    hint: closest
      ? `Copy ${argument} from the lines shown that begin with "+" or a blank, without that character, or read the file again.`
      : `Call read with path "${path}" and copy ${argument} from what it shows.`,
    details: {
      path,
      ...(closest
        ? { firstLine: closest.firstLine, lastLine: closest.lastLine, alike: closest.alike, looked: closest.looked }
        : {}),
    },
  });
  if (!closest) return failure(callId, error);
  const { firstLine, lastLine, alike, looked, diff } = closest;
  const content = [
    `The closest match is lines ${firstLine}-${lastLine} (${alike} of ${looked} lines alike). "-" is the text you gave, "+" is the file:`,
    `--- ${argument}`,
    `+++ ${shown}`,
    diff,
  ].join('\n');
  return failure(callId, error, { content });
}

function severalPlaces(starts: readonly number[], { text, argument, shown, path }: Missed): ToolError {
  const lines = [...new Set(lineNumbersAt(text, starts))];
  const listed =
    lines.length > 10 ? `${lines.slice(0, 10).join(', ')} and ${lines.length - 10} more` : lines.join(', ');
  return toolError(
    'TEXT_MULTIPLE_MATCHES',
    `${argument} occurs ${starts.length} times in ${shown}, at lines ${listed}`,
    {
      hint: `Add the lines around it to ${argument} until it is unique, or set replace_all to true to change all of them.`,
      details: { path, matches: starts.length, lines: lines.slice(0, 100) },
    },
  );
}
