import { type ToolResult } from '@haft/core';
import { renderPart } from '@haft/core/results';
import { showable } from './showable.ts';

/** Lines of the tool's answer; empty if the diff shows it already. */
export function outputLines(result: ToolResult): readonly string[] {
  if (result.diff) return [];
  return result.content.flatMap((part) => showable(renderPart(part)).replace(/\n$/, '').split('\n'));
}

const shownLines = 12;
const shownCharacters = 200;

/** The end of a failed call's output, where commands report the error. Empty for a success. */
export function failureOutputLines(result: ToolResult): readonly string[] {
  if (result.ok) return [];
  const lines = outputLines(result);
  const left = lines.length - shownLines;
  const above = left > 0 ? [`… ${left} more ${left === 1 ? 'line' : 'lines'} above`] : [];
  return [...above, ...lines.slice(-shownLines).map(shorten)];
}

function shorten(line: string): string {
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
}
