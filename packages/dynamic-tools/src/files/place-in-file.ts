import { pathToFileURL } from 'node:url';

/** A file and a line in it. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Text that may precede and follow a file name in a stack or a message. */
const before = /[\s("'`@]$/;
const after = /(?:\?[^\s:()]*)?:(\d{1,9})(?::\d+)?(?=[\s)]|$)/y;

/** Returns the first `file:line` in a text whose file is one of the given files. */
export function placeIn(text: string, files: ReadonlySet<string>): Place | undefined {
  let first: (Place & { readonly at: number }) | undefined;
  for (const file of files) {
    for (const written of [pathToFileURL(file).href, file]) {
      for (
        let at = text.indexOf(written);
        at >= 0 && at < (first?.at ?? Infinity);
        at = text.indexOf(written, at + 1)
      ) {
        after.lastIndex = at + written.length;
        const line = after.exec(text)?.[1];
        if (line === undefined || (at > 0 && !before.test(text[at - 1]!))) continue;
        first = { at, file, line: Number(line) };
      }
    }
  }
  return first && { file: first.file, line: first.line };
}
