import type { Issue } from '@haft/schema';

/** Maximum size of a body that a user can be expected to read. */
export const maxBodyBytes: number = 24 * 1024;
const maxLines = 500;
const maxLineLength = 200;
const maxBlankLines = 3;
/** Maximum size of a draft as JSON, because all of it is shown to the user. */
const maxDraftCharacters = 64 * 1024;
const maxCombiningMarks = 2;

/** Characters allowed in code. All others must be escaped, so that no letter can imitate another one. */
const notCode = /[^\n\t\x20-\x7e]/u;
/** Characters of other text that control a terminal, change the direction of text, or are invisible. */
const hidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const invisibleSpace = /[^\P{Zs}\x20]/u;
const marks = new RegExp(`\\p{M}{${maxCombiningMarks + 1},}`, 'u');

/**
 * Finds everything that could hide a part of the tool from the user: characters that hide or move text, lines and
 * sources that do not fit on a screen, and code that is pushed out of view.
 */
export function findHidden(draft: Readonly<Record<string, unknown>>): readonly Issue[] {
  const issues: Issue[] = [];
  const refuse = (path: string, expected: string, received: string, example: string): void =>
    void issues.push({
      path,
      code: 'custom',
      expected,
      received,
      message: `expected ${expected}, got ${received}`,
      example,
    });
  const { body, ...rest } = draft;
  if (typeof body === 'string') checkBody(body, refuse);
  checkTexts(rest, '$', refuse);
  const characters = (JSON.stringify(draft) ?? '').length;
  if (characters > maxDraftCharacters)
    refuse(
      '$',
      `a tool of at most ${maxDraftCharacters} characters in all`,
      `${characters} characters`,
      '{ "name": "count_words", … }',
    );
  return issues.slice(0, 20);
}

type Refuse = (path: string, expected: string, received: string, example: string) => void;

function checkBody(body: string, refuse: Refuse): void {
  const lines = body.split('\n');
  const example = '"const words = args.text.split(\\" \\");\\nreturn words.length;"';
  if (Buffer.byteLength(body) > maxBodyBytes)
    refuse('$.body', `at most ${maxBodyBytes} bytes`, `${Buffer.byteLength(body)}`, example);
  if (lines.length > maxLines) refuse('$.body', `at most ${maxLines} lines`, `${lines.length}`, example);
  let blank = 0;
  for (const [index, line] of lines.entries()) {
    const found = notCode.exec(line)?.[0];
    const place = `$.body line ${index + 1}`;
    blank = line.trim() === '' ? blank + 1 : 0;
    if (found !== undefined)
      refuse(place, 'plain ASCII, other characters as escapes', escapeOf(found), `"${escapeOf(found)}"`);
    else if (line.length > maxLineLength)
      refuse(place, `at most ${maxLineLength} characters in a line`, `${line.length}`, example);
    else if (blank > maxBlankLines) {
      refuse(place, `at most ${maxBlankLines} blank lines one after the other`, 'more', example);
      return;
    }
  }
}

function checkTexts(value: unknown, path: string, refuse: Refuse, depth = 0): void {
  if (depth > 100) return;
  if (typeof value === 'string') return checkText(value, path, refuse);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const isPlain = /^\w{1,60}$/.test(name);
    if (!isPlain) checkText(name, `${path}, the name of a member`, refuse);
    checkTexts(member, isPlain ? `${path}.${name}` : `${path}[…]`, refuse, depth + 1);
  }
}

function checkText(text: string, path: string, refuse: Refuse): void {
  const rest = text.replaceAll(/[\n\t]/g, ' ');
  const found = (hidden.exec(rest) ?? invisibleSpace.exec(rest) ?? marks.exec(rest))?.[0];
  if (found !== undefined) refuse(path, 'visible text', escapeOf(found), '"Counts the words of a text."');
  else if (/(?:[ \t]*\n){5}/.test(text) || / {80}/.test(rest))
    refuse(path, 'text without long gaps', 'many blank lines or spaces', '"Counts the words of a text."');
}

/** Formats a character as an escape that the model can write. */
function escapeOf(found: string): string {
  return Array.from(found)
    .slice(0, 3)
    .map((character) => {
      const code = character.codePointAt(0)!.toString(16);
      return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
    })
    .join('');
}

/**
 * Formats a body for the user: each line with its number, its indent and an end mark, so that no text can hide behind a
 * line or look like a line of the question.
 */
export function showBody(body: string): string {
  const lines = body.split('\n');
  const width = `${lines.length}`.length;
  const shown = lines.map((line, index) => {
    const indent = line.length - line.trimStart().length;
    return `${`${index + 1}`.padStart(width)} +${indent}| ${line.replaceAll('\t', '→')}¶`;
  });
  return [`${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${body.length} characters`, ...shown].join('\n');
}
