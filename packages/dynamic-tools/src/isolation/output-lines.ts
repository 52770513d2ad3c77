/** Cuts what a process prints into lines for people, of which no flood comes through. */
export interface OutputLines {
  feed(text: string): void;
}

const maxLine = 2_000;
/** Lines of one second. */
const mostLines = 100;

/** @param hear is told each line; those beyond a hundred a second are counted and not told. */
export function createOutputLines(hear: (line: string) => void, now: () => number = Date.now): OutputLines {
  let rest = '';
  let since = now();
  let told = 0;
  let dropped = 0;
  const tell = (line: string): void => {
    if (now() - since >= 1_000) {
      since = now();
      told = 0;
      if (dropped > 0) hear(`(${dropped} more lines)`);
      dropped = 0;
    }
    told += 1;
    if (told > mostLines) dropped += 1;
    else hear(line.slice(0, maxLine));
  };
  return {
    feed(text) {
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(-maxLine);
      for (const line of lines) if (line.trim() !== '') tell(line.replace(/\r$/, ''));
    },
  };
}
