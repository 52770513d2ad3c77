import type { JsonObject, JsonValue } from '@haft/repair';

import type { Random } from '../../random.ts';
import type { Call } from '../calls/call.ts';
import { writeYaml } from './write-yaml.ts';

/** Text that looks like a call and cannot be run. */
interface UnreadText {
  readonly text: string;
  readonly language?: string;
  /** The name in the text, if it differs from the name of the call. */
  readonly named?: string;
}

interface Unread {
  readonly name: string;
  /** Returns `undefined` if a call can't be written in this form. */
  readonly write: (call: Call, random: Random) => UnreadText | undefined;
}

const plain = (value: JsonValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/[\n`]+/g, ' ');
const oneLine = (value: JsonValue): string => JSON.stringify(value).replaceAll('`', "'");
const hasArguments = ({ arguments: value }: Call): boolean => Object.keys(value).length > 0;
const isShort = ({ arguments: value }: Call): boolean => JSON.stringify(value).length < 120;
const first = (value: JsonObject): readonly [string, JsonValue] => Object.entries(value)[0] ?? ['', ''];

/** Forms that are ambiguous, or that also occur in programs and settings. Each is reported, and none is run. */
export const unread: readonly Unread[] = [
  {
    name: 'a command with options',
    write: (call) =>
      hasArguments(call) && isShort(call)
        ? {
            language: 'bash',
            text: `${call.name} ${Object.entries(call.arguments)
              .slice(0, 3)
              .map(([key, value]) => `--${key} ${oneLine(value)}`)
              .join(' ')}`,
          }
        : undefined,
  },
  {
    name: 'a command with a prompt',
    write: (call) => (hasArguments(call) ? { text: `$ ${call.name} "${plain(first(call.arguments)[1])}"` } : undefined),
  },
  {
    name: 'assignments behind the name',
    write: (call) =>
      hasArguments(call) && isShort(call) && !/[({<]/.test(plain(call.arguments).slice(1))
        ? {
            text: `${call.name} ${Object.entries(call.arguments)
              .map(([key, value]) => `${key}=${oneLine(value)}`)
              .join(' ')}`,
          }
        : undefined,
  },
  {
    name: 'YAML under the name',
    write: (call, random) =>
      hasArguments(call)
        ? {
            language: 'yaml',
            text: `${call.name}:\n${writeYaml(call.arguments, random, '  ')}`.replaceAll('```', "'''"),
          }
        : undefined,
  },
  {
    name: 'YAML with a tool that was not offered',
    write: (call, random) =>
      hasArguments(call)
        ? {
            language: 'yaml',
            named: `${call.name}_v9`,
            text: `tool: ${call.name}_v9\narguments:\n${writeYaml(call.arguments, random, '  ')}`.replaceAll(
              '```',
              "'''",
            ),
          }
        : undefined,
  },
  {
    name: 'an object with a tool that was not offered',
    write: (call) => ({
      language: 'json',
      named: `${call.name}_v9`,
      text: oneLine({ name: `${call.name}_v9`, arguments: call.arguments }),
    }),
  },
  {
    name: 'a name in brackets',
    write: (call) =>
      hasArguments(call)
        ? { text: `Action: ${call.name}[${plain(first(call.arguments)[1]).replaceAll(']', '')} x]` }
        : undefined,
  },
  {
    name: 'labels without an object',
    write: (call) =>
      hasArguments(call) ? { text: `Tool: ${call.name}\nInput: ${plain(first(call.arguments)[1])}` } : undefined,
  },
  {
    name: 'TOML',
    write: (call) =>
      hasArguments(call)
        ? {
            language: 'toml',
            text: `name = "${call.name}"\n[arguments]\n${Object.entries(call.arguments)
              .map(([key, value]) => `${key} = ${oneLine(value)}`)
              .join('\n')}`,
          }
        : undefined,
  },
  {
    name: 'attributes of another tag',
    write: (call) =>
      hasArguments(call)
        ? {
            language: 'xml',
            text: `<step tool="${call.name}" ${first(call.arguments)[0]}="${plain(first(call.arguments)[1]).replaceAll(/["<>]/g, '')}"/>`,
          }
        : undefined,
  },
  {
    name: 'the name in a tag',
    write: (call) =>
      hasArguments(call)
        ? {
            language: 'xml',
            text: `<step><tool>${call.name}</tool><${first(call.arguments)[0]}>${plain(first(call.arguments)[1])}</${first(call.arguments)[0]}></step>`,
          }
        : undefined,
  },
  {
    name: 'a list of Lisp',
    write: (call) =>
      hasArguments(call)
        ? { text: `(${call.name} "${plain(first(call.arguments)[1]).replaceAll(/[()"]/g, '')}")` }
        : undefined,
  },
  {
    name: 'another key for the name',
    write: (call) =>
      isShort(call) ? { language: 'json', text: oneLine({ uses: call.name, with: call.arguments }) } : undefined,
  },
];
