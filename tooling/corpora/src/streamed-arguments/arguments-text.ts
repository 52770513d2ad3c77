/** The content of the streamed arguments: one long text, or many small objects. */
export type ArgumentsShape = 'one long text' | 'many edits';

export const argumentsShapes: readonly ArgumentsShape[] = ['one long text', 'many edits'];

const lines = [
  'import { readFile } from "node:fs/promises";',
  '',
  'export async function count(path: string): Promise<number> {',
  "  const text = await readFile(path, 'utf8'); // C:\\temp\\a.txt, {not json}",
  '  return text.split(/\\r?\\n/).filter((line) => line !== "").length;',
  '}',
  '/* Für ältere Dateien: 了解しました 😀 */',
];

/** Creates valid arguments of a tool as a model writes them, with about the requested number of characters. */
export function writeArguments(shape: ArgumentsShape, characters: number): string {
  return JSON.stringify(shape === 'one long text' ? makeFile(characters) : makeEdits(characters));
}

/** Cuts a text into chunks of one length. */
export function cutEvenly(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

function makeFile(characters: number): object {
  const block = `${lines.join('\n')}\n`;
  const length = JSON.stringify(block).length - 2;
  return { path: 'src/count.ts', content: block.repeat(Math.max(1, Math.floor(characters / length))), mode: 'create' };
}

function makeEdits(characters: number): object {
  const edits: object[] = [];
  let length = 0;
  for (let line = 1; length < characters; line += 1) {
    const edit = { line, old: lines[line % lines.length], new: `// ${line}`, ok: line % 3 === 0 };
    edits.push(edit);
    length += JSON.stringify(edit).length + 1;
  }
  return { path: 'src/count.ts', edits };
}
