import type { Machine } from '../machine/machine.ts';
import { depthAt } from '../machine/string-token.ts';
import { indentationOf } from '../lookahead/laid-out-end.ts';

/** Number of characters of an unfinished string that are kept, because its end may be found in them. */
const sight = 1_024;
/** Minimum number of characters to drop at once: fewer would not be worth a copy of the remaining text. */
const minCut = 256;

/**
 * Keeps a machine's text short while it grows. Drops text that was read, so that a push takes time in proportion to its
 * chunk. Stores the text that a second reading of a string may need.
 */
export interface Window {
  /** Drops text that is no longer needed. */
  readonly trim: () => void;
  /** Restores dropped text when a string begins again. */
  readonly restore: () => void;
}

/** Creates the window that belongs to one machine. */
export function createWindow(machine: Machine): Window {
  let aside: string[] = [];
  let asideStart = -1;
  return {
    trim: () => {
      const { token } = machine;
      let cut = Math.min(machine.at, machine.lastStart) - 2;
      if (token !== undefined) {
        cut = token.role === 'key' || token.end !== -1 ? token.start : Math.min(token.run, token.at - sight);
      } else if (machine.last !== 'number' && machine.last !== 'word') {
        cut = machine.at - 2;
      }
      if (cut < minCut) return;
      if (token === undefined || token.start >= cut) {
        aside = [];
      } else {
        if (asideStart !== token.start) aside = [];
        aside.push(machine.text.slice(0, cut));
        depthAt(machine, token, cut);
        token.indentation ??= indentationOf(machine.text, token);
      }
      machine.text = machine.text.slice(cut);
      shift(machine, -cut);
      asideStart = machine.token?.start ?? -1;
    },
    restore: () => {
      if (machine.token === undefined || machine.token.at >= 0) return;
      const before = aside.join('');
      aside = [];
      asideStart = -1;
      machine.text = before + machine.text;
      shift(machine, before.length);
    },
  };
}

function shift(machine: Machine, by: number): void {
  const { token } = machine;
  machine.at += by;
  machine.lastStart += by;
  if (machine.rootEnd !== -1) machine.rootEnd += by;
  machine.finds.clear();
  for (const frame of machine.frames) {
    frame.start += by;
    // The exact offset does not matter, only whether it is -1 (no open comma).
    if (frame.comma !== -1) frame.comma = Math.max(0, frame.comma + by);
  }
  if (token === undefined) return;
  for (const field of ['start', 'begin', 'run', 'at', 'counted'] as const) token[field] += by;
  for (const field of ['maybe', 'probable', 'end', 'resume'] as const) if (token[field] !== -1) token[field] += by;
}
