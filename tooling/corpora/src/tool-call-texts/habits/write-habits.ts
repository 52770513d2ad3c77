import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';
import { writeJsonKeywords, writeKeywords, writePython } from '../calls/notations.ts';

/** A habitual form of calls that belongs to no format. */
export interface Habit {
  readonly name: string;
  /** Writes a message with the calls. Returns `undefined` if they can't be written in this form. */
  readonly write: (calls: readonly Call[], random: Random) => string | undefined;
}

const object = ({ name, arguments: value }: Call): string => JSON.stringify({ name, arguments: value });
const code = ({ name, arguments: value }: Call, random: Random): string => `${name}(${writeKeywords(value, random)})`;
const list = (calls: readonly Call[], random: Random): string =>
  `[${calls.map((call) => code(call, random)).join(', ')}]`;
const isOneLine = (text: string): boolean => !/[\n`]/.test(text);
const oneLine = (text: string): string | undefined => (isOneLine(text) ? text : undefined);
const hasText = (calls: readonly Call[], pattern: RegExp): boolean => pattern.test(JSON.stringify(calls));

const before = [
  'Here is the call:',
  'Sure, this does it:',
  'The right tool here is:',
  'Voici l’appel :',
  'Hier ist der Aufruf:',
  '**Answer:**',
] as const;
const after = [
  'It returns what you asked for.',
  'The other arguments keep their defaults.',
  'This sends the request at once.',
  'Les autres valeurs restent les mêmes.',
] as const;

/** All observed forms that can be distinguished from text that only mentions tools. */
export const habits: readonly Habit[] = [
  {
    name: 'names and keys escaped for Markdown',
    write: (calls, random) => {
      if (hasText(calls, /[\\*[\]]|\w_\w[^"]*":\{/) || hasText(calls, /"[^"]*\\/)) return undefined;
      const escaped = calls.map(({ name, arguments: value }) => {
        const keywords = Object.entries(value).map(([key, one]) => `${key.replaceAll('_', '\\_')}=${writePython(one)}`);
        return `${name.replaceAll('_', '\\_')}(${keywords.join(', ')})`;
      });
      return random.chance(0.5) ? `[${escaped.join(', ')}]` : escaped.join('\n');
    },
  },
  {
    name: 'calls as strings in a list',
    write: (calls, random) => {
      const texts = calls.map((call) => `${call.name}(${writeJsonKeywords(call.arguments)})`);
      return random.pick([
        JSON.stringify(texts),
        JSON.stringify(texts, undefined, 2),
        `\`\`\`json\n${JSON.stringify(texts)}\n\`\`\``,
      ]);
    },
  },
  {
    name: 'template tokens where tags belong',
    write: (calls, random) => {
      const token = random.pick(['<|im_start|>', '<|eot_id|>', '<?xml ?>', '<|end_header_id|>']);
      return calls.map((call) => `${token}\n${object(call)}\n`).join('') + token;
    },
  },
  {
    name: 'the first fence decides',
    write: (calls, random) => {
      const text = list(calls, random);
      return isOneLine(text)
        ? `\`\`\`python\n${text}\n\`\`\`\n\n### Instruction:\nAnd now the other one?\n\n### Response:\n\`\`\`python\n${text}\n\`\`\``
        : undefined;
    },
  },
  {
    name: 'a list on its own lines',
    write: (calls, random) => {
      const text = oneLine(list(calls, random));
      return text && `${random.pick(before)}\n\n${text}\n\n${random.pick(after)}`;
    },
  },
  {
    name: 'objects in groups on their own lines',
    write: (calls, random) =>
      `${calls.map((call) => `${random.pick(before)}\n\n[${object(call)}]\n\n`).join('')}${random.pick(after)}`,
  },
  {
    name: 'pairs of name and arguments',
    write: (calls) =>
      calls.some(({ arguments: value }) => Object.keys(value).length === 0) || hasText(calls, /["\\]\w|\(/)
        ? undefined
        : `[${calls.map(({ name, arguments: value }) => `('${name}', ${writePython(value)})`).join(', ')}]`,
  },
  {
    name: 'results put together',
    write: (calls, random) => {
      const text = calls.map((call) => code(call, random)).join(' + ');
      return isOneLine(text) ? random.pick([`[${text}]`, `[${text}][0]["value"]`]) : undefined;
    },
  },
  {
    name: 'a fence amid prose',
    write: (calls, random) => {
      const text = oneLine(list(calls, random));
      return (
        text &&
        `${random.pick(before)}\n\n\`\`\`${random.pick(['python', 'tools', ''])}\n${text}\n\`\`\`\n\n${random.pick(after)}`
      );
    },
  },
  {
    name: 'a call opens the message',
    write: (calls, random) => {
      const [call] = calls;
      const text = call && oneLine(code(call, random));
      return calls.length === 1 && text ? `${text}\n\n${random.pick(after)}` : undefined;
    },
  },
  {
    name: 'arguments in one keyword',
    write: (calls) =>
      calls.some(({ arguments: value }) => Object.keys(value).length === 0)
        ? undefined
        : `[${calls.map(({ name, arguments: value }) => `${name}(params=${writePython(value)})`).join(', ')}]`,
  },
  {
    name: 'arguments beside the name',
    write: (calls) =>
      calls.some(
        ({ arguments: value }) =>
          Object.keys(value).some((key) => ['name', 'id', 'type', 'input'].includes(key)) ||
          Object.keys(value).length === 0,
      )
        ? undefined
        : JSON.stringify(calls.map(({ name, arguments: value }) => ({ name, ...value }))),
  },
  {
    name: 'the batch said again',
    write: (calls) => {
      const isMixed = new Set(calls.map(object)).size > 1;
      const tags = calls.map((call) => `<tool_call>\n${object(call)}\n</tool_call>\n`).join('');
      return isMixed ? tags + tags : undefined;
    },
  },
  {
    name: 'quoted names',
    write: (calls, random) =>
      `[${calls.map(({ name, arguments: value }) => `'${name}'(${writeKeywords(value, random)})`).join(', ')}]`,
  },
  {
    name: 'a foreign prefix',
    write: (calls, random) =>
      `[${calls.map((call) => `${call.name.includes('.') ? '' : 'workspace.'}${code(call, random)}`).join(', ')}]`,
  },
  {
    name: 'other keys',
    write: (calls) => JSON.stringify(calls.map(({ name, arguments: value }) => ({ func: name, kwargs: value }))),
  },
  {
    name: 'stray closers',
    write: (calls, random) => {
      const text = oneLine(list(calls, random));
      return text && `${text}${random.pick([')', ']'])}`;
    },
  },
  {
    name: 'backticks in a list',
    write: (calls, random) => {
      const texts = calls.map((call) => code(call, random));
      return texts.every(isOneLine) ? `[${texts.map((text) => `\`${text}\``).join(', ')}]` : undefined;
    },
  },
];
