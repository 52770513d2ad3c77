import { writeKeywords } from '../calls/notations.ts';
import type { Habit } from './write-habits.ts';
import { writeYaml } from './write-yaml.ts';

const before = ['I will look that up.', 'Einen Moment bitte.', 'まず確認します。', 'Sure:'] as const;
const after = ['That is all I need.', 'Danach melde ich mich.', 'I will report back.'] as const;
const isOneLine = (text: string): boolean => !/[\n`]/.test(text);

/** Calls on labelled lines, in YAML, in ReAct, and in the formats of some families with one of their habits. */
export const labelledHabits: readonly Habit[] = [
  {
    name: 'labels before the name and the arguments',
    write: (calls, random) => {
      const [tool, args] = random.pick([
        ['Tool', 'Arguments'],
        ['Function', 'Parameters'],
        ['Action', 'Input'],
        ['tool', 'args'],
      ] as const);
      return calls
        .map(({ name, arguments: value }) => `${tool}: ${name}\n${args}: ${JSON.stringify(value)}`)
        .join('\n\n');
    },
  },
  {
    name: 'labels in bold',
    write: (calls, random) => {
      const text = calls
        .map(
          ({ name, arguments: value }) =>
            `**Tool:** \`${name}\`\n**Arguments:**\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\``,
        )
        .join('\n\n');
      return JSON.stringify(calls).includes('```') ? undefined : `${random.pick(before)}\n\n${text}`;
    },
  },
  {
    name: 'YAML in a fence',
    write: (calls, random) => {
      const item = calls.length === 1 ? '' : '- ';
      const indent = ' '.repeat(item.length);
      const [tool, args] = random.pick([
        ['name', 'arguments'],
        ['tool', 'args'],
        ['function', 'parameters'],
      ] as const);
      const items = calls.map(({ name, arguments: value }) =>
        Object.keys(value).length === 0
          ? `${item}${tool}: ${name}\n${indent}${args}: {}`
          : `${item}${tool}: ${name}\n${indent}${args}:\n${writeYaml(value, random, `${indent}  `)}`,
      );
      if (JSON.stringify(calls).includes('```')) return undefined;
      const fence = `\`\`\`${random.pick(['yaml', 'yml', ''])}\n${items.join('\n')}\n\`\`\``;
      return random.pick([fence, `${random.pick(before)}\n\n${fence}\n\n${random.pick(after)}`]);
    },
  },
  {
    name: 'YAML without a fence',
    write: (calls, random) => {
      const [call] = calls;
      if (call === undefined || calls.length > 1 || Object.keys(call.arguments).length === 0) return undefined;
      const yaml = `name: ${call.name}\narguments:\n${writeYaml(call.arguments, random, '  ')}`;
      return random.pick([`${yaml}\n`, `${random.pick(before)}\n\n${yaml}\n`]);
    },
  },
  {
    name: 'YAML with the arguments beside the name',
    write: (calls, random) => {
      const [call] = calls;
      const keys = Object.keys(call?.arguments ?? {});
      const isPlain = keys.length > 0 && !keys.some((key) => ['id', 'type', 'index', 'tool'].includes(key));
      if (call === undefined || calls.length > 1 || !isPlain || JSON.stringify(call).includes('```')) return undefined;
      return `\`\`\`yaml\ntool: ${call.name}\n${writeYaml(call.arguments, random, '')}\n\`\`\``;
    },
  },
  {
    name: 'ReAct in a fence',
    write: (calls, random) => {
      const [call] = calls;
      if (call === undefined || calls.length > 1) return undefined;
      const thought = random.pick(['', 'Thought: one call is enough.\n']);
      const end = random.pick(['', '\nObservation:']);
      const fence = `\`\`\`\n${thought}Action: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}${end}\n\`\`\``;
      return random.pick([fence, `${random.pick(before)}\n\n${fence}\n\n${random.pick(after)}`]);
    },
  },
  {
    name: 'a list behind the label of Command-R, and prose',
    write: (calls, random) =>
      `Action: \`\`\`json\n${JSON.stringify(
        calls.map(({ name, arguments: value }) => ({ tool_name: name, parameters: value })),
        undefined,
        4,
      )}\n\`\`\`\n\n${random.pick(after)}`,
  },
  {
    name: 'a comment above the call in a fence',
    write: (calls, random) => {
      const lines = calls.map(({ name, arguments: value }) => `${name}(${writeKeywords(value, random)})`);
      if (!lines.every(isOneLine) || calls.some(({ name }) => name.includes('-'))) return undefined;
      return `\`\`\`python\n${lines.map((line) => `# one step\n${line}`).join('\n')}\n\`\`\``;
    },
  },
  {
    name: 'tags for the name and the arguments',
    write: (calls, random) => {
      const [tag, args] = random.pick([
        ['name', 'arguments'],
        ['tool_name', 'parameters'],
      ] as const);
      return calls
        .map(
          ({ name, arguments: value }) =>
            `<tool_call>\n<${tag}>${name}</${tag}>\n<${args}>${JSON.stringify(value)}</${args}>\n</tool_call>`,
        )
        .join('\n');
    },
  },
  {
    name: 'an opening tag that is not closed',
    write: (calls) =>
      calls.map(({ name, arguments: value }) => `<function=${name}${JSON.stringify(value)}></function>`).join('\n'),
  },
  {
    name: 'wrappers of vendors',
    write: ([call, ...others], random) =>
      call === undefined || others.length > 0
        ? undefined
        : JSON.stringify(
            random.pick([
              { functionCall: { name: call.name, args: call.arguments } },
              { toolUse: { toolUseId: 't1', name: call.name, input: call.arguments } },
              { tool_uses: [{ recipient_name: `functions.${call.name}`, parameters: call.arguments }] },
            ]),
          ),
  },
  {
    name: 'a message of another type than JSON',
    write: (calls) =>
      calls
        .map(
          ({ name, arguments: value }) =>
            `<|channel|>commentary to=functions.${name} code<|message|>${JSON.stringify(value)}<|call|>`,
        )
        .join(''),
  },
];
