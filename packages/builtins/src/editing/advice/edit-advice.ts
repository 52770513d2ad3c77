import { toolError, type ToolError } from '@haft/core';
import type { LocatedEdit } from '../matching/locate-edit.ts';

/** Whether a text matched exactly, which shows that the model knows the file. */
export function isCertain({ match, needle }: LocatedEdit): boolean {
  return needle === 'as written' && (match === 'exact' || match === 'line endings');
}

/** The notes for a text that was found in another form than it was written. */
export function adviseOnMatch({ match, needle }: LocatedEdit, argument: string): readonly string[] {
  const differences = [
    match === 'exact' || match === 'line endings' ? '' : match,
    needle === 'as written' ? '' : needle,
  ].filter((text) => text !== '');
  return differences.length === 0
    ? []
    : [`${argument} did not match to the letter (${differences.join('; ')}); the file's own formatting was kept.`];
}

/** Refuses texts of an edit that are wrong whatever the file holds. */
export function refuseTexts(
  oldText: string,
  newText: string,
  { argument, shown }: { readonly argument: string; readonly shown: string },
): ToolError | undefined {
  if (oldText === '') {
    return toolError('INVALID_ARGS', `${argument} is empty`, {
      hint: `Copy the text to replace from ${shown}. To insert, take a line as ${argument} and repeat it in the new text with what is new. To make a file use write, to add at its end use append.`,
    });
  }
  return oldText === newText ? noChange(shown) : undefined;
}

/** The error for an edit that changes nothing. */
export function noChange(shown: string): ToolError {
  return toolError('NO_CHANGE', `the edit would leave ${shown} as it is`, {
    hint: 'The new text must differ from the old one. If the file is as you want it already, go on.',
  });
}
