import { toolError, type ToolError } from '@haft/core';
import type { LocatedEdit } from '../matching/locate-edit.ts';

/** Whether a text matched exactly. An exact match proves that the model knows the file. */
export function isCertain({ match, needle }: LocatedEdit): boolean {
  return needle === 'as written' && (match === 'exact' || match === 'line endings');
}

/** Returns the notes for a text that matched only after normalization. */
export function adviseOnMatch({ match, needle }: LocatedEdit, argument: string): readonly string[] {
  const differences = [
    match === 'exact' || match === 'line endings' ? '' : match,
    needle === 'as written' ? '' : needle,
  ].filter((text) => text !== '');
  return differences.length === 0
    ? []
    : [`${argument} did not match exactly (${differences.join('; ')}); the file's own formatting was kept.`];
}

/** Rejects the texts of an edit if they are wrong for any file. */
export function refuseTexts(
  oldText: string,
  newText: string,
  { argument, shown }: { readonly argument: string; readonly shown: string },
): ToolError | undefined {
  if (oldText === '') {
    return toolError('INVALID_ARGS', `${argument} is empty`, {
      hint: `Copy the text to replace from ${shown}. To insert, repeat a line of the file in both texts. To create a file use write; to add to its end use append.`,
    });
  }
  return oldText === newText ? noChange(shown) : undefined;
}

/** Creates the error for an edit that changes nothing. */
export function noChange(shown: string): ToolError {
  return toolError('NO_CHANGE', `the edit would not change ${shown}`, {
    hint: 'Write a new text that differs from the old one, or continue if the file is already right.',
  });
}
