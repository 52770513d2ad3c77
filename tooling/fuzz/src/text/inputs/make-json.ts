import type { Random } from '@haft-tooling/corpora/random';

const strings = [
  '',
  'a',
  'path',
  'hello world',
  '"',
  '\\',
  '\n',
  '{',
  '}',
  '","',
  '": ',
  "it's",
  '// x',
  '#',
  '```',
  '</tool_call>',
];
const rare = [
  ', "a": 1',
  ']',
  '\u0000',
  '\u2028',
  'é',
  '漢字',
  '\ud83d\ude00',
  '\ud83d',
  'C:\\new\\table',
  '__proto__',
  'constructor',
  'true',
];
const numbers = [
  '0',
  '-0',
  '1',
  '42',
  '-7',
  '0.5',
  '-12.25',
  '1e5',
  '2E-3',
  '9007199254740993',
  '1e400',
  '123456.789',
  '1.0',
];
const spaces = ['', ' ', '\n', '\n  ', '\t', '\r\n', '  '];

/**
 * Writes a valid JSON document that uses all features of JSON: unusual spacing, escapes, strings that look like
 * structure.
 */
export function makeJson(random: Random, depth = 3): string {
  const space = random.chance(0.7) ? '' : random.pick(spaces);
  return `${space}${random.chance(0.7) ? writeObject(random, depth, space) : writeList(random, depth, space)}${space}`;
}

function writeValue(random: Random, depth: number, space: string): string {
  if (depth > 0 && random.chance(0.15)) return writeObject(random, depth - 1, space);
  if (depth > 0 && random.chance(0.15)) return writeList(random, depth - 1, space);
  if (random.chance(0.55)) return writeString(random);
  return random.chance(0.6) ? random.pick(numbers) : random.pick(['true', 'false', 'null']);
}

function writeObject(random: Random, depth: number, space: string): string {
  const members = Array.from(
    { length: random.whole(0, 4) },
    () => `${writeString(random)}${space}:${space}${writeValue(random, depth, space)}`,
  );
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

function writeList(random: Random, depth: number, space: string): string {
  const items = Array.from({ length: random.whole(0, 4) }, () => writeValue(random, depth, space));
  return `[${space}${items.join(`${space},${space}`)}${space}]`;
}

function writeString(random: Random): string {
  let text = '';
  for (let parts = random.whole(1, 3); parts > 0; parts -= 1) text += random.pick(random.chance(0.8) ? strings : rare);
  const written = JSON.stringify(text);
  return random.chance(0.1)
    ? written.replace(/[a-z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)
    : written;
}
