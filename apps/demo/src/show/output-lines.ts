import { type ToolResult } from '@haft/core';
import { renderPart } from '@haft/core/results';
import { showable } from './showable.ts';
import { cutToWidth, visibleWidth } from './wrap-line.ts';

/** How much of the output of calls is shown. */
export type OutputExtent = 'none' | 'short' | 'whole';

/** Lines of the tool's answer; empty if the diff shows it already. */
export function outputLines(result: ToolResult): readonly string[] {
  if (result.diff) return [];
  return result.content.flatMap((part) => showable(renderPart(part)).replace(/\n$/, '').split('\n'));
}

/** A success is shown from both ends: a list begins with its first entries, and a command ends with its summary. */
const shownAtStart = 3;
const shownAtEnd = 2;
const shownOfFailure = 12;
const shownCharacters = 200;

/**
 * Returns the beginning and the end of a call's output, with each line cut to the width. For a failed call, returns only
 * the end, where commands report errors. Empty if the call has nothing to show.
 */
export function outputPreview(result: ToolResult, width: number): readonly string[] {
  const lines = wholeOutput(result);
  const shortened = result.ok
    ? cutLines(lines, shownAtStart, shownAtEnd, '')
    : cutLines(lines, 0, shownOfFailure, ' above');
  return shortened.map((line) => shorten(line, result.ok ? width : shownCharacters));
}

/** The output of a call without blank lines around it. Empty for a success without output. */
export function wholeOutput(result: ToolResult): readonly string[] {
  const lines = outputLines(result).map((line) => line.replaceAll('\t', '    ').trimEnd());
  const first = lines.findIndex((line) => line !== '');
  const shown = first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
  return result.ok && shown.length === 1 && shown[0] === '(no output)' ? [] : shown;
}

function cutLines(lines: readonly string[], start: number, end: number, where: string): readonly string[] {
  const left = lines.length - start - end;
  // A single line takes no more room than the line that would count it.
  if (left <= (start > 0 ? 1 : 0)) return lines;
  const note = `… ${left} more ${left === 1 ? 'line' : 'lines'}${where}`;
  return [...lines.slice(0, start), note, ...lines.slice(-end)];
}

function shorten(line: string, width: number): string {
  const room = Math.max(1, width - 1);
  // Combining marks have no width, so a line of many would not be cut.
  const start = line.slice(0, room * maxUnitsPerColumn);
  return start.length < line.length || visibleWidth(start) > width ? `${cutToWidth(start, room)}…` : line;
}

/** UTF-16 code units that are shown in one column. Emoji that are joined from several have most. */
const maxUnitsPerColumn = 12;
