import { openSpill, type Spill } from '@haft/sandbox';

/** Stores the output of a command, so that omitted parts can be read later. */
export interface OutputRecorder {
  push(text: string): void;
  /** Returns the stored file, or undefined if nothing was stored or the file is not needed. */
  finish(isNeeded: boolean): { readonly path: string; readonly isComplete: boolean } | undefined;
}

/** Shorter output is shown completely and is not written to disk. */
const shownCharacters = 51_200;

/** Creates a recorder that writes output to `folder` as it arrives. Without a folder, it stores nothing. */
export function createOutputRecorder(folder: string | undefined): OutputRecorder {
  let beginning = '';
  let spill: Spill | undefined;
  let isOff = folder === undefined;
  return {
    push(text) {
      if (isOff) return;
      if (spill) {
        spill.push(text);
        return;
      }
      beginning += text;
      if (beginning.length > shownCharacters) begin();
    },
    finish(isNeeded) {
      if (isNeeded && !spill && !isOff) begin();
      if (!isNeeded) spill?.discard();
      if (!spill || !isNeeded) return undefined;
      spill.close();
      return { path: spill.path, isComplete: spill.isComplete };
    },
  };

  function begin(): void {
    const opened = openSpill(folder!);
    isOff = !opened.ok;
    if (opened.ok) {
      spill = opened;
      spill.push(beginning);
    }
    beginning = '';
  }
}
