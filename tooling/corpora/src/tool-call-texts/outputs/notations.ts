import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';
import { writeJson, writeJsonWithPythonWords, writePython, writeTagValue } from '../calls/notations.ts';
import { pickHand, writeCode, writeParameters } from './write-code.ts';

/** One notation of the calls of a message, without the surrounding text. */
export interface Notation {
  readonly name: string;
  readonly weight: number;
  /** Whether prose may directly precede it without making it an example. */
  readonly mayFollowProse: boolean;
  /** Whether text may follow it. */
  readonly mayRunOn: boolean;
  /** The fences that may surround it; empty if it is never fenced. */
  readonly languages?: readonly string[];
  readonly single?: true;
  readonly suits?: (call: Call) => boolean;
  readonly write: (calls: readonly Call[], random: Random) => string;
}

const hasNames = ({ arguments: values }: Call): boolean =>
  Object.keys(values).every((key) => /^[A-Za-z_]\w*$/.test(key));
const isCallable = ({ name }: Call): boolean => !name.includes('-');
const code = (call: Call): boolean => hasNames(call) && isCallable(call);

/** Writes every call of a message in the same style. */
const inHand =
  (write: (calls: readonly string[], random: Random) => string, prefix: readonly string[] = ['']) =>
  (calls: readonly Call[], random: Random): string => {
    const hand = pickHand(random);
    const before = random.pick(prefix);
    return write(
      calls.map((call) => `${before}${call.name}(${writeParameters(call, hand, random)})`),
      random,
    );
  };

const object = (call: Call, random: Random): string => {
  const names = random.pick([
    ['name', 'arguments'],
    ['name', 'arguments'],
    ['name', 'parameters'],
    ['function', 'arguments'],
    ['tool', 'args'],
    ['tool_name', 'tool_input'],
    ['function_name', 'parameters'],
  ] as const);
  return writeObject(call, names, random);
};
const writeObject = (call: Call, [name, args]: readonly [string, string], random: Random): string => {
  const { arguments: values } = call;
  switch (random.pick(['json', 'json', 'python', 'python words', 'trailing comma'] as const)) {
    case 'json':
      return writeJson({ [name]: call.name, [args]: values }, random);
    case 'python':
      return writePython({ [name]: call.name, [args]: values });
    case 'python words':
      return writeJsonWithPythonWords({ [name]: call.name, [args]: values });
    default:
      return `${writeJson({ [name]: call.name, [args]: values }, random)
        .trimEnd()
        .replace(/\s*\}$/, '')},}`;
  }
};
const usual = (call: Call, random: Random): string => writeObject(call, ['name', 'arguments'], random);

const program = ['python', 'tool_code', '', 'py'];
const data = ['json', '', 'tool_call'];

/** Calls in code syntax come first, because most texts of models have them. */
export const notations: readonly Notation[] = [
  {
    name: 'code in a list',
    weight: 12,
    mayFollowProse: true,
    mayRunOn: true,
    languages: program,
    suits: code,
    write: inHand((calls) => `[${calls.join(', ')}]`, ['', '', '', 'functions.', 'tools.', 'default_api.']),
  },
  {
    name: 'code in a list over lines',
    weight: 4,
    mayFollowProse: true,
    mayRunOn: true,
    languages: program,
    suits: code,
    write: inHand((calls) => `[\n    ${calls.join(',\n    ')}\n]`),
  },
  {
    name: 'code on lines',
    weight: 8,
    mayFollowProse: true,
    mayRunOn: false,
    languages: program,
    suits: code,
    write: inHand(
      (calls, random) => calls.join(random.pick(['\n', '\n', ';\n', '\n\n', ', ', '; '])),
      ['', '', 'functions.', 'api.'],
    ),
  },
  {
    name: 'code in a numbered list',
    weight: 3,
    mayFollowProse: true,
    mayRunOn: false,
    suits: code,
    write: inHand((calls, random) => {
      const mark = random.pick([(at: number) => `${at + 1}. `, (at: number) => `${at + 1}) `, () => '- ', () => '* ']);
      const quote = random.pick(['', '', '`', '**']);
      return calls
        .map((call, at) => `${mark(at)}${call.includes('`') ? '' : quote}${call}${call.includes('`') ? '' : quote}`)
        .join('\n');
    }),
  },
  {
    name: 'statements',
    weight: 6,
    mayFollowProse: true,
    mayRunOn: false,
    // A call in a program in any other fence is not made by the model.
    languages: ['tool_code'],
    suits: code,
    write: inHand((calls, random) => {
      const around = random.pick([
        (call: string) => `print(${call})`,
        (call: string, at: number) => `result${at} = ${call}`,
        (call: string) => `await ${call}`,
        (call: string, at: number) => `r${at} = await ${call}\nprint(r${at})`,
        (call: string) => `# next\n${call}`,
        (call: string, at: number) => `result_${at}: dict = ${call}`,
      ]);
      return calls.map((call, at) => around(call, at)).join('\n');
    }),
  },
  {
    name: 'code in quotes',
    weight: 3,
    mayFollowProse: false,
    mayRunOn: false,
    suits: code,
    write: inHand((calls, random) => {
      const list = calls.length > 1 || random.chance(0.6) ? `[${calls.join(', ')}]` : (calls[0] ?? '');
      return random.chance(0.7) || list.includes('`') ? JSON.stringify(list) : `\`${list}\``;
    }),
  },
  {
    name: 'code in bold or backticks',
    weight: 3,
    mayFollowProse: false,
    mayRunOn: false,
    single: true,
    suits: (call) => code(call) && !JSON.stringify(call.arguments).includes('`'),
    write: inHand((calls, random) => {
      const mark = random.pick(['**', '`', '``', '**`']);
      return `${mark}${calls[0] ?? ''}${Array.from(mark).toReversed().join('')}`;
    }),
  },
  {
    name: 'code, one literal as the only argument',
    weight: 5,
    mayFollowProse: true,
    mayRunOn: true,
    languages: program,
    suits: isCallable,
    write: (calls, random) => {
      const hand = { ...pickHand(random), dictCalls: false };
      const stars = random.pick(['', '', '', '**']);
      return `[${calls.map((call) => `${call.name}(${stars}${writeCode(call.arguments, hand)})`).join(', ')}]`;
    },
  },
  {
    name: 'code, values by position',
    weight: 3,
    mayFollowProse: true,
    mayRunOn: true,
    languages: program,
    suits: (call) =>
      code(call) &&
      ['math.gcd', 'calculate_triangle_area', 'get_weather', 'web_search'].includes(call.name) &&
      isInOrder(call),
    write: (calls, random) => {
      const hand = pickHand(random);
      return `[${calls
        .map(
          (call) =>
            `${call.name}(${Object.values(call.arguments)
              .map((value) => writeCode(value, hand))
              .join(', ')})`,
        )
        .join(', ')}]`;
    },
  },
  {
    name: 'code in tags',
    weight: 4,
    mayFollowProse: true,
    mayRunOn: true,
    suits: code,
    write: inHand((calls, random) => {
      const [open, close] = random.pick([
        ['<tool_call>', '</tool_call>'],
        ['<tool_call>', ''],
        ['<tool_call>', '</tool_calls>'],
        ['<tool_code>\n', '\n</tool_code>'],
        ['<|python_tag|>', ''],
        ['<|python_tag|>', '<|eom_id|>'],
        ['[TOOL_CALLS]', ''],
        ['<function_calls>\n', '\n</function_calls>'],
        ['<|tool_call_start|>', '<|tool_call_end|>'],
        ['<function_call>', '</function_call>'],
      ] as const);
      return `${open}[${calls.join(', ')}]${close}`;
    }),
  },
  {
    name: 'code behind a word',
    weight: 3,
    mayFollowProse: false,
    mayRunOn: false,
    suits: code,
    write: inHand((calls, random) => {
      const label = random.pick([
        'Action: ',
        'Tool call: ',
        'Function call: ',
        '### Response:\n',
        'Answer: ',
        'assistant: ',
        'tool_code\n',
        'python\n',
        'CALL: ',
      ]);
      return label + (random.chance(0.5) ? `[${calls.join(', ')}]` : calls.join('\n'));
    }),
  },
  {
    name: 'object',
    weight: 5,
    mayFollowProse: true,
    mayRunOn: false,
    languages: data,
    single: true,
    write: ([call], random) => (call === undefined ? '' : object(call, random)),
  },
  {
    name: 'objects',
    weight: 5,
    mayFollowProse: true,
    mayRunOn: false,
    languages: data,
    write: (calls, random) => {
      const written = calls.map((call) => usual(call, random));
      return random.chance(0.6) ? `[${written.join(', ')}]` : written.join(random.pick(['\n', ',\n', '\n\n']));
    },
  },
  {
    name: 'objects in tags',
    weight: 8,
    mayFollowProse: true,
    mayRunOn: true,
    write: (calls, random) => {
      const [open, close] = random.pick([
        ['<tool_call>\n', '\n</tool_call>'],
        ['<tool_call>', '</tool_call>'],
        ['<tool_call>\n<tool_call>\n', '\n</tool_call>\n</tool_call>'],
        ['<tool_call>\n', '\n<tool_call>'],
        ['<tool_call>\n', '\n</tool_call'],
        ['<tool_call>\n', '\n</tool_response>'],
        ['<tool_call>\n', '\n<|im_end|>'],
        ['<tool_call>\n```json\n', '\n```\n</tool_call>'],
        ['<function_call>\n', '\n</function_call>'],
        ['<tools>\n', '\n</tools>'],
        ['<functioncall> ', ''],
        ['<|tool_call|>', '<|/tool_call|>'],
        ['[TOOL_CALLS] [', ']'],
        ['<|python_tag|>', ''],
        ['tool_call>\n', '\n</tool_call>'],
      ] as const);
      return calls.map((call) => `${open}${usual(call, random)}${close}`).join('\n');
    },
  },
  {
    name: 'object as a string',
    weight: 3,
    mayFollowProse: false,
    mayRunOn: false,
    single: true,
    write: ([call], random) =>
      call === undefined ? '' : JSON.stringify(writeJson({ name: call.name, arguments: call.arguments }, random)),
  },
  {
    name: 'name, then object',
    weight: 3,
    mayFollowProse: false,
    mayRunOn: false,
    single: true,
    write: ([call], random) => {
      if (call === undefined) return '';
      const args = writeJson(call.arguments, random);
      return random.pick([
        `Action: ${call.name}\nAction Input: ${args}`,
        `Thought: I need this.\nAction: ${call.name}\nAction Input: ${args}\nObservation:`,
        `<function=${call.name}>${args}</function>`,
        `${call.name}\n${args}`,
        `${call.name} ${args}`,
        `${call.name}: ${args}`,
      ]);
    },
  },
  {
    name: 'attributes',
    weight: 2,
    mayFollowProse: true,
    mayRunOn: true,
    single: true,
    suits: ({ arguments: values }) =>
      Object.values(values).every((value) => typeof value !== 'object' && !/["<>&\n]/.test(writeTagValue(value))) &&
      Object.keys(values).length > 0,
    write: ([call], random) => {
      if (call === undefined) return '';
      const attributes = Object.entries(call.arguments)
        .map(([key, value]) => `${key}="${writeTagValue(value)}"`)
        .join(' ');
      const parameters = Object.entries(call.arguments)
        .map(([key, value]) => `<parameter name="${key}">${writeTagValue(value)}</parameter>`)
        .join('\n');
      return random.pick([
        `<${call.name} ${attributes}/>`,
        `<${call.name} ${attributes}></${call.name}>`,
        `<tool_call name="${call.name}">\n${parameters}\n</tool_call>`,
        `<tool name="${call.name}">\n${parameters}\n</tool>`,
        `<invoke name="${call.name}">\n${parameters}\n</invoke>`,
      ]);
    },
  },
];

function isInOrder(call: Call): boolean {
  const orders: Readonly<Record<string, readonly string[]>> = {
    'math.gcd': ['num1', 'num2'],
    calculate_triangle_area: ['base', 'height', 'unit'],
    get_weather: ['city', 'unit', 'days'],
    web_search: ['query', 'top_k'],
  };
  const order = orders[call.name] ?? [];
  return Object.keys(call.arguments).every((key, at) => order[at] === key);
}
