import type { JsonObject } from '@haft/repair';

import { writeKeywords } from '../calls/notations.ts';
import type { Mention } from './write-mentions.ts';
import { writeYaml } from './write-yaml.ts';

const firstKey = (value: JsonObject): string => Object.keys(value)[0] ?? 'value';
const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const withoutFences = (text: string): string => text.replaceAll('```', "'''");

/** Texts that resemble labelled and YAML calls, without a real call. */
export const labelledMentions: readonly Mention[] = [
  {
    name: 'the format in YAML',
    write: ({ name, arguments: value }, random) =>
      `Calls are written in this format:\n${fence('yaml', withoutFences(`name: ${name}\narguments:\n${writeYaml(value, random, '  ')}`))}\nReplace the values with your own.`,
  },
  {
    name: 'a definition in YAML',
    write: ({ name, arguments: value }) =>
      fence(
        'yaml',
        `name: ${name}\nparameters:\n${
          Object.keys(value)
            .map((key) => `  ${key}: string`)
            .join('\n') || '  value: string'
        }`,
      ),
  },
  {
    name: 'a described definition in YAML',
    write: ({ name, arguments: value }) =>
      fence(
        'yaml',
        `- name: ${name}\n  description: What it does.\n  parameters:\n    ${firstKey(value)}:\n      type: string`,
      ),
  },
  {
    name: 'a workflow with the name of a tool',
    write: ({ name }) => fence('yaml', `name: ${name}\non: push\njobs:\n  build:\n    runs-on: ubuntu-latest`),
  },
  {
    name: 'settings under the name of a tool',
    write: ({ name, arguments: value }, random) =>
      `Put this into settings.yml:\n${fence('yaml', withoutFences(`${name}:\n${writeYaml(value, random, '  ')}`))}\nThen restart.`,
  },
  {
    name: 'settings with other keys beside the name',
    write: ({ name }) => fence('yaml', `tool: ${name}\nenabled: true\ntimeout: 30`),
  },
  {
    name: 'an entry of a manual',
    write: ({ name, arguments: value }) =>
      `Tool: ${name}\nDescription: does one thing.\nArguments: ${firstKey(value)} (required)\nReturns: the result.`,
  },
  {
    name: 'a step of a log with its result',
    write: ({ name }) => `Tool: ${name}\nResult: it failed with status 3.\n\nI would look at the status first.`,
  },
  {
    name: 'a labelled name in a table of contents',
    write: ({ name }) => `Chapter 4\n\nName: ${name}\nPage: 41\n\nThe chapter has three parts.`,
  },
  {
    name: 'the format of ReAct',
    write: ({ name }) =>
      `Use the following format:\n${fence('', `Thought: what to do\nAction: ${name}\nAction Input: the input of the action\nObservation: the result`)}\nRepeat it as often as needed.`,
  },
  {
    name: 'no action',
    write: ({ name }) => `Thought: I know it.\nAction: None\nFinal Answer: ${name} is not needed for that.`,
  },
  {
    name: 'a script with comments that shows its use',
    write: (call, random) =>
      fence(
        'python',
        `# Example usage\n${call.name}(${writeKeywords(call.arguments, random)})`.replaceAll('```', "'''"),
      ),
  },
  {
    name: 'a program with a comment and a condition',
    write: (call, random) =>
      fence(
        'python',
        `# run it once\nif ready:\n    ${call.name}(${writeKeywords(call.arguments, random)})`.replaceAll('```', "'''"),
      ),
  },
  {
    name: 'tags that name a tool in a manual',
    write: ({ name }) => `<tool>\n<name>${name}</name>\n<description>What it does.</description>\n</tool>`,
  },
  {
    name: 'a message of another protocol',
    write: ({ name, arguments: value }) =>
      `The server then receives this message:\n${fence('json', withoutFences(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: value } }, undefined, 2)))}\nand answers with the result.`,
  },
  {
    name: 'a command to type',
    write: ({ name, arguments: value }) =>
      `You can run it by hand:\n${fence(
        'bash',
        `${name} ${Object.entries(value)
          .map(([key, member]) => `--${key}=${JSON.stringify(member)}`)
          .join(' ')}`.replaceAll('```', "'''"),
      )}\nIt prints the result.`,
  },
  {
    name: 'a sentence with an assignment',
    write: ({ name, arguments: value }) =>
      `In the old version ${name} with ${firstKey(value)}=x was slow, so it was changed.`,
  },
  {
    name: 'a list of tools',
    write: ({ name }) => `I can use these tools:\n\n- ${name}: does the main work\n- others: do the rest`,
  },
];
