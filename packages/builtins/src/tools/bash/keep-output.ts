import { openSpill, type Spill } from '@haft/sandbox';

/** Keeps what a command writes, so that what an answer leaves out can be read later. */
export interface OutputKeeper {
  push(text: string): void;
  /** Where it was kept; undefined when it was not, or is not needed. */
  finish(isNeeded: boolean): { readonly path: string; readonly isComplete: boolean } | undefined;
}

/** As many characters are shown anyway: only what is longer goes to disk. */
const shownCharacters = 51_200;

/** Makes a keeper that writes into `folder` as the output comes; without one it keeps nothing. */
export function createOutputKeeper(folder: string | undefined): OutputKeeper {
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
