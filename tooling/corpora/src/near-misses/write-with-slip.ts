import type { Random } from '../random.ts';

/** Writes a value as JSON with an unambiguous slip. Returns `undefined` if the value does not support the slip. */
type WriteWithSlip = (value: unknown, random: Random) => string | undefined;

/** Syntax slips in addition to a near miss. */
export const slips: Readonly<Record<string, WriteWithSlip>> = {
  'with a comma too many': (value) => {
    const text = JSON.stringify(value);
    return text === '{}' ? undefined : text.replace(/\}$/, ',}');
  },
  'in a code fence': (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``,
  'with keys without quotes': (value) => writeKeysBare(value),
  'with the words of Python': (value) => {
    const text = JSON.stringify(value);
    // `None` in place of a declared text could be that text. Readers of Python differ here, so the slip would be
    // ambiguous.
    if (text.includes('null')) return undefined;
    const written = text.replaceAll(/"(?:[^"\\]|\\.)*"|true|false/g, (token) => pythonWords.get(token) ?? token);
    return written === text ? undefined : written;
  },
  'as a string of JSON': (value) => JSON.stringify(JSON.stringify(value)),
};

const pythonWords = new Map([
  ['true', 'True'],
  ['false', 'False'],
]);

function writeKeysBare(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeKeysBare).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, part]) => {
    return `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${writeKeysBare(part)}`;
  });
  return `{${members.join(', ')}}`;
}
