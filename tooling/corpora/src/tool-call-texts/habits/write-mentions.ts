import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';
import { writeKeywords } from '../calls/notations.ts';

/** A message that shows or mentions a call without making one. */
export interface Mention {
  readonly name: string;
  readonly write: (call: Call, random: Random) => string;
}

const object = ({ name, arguments: value }: Call): string => JSON.stringify({ name, arguments: value });
const code = ({ name, arguments: value }: Call, random: Random): string =>
  `${name}(${writeKeywords(value, random)})`.replaceAll(/\s*\n\s*/g, ' ').replaceAll('`', "'");

/** Texts that resemble the habitual forms, without a real call. */
export const mentions: readonly Mention[] = [
  {
    name: 'signature with escapes',
    write: ({ name }) => `Of ${name.replaceAll('_', '\\_')}(first, second), only the first is required.`,
  },
  {
    name: 'placeholders as strings',
    write: ({ name, arguments: value }) => `['${name}(${Object.keys(value)[0] ?? 'value'}=<your value>)']`,
  },
  {
    name: 'variables as strings',
    write: ({ name, arguments: value }) => `["${name}(${Object.keys(value)[0] ?? 'value'}=user_value)"]`,
  },
  {
    name: 'a hypothetical tool',
    write: (call, random) =>
      `If there were a tool for that, the call would look like this:\n\n[${code(call, random)}]\n\nAs it is, I cannot help.`,
  },
  {
    name: 'no tool suits',
    write: (call, random) =>
      `No tool here answers that. You could use one like this:\n\n[${code(call, random)}]\n\nIt does something else.`,
  },
  {
    name: 'how it would be called',
    write: (call, random) =>
      `Here's how you would call it:\n\n\`\`\`python\n${code(call, random)}\n\`\`\`\n\nReplace the values with your own.`,
  },
  {
    name: 'a sentence that begins with a call',
    write: (call, random) => `${code(call, random)} is the tool for that, but it is closed today.`,
  },
  {
    name: 'data under the name of a tool',
    write: ({ name }) => JSON.stringify([{ name, height: 2.4, colour: 'grey' }]),
  },
  {
    name: 'a definition',
    write: ({ name }) =>
      JSON.stringify([
        { name, description: 'What it does.', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
      ]),
  },
  {
    name: 'a tagged definition',
    write: ({ name }) =>
      `<tool_call>{'name': '${name}', 'description': 'It does.', 'parameters': {'type': 'object', 'properties': {}}}</tool_call>`,
  },
  {
    name: 'a function that returns a call',
    write: (call, random) =>
      `\`\`\`python\ndef run():\n    return ${code(call, random)}\n\`\`\`\n\nCopy this into your script.`,
  },
  { name: 'a comparison with a result', write: (call, random) => `[${code(call, random)}][0].value == 4` },
  {
    name: 'a quotation on its own lines',
    write: (call, random) => `The page says:\n\n[${code(call, random)}]\n\nI leave that alone.`,
  },
  {
    name: 'an entry of a log',
    write: (call, random) => `The log contains this line:\n\n${code(call, random)}\n\nIt failed.`,
  },
  {
    name: 'a warning',
    write: (call, random) => `Never write this:\n\n[${code(call, random)}]\n\nIt deletes everything.`,
  },
  {
    name: 'two ways to choose from',
    write: (call, random) =>
      `You can use either:\n\n\`\`\`json\n${object(call)}\n\`\`\`\n\nor:\n\n\`\`\`python\n${code(call, random)}\n\`\`\`\n\nWhich one do you prefer?`,
  },
  { name: 'an offer', write: (call) => `If you'd like, I can do that next:\n\n${object(call)}` },
  {
    name: 'a labelled example in tags',
    write: (call) => `Here's an example:\n\n<tool_call>${object(call)}</tool_call>`,
  },
  {
    name: 'dots for values',
    write: ({ name, arguments: value }) =>
      `${name}(${
        Object.keys(value)
          .map((key) => `${key}=...`)
          .join(', ') || '...'
      })`,
  },
  {
    name: 'an example in Spanish',
    write: (call, random) => `Por ejemplo:\n\n[${code(call, random)}]\n\nAsí se escribe.`,
  },
  {
    name: 'an example in German',
    write: (call, random) => `Zum Beispiel:\n\n\`\`\`python\n${code(call, random)}\n\`\`\`\n\nSo sieht das aus.`,
  },
  {
    name: 'a comment of HTML',
    write: (call) =>
      `<!-- ${object(call).replace('"arguments"', '"parameters"').replace('{"name"', '{"description": "What it does.", "name"')} -->`,
  },
  { name: 'a mention in a table', write: ({ name }) => `| tool | call |\n|---|---|\n| ${name} | \`${name}(…)\` |` },
  {
    name: 'a question whether',
    write: (call, random) => `I would run this:\n\n[${code(call, random)}]\n\nShould I go ahead?`,
  },
];
