import { createMaterial } from '../material/material.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { makeCall, offeredTools } from './calls/call.ts';
import type { Form } from './calls/form.ts';
import { envelopeForms } from './forms/index.ts';
import { compose } from './make-texts.ts';
import { writeJson, writeKeywords } from './calls/notations.ts';
import type { TextCase } from './calls/text-case.ts';

/** The content of a message without a call. */
interface Callless {
  readonly name: string;
  /** The name in the seed, if the entry was renamed: its texts stay the same. */
  readonly seed?: string;
  readonly write: (random: Random) => string;
}

/** A call as an untagged object, as one in a tag, and in call syntax: the forms of documentation. */
function writeSamples(random: Random): { readonly object: string; readonly tagged: string; readonly literal: string } {
  const call = makeCall(random);
  const object = `{"name": "${call.name}", "arguments": ${writeJson(call.arguments, random)}}`;
  return {
    object,
    tagged: `<tool_call>\n${object}\n</tool_call>`,
    literal: `${call.name}(${writeKeywords(call.arguments, random)})`,
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');
const text = (
  random: Random,
  ...flavors: readonly Parameters<ReturnType<typeof createMaterial>['make']>[0][]
): string => createMaterial(random).make(random.pick(flavors));
const afterwards = [
  'Replace the values with your own.',
  'That is what the log had.',
  'Both forms are valid.',
  'Tell me if you want me to run it.',
] as const;

/** One call in any suitable envelope, as in a message that makes the call. */
function writeAny(random: Random, suits: (form: Form) => boolean = () => true): string {
  for (;;) {
    const form = random.pick(envelopeForms.filter(suits));
    const message = compose(form, random, 1);
    if (message !== undefined) return message.body + message.closer;
  }
}

/** Fences hold only forms without a fence. */
const isFenceable = ({ envelope }: Form): boolean =>
  !['fenced', 'cohere-legacy', 'deepseek-v3', 'call-text'].includes(envelope);

/** Messages without a call. Some look as if they contained one. */
const callless: readonly Callless[] = [
  {
    name: 'an example in a fence, explained after',
    write: (random) =>
      `The call looks like this:\n\`\`\`json\n${writeSamples(random).object}\n\`\`\`\n${random.pick(afterwards)}`,
  },
  {
    name: 'a tag in a fence, explained after',
    write: (random) => `The format is:\n\`\`\`xml\n${writeSamples(random).tagged}\n\`\`\`\n${random.pick(afterwards)}`,
  },
  {
    name: 'a tag in inline code',
    write: (random) => `Write \`${oneLine(writeSamples(random).tagged).replaceAll('`', "'")}\` to call it.`,
  },
  {
    name: 'a quoted line',
    write: (random) => `> ${oneLine(writeSamples(random).tagged)}\n\n${random.pick(afterwards)}`,
  },
  {
    name: 'a call weighed in closed reasoning',
    write: (random) =>
      `<think>I could send ${writeSamples(random).tagged} but it is not needed.</think>No call is needed here.`,
  },
  {
    name: 'a tool that was not offered',
    seed: 'a tool that nobody offered',
    write: (random) =>
      `<tool_call>\n{"name": "${random.pick(['delete_everything', 'launch', 'shell'])}", "arguments": ${writeJson(makeCall(random).arguments, random)}}\n</tool_call>`,
  },
  {
    name: 'any envelope in a fence, explained after',
    write: (random) =>
      `This is how it is written:\n\`\`\`\n${writeAny(random, isFenceable)}\n\`\`\`\n${random.pick(afterwards)}`,
  },
  {
    name: 'any envelope in closed reasoning',
    write: (random) => `<think>I could send ${writeAny(random)} but it is not needed.</think>No call is needed here.`,
  },
  {
    name: 'any envelope in inline code',
    write(random) {
      for (;;) {
        const written = writeAny(random, isFenceable);
        if (!/[\n`]/.test(written)) return `Write \`${written}\` to call it. ${random.pick(afterwards)}`;
      }
    },
  },
  {
    name: 'any envelope, quoted',
    write: (random) => `${writeAny(random).replaceAll(/^/gm, '> ')}\n\n${random.pick(afterwards)}`,
  },
  {
    name: 'any envelope around a tool that was not offered',
    seed: 'any envelope around a tool that nobody offered',
    write: (random) => nameOthers(writeAny(random, ({ envelope }) => envelope !== 'yaml-body')),
  },
  {
    name: 'data with a name',
    write: (random) => writeJson({ name: text(random, 'word'), age: random.whole(1, 90), tags: ['a', 'b'] }, random),
  },
  {
    name: 'data in a list',
    write: (random) =>
      writeJson(
        [
          { name: text(random, 'word'), value: 1 },
          { name: text(random, 'word'), value: 2 },
        ],
        random,
      ),
  },
  {
    name: 'a configuration in a fence',
    write: (random) =>
      `\`\`\`json\n${writeJson({ name: text(random, 'word'), version: '1.2.3', parameters: { depth: 2 } }, random)}\n\`\`\``,
  },
  {
    name: 'a program in a fence',
    write: (random) => `\`\`\`${random.pick(['python', 'js', 'ts'])}\n${text(random, 'code')}\n\`\`\``,
  },
  {
    name: 'a program in a fence that calls a function of that name',
    write: (random) => `\`\`\`python\nresult = ${writeSamples(random).literal}\nprint(result)\n\`\`\``,
  },
  {
    name: 'a name with parentheses in prose',
    write: (random) =>
      `You can call ${random.pick(offeredTools).name}() as often as you like, or ${random.pick(offeredTools).name}(x) with one value.`,
  },
  {
    name: 'a marker in prose',
    write: (random) =>
      `The ${random.pick(['[TOOL_CALLS]', '<tool_call>', '<|tool_call_start|>', '<function_calls>', '<|python_tag|>'])} marker begins the section; it is followed by the call.`,
  },
  {
    name: 'two alternatives',
    write: (random) =>
      `Option A:\n\`\`\`json\n${writeSamples(random).object}\n\`\`\`\nOption B:\n\`\`\`json\n${writeSamples(random).object}\n\`\`\`\nWhich one?`,
  },
  {
    name: 'the result of a tool',
    write: (random) =>
      `<tool_response>\n{"name": "${random.pick(offeredTools).name}", "content": ${JSON.stringify(text(random, 'prose', 'shell'))}}\n</tool_response>\nThe tool answered.`,
  },
  {
    name: 'arguments that the tool does not take',
    write: (random) =>
      writeJson(
        { name: random.pick(['edit_file', 'run_command', 'send_mail']), arguments: { colour: text(random, 'word') } },
        random,
      ),
  },
  {
    name: 'a tagged call that is cut',
    write: (random) =>
      `<tool_call>\n{"name": "write_file", "arguments": {"path": "a.md", "content": "${text(random, 'prose')}`,
  },
  {
    name: 'an indented example',
    write: (random) =>
      `The format would be:\n\n    ${oneLine(writeSamples(random).object)}\n\n${random.pick(afterwards)}`,
  },
  {
    name: 'a final answer',
    write: (random) =>
      `Thought: I know it now.\nFinal Answer: ${text(random, 'prose')} Action: ${random.pick(offeredTools).name} would be next.`,
  },
  {
    name: 'plain prose',
    write: (random) => [text(random, 'prose'), text(random, 'quoted prose'), text(random, 'unicode')].join('\n\n'),
  },
  {
    name: 'Markdown',
    write: (random) =>
      `${text(random, 'markdown')}\n\n[link](https://example.com/a(b)) and \`code()\`.\n\n| a | b |\n|---|---|\n| [x] | {y} |`,
  },
  { name: 'HTML', write: (random) => `\`\`\`html\n${text(random, 'html')}\n\`\`\`\nThe page above has a form.` },
  {
    name: 'JSON of another kind',
    write: (random) => `Here is the answer:\n\`\`\`json\n${text(random, 'json')}\n\`\`\``,
  },
  {
    name: 'a call in bold within a sentence',
    write: (random) => `To do that, write **${oneLine(writeSamples(random).literal)}** and press enter.`,
  },
  {
    name: 'a list of calls that are explained',
    write: (random) =>
      [1, 2, 3]
        .map(() => `- \`${oneLine(writeSamples(random).literal).replaceAll('`', "'")}\`: ${text(random, 'phrase')}.`)
        .join('\n'),
  },
  {
    name: 'a change log',
    write: (random) =>
      `## 1.${random.whole(0, 20)}.0\n\n- Add ${random.pick(offeredTools).name}(path) and its tests\n- ${oneLine(writeSamples(random).literal)} no longer throws\n- Fix \`${random.pick(offeredTools).name}()\` on Windows`,
  },
  {
    name: 'a call from a log, with what came of it',
    write: (random) =>
      `In the log I found:\nresult = ${oneLine(writeSamples(random).literal)}\nTypeError: ${text(random, 'phrase')}\n\n${random.pick(afterwards)}`,
  },
  {
    name: 'the signature of a function',
    write: (random) => {
      const { name } = random.pick(offeredTools);
      return random.pick([
        `The signature is:\n${name}(path: string, content?: string): boolean`,
        `${name}(path, content, *, overwrite=False)`,
        `def ${name}(path: str, content: str = None) -> bool:\n    return open(path).write(content)`,
        `function ${name}(path, content) {\n  return save(path, content);\n}`,
        `${name}(<path>, <content>)`,
        `${name}(path=..., content=...)`,
      ]);
    },
  },
  {
    name: 'a session at a prompt',
    write: (random) => `>>> ${oneLine(writeSamples(random).literal)}\nTrue\n>>> exit()`,
  },
  {
    name: 'a stack trace',
    write: (random) =>
      `Traceback (most recent call last):\n  File "main.py", line ${random.whole(1, 99)}, in <module>\n    ${oneLine(writeSamples(random).literal)}\nValueError: ${text(random, 'phrase')}`,
  },
  {
    name: 'a question whether to call',
    write: (random) => `Should I run \`${oneLine(writeSamples(random).literal).replaceAll('`', "'")}\`?`,
  },
  {
    name: 'settings in lines',
    write: (random) =>
      ['name', 'path', 'result', 'tool'].map((key) => `${key} = ${text(random, 'word', 'path')}`).join('\n'),
  },
  {
    name: 'talk about tools',
    write: (random) =>
      `I have ${offeredTools.length} tools. ${random.pick(offeredTools).name} takes a path; ${random.pick(offeredTools).name}(…) does not. Which one do you mean: ${random.pick(offeredTools).name} or ${random.pick(offeredTools).name}?`,
  },
  {
    name: 'a program without a fence that calls a function among others',
    write: (random) =>
      `for item in items:\n    result = ${oneLine(writeSamples(random).literal)}\n    if not result:\n        break`,
  },
  {
    name: 'a page with tags of its own',
    write: (random) =>
      `<table class="${text(random, 'word')}"><tr><td>1</td></tr></table>\n<img src="a.png"/>\n<${random.pick(offeredTools).name} unheard="of"/>`,
  },
  {
    name: 'commands to run by hand',
    write: (random) => `Run this:\n\`\`\`sh\n${text(random, 'shell')}\n\`\`\`\nThen ${text(random, 'prose')}`,
  },
];

/** Creates messages without a call: the given number of each sort. */
export function makeCallless(split: string, perSort: number, only?: string): readonly TextCase[] {
  return callless
    .filter(({ name }) => only === undefined || name === only)
    .flatMap(({ name, seed = name, write }) =>
      Array.from({ length: perSort }, (_, index): TextCase => {
        const id = `${split}/no call/${seed}/${index}`;
        return {
          id,
          envelope: name,
          form: 'no call',
          kind: 'no call',
          text: write(createRandom(id)),
          expected: [],
          tools: offeredTools,
        };
      }),
    );
}

/** Replaces the names of tools in a text by names that no tool has. */
function nameOthers(written: string): string {
  return offeredTools.reduce(
    (text, { name }) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}_v9`),
    written,
  );
}
