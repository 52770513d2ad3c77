import type { JsonObject, JsonValue } from '@haft/repair';

import { writePythonString } from '../../damaged-json/damages/style.ts';
import type { Random } from '../../random.ts';
import { textOf, unitsOf, writeTokens } from '../../json-documents/tokens.ts';

/** JSON in one of the layouts that models use. */
export function writeJson(value: JsonValue, random: Random): string {
  const spacing = random.pick(['compact', 'spaced', 'spaced', '  '] as const);
  return textOf(writeTokens(value, { spacing, ascii: random.chance(0.1) }));
}

/** JSON with `True`, `False` and `None`. */
export function writeJsonWithPythonWords(value: JsonValue): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  const tokens = writeTokens(value, { spacing: 'spaced', ascii: false });
  return tokens.map(({ kind, text }) => (kind === 'word' ? (words[text] ?? text) : text)).join('');
}

/** JSON whose texts contain unescaped line breaks. */
export function writeJsonWithRawLines(value: JsonValue): string {
  const tokens = writeTokens(value, { spacing: 'spaced', ascii: false });
  return tokens
    .map(({ kind, text }) =>
      kind === 'string'
        ? `"${unitsOf(text)
            .map((unit) => (unit === '\\n' ? '\n' : unit))
            .join('')}"`
        : text,
    )
    .join('');
}

/** A literal as Python's `repr` writes it. */
export function writePython(value: JsonValue): string {
  if (typeof value === 'string') return writePythonString(value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writePython).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${writePythonString(key)}: ${writePython(member)}`)
    .join(', ')}}`;
}

/** Keyword arguments: `path='a', line=2`. Texts are in double quotes half of the time. */
export function writeKeywords(value: JsonObject, random: Random): string {
  const double = random.chance(0.5);
  return Object.entries(value)
    .map(
      ([key, member]) =>
        `${key}=${double && typeof member === 'string' ? JSON.stringify(member) : writePython(member)}`,
    )
    .join(', ');
}

/** Keyword arguments with `true`, `false` and `null`: `hourly=true`. */
export function writeJsonKeywords(value: JsonObject): string {
  return Object.entries(value)
    .map(([key, member]) => `${key}=${JSON.stringify(member)}`)
    .join(', ');
}

/** Bare keys, and texts between special marks: `{path:<|"|>a<|"|>,line:2}`. */
export function writeMarkedLiteral(value: JsonValue, mark: string): string {
  if (typeof value === 'string') return mark + value + mark;
  if (Array.isArray(value)) return `[${value.map((item) => writeMarkedLiteral(item, mark)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}:${writeMarkedLiteral(member, mark)}`)
    .join(',')}}`;
}

/** A value in tags: texts unchanged, all other values as JSON. */
export function writeTagValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A YAML block with indented lines. */
export function writeYaml(value: JsonValue, indent: string): string {
  if (typeof value === 'string') return writeYamlText(value, indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every((item) => typeof item !== 'object')) return JSON.stringify(value);
    return value.map((item) => `\n${indent}- ${writeYaml(item, `${indent}  `).trimStart()}`).join('');
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  return members
    .map(([key, member]) =>
      `\n${indent}${writeYamlKey(key)}: ${writeYaml(member, `${indent}  `)}`.replace(/: \n/, ':\n'),
    )
    .join('');
}

function writeYamlKey(key: string): string {
  return /^[A-Za-z_$][\w.$-]*$/.test(key) ? key : JSON.stringify(key);
}

function writeYamlText(text: string, indent: string): string {
  // A block scalar keeps lines unchanged unless one begins with white space that could be confused with the indent.
  const isBlock = /^\S[^\t]*\n/.test(text) && !/[^\n -~]/.test(text) && !/\n{2}$/.test(text) && !/[ ]\n/.test(text);
  if (isBlock) {
    const lines = text.replace(/\n$/, '').split('\n');
    return `|${text.endsWith('\n') ? '' : '-'}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`;
  }
  const isPlain = /^[A-Za-z][\w ]*\w$/.test(text) && !/^(?:true|false|null|yes|no|on|off|none|n|y)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
