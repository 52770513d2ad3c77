import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLoopbackModelServer, type LoopbackReply } from '../testing/loopback-model-server.ts';
import { runCli } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

/** The arguments of the call; each contains its model family. */
const args = (family: string): string => `{"path": "log.txt", "content": "${family}"}`;
const call = (family: string, key = 'arguments'): string => `{"name": "append", "${key}": ${args(family)}}`;

/** How models of several families write the same call if their server leaves it in the text. */
const families: Readonly<Record<string, (family: string) => string>> = {
  hermes: (family) => `I will note it.\n<tool_call>\n${call(family)}\n</tool_call>`,
  'hermes, broken': (family) => `<tool_call>{name: 'append', arguments: {"path": "log.txt", content: '${family}',}}`,
  'llama, tagged': (family) => `<|python_tag|>${call(family, 'parameters')}`,
  'llama, pythonic': (family) => `[append(path="log.txt", content="${family}")]`,
  'llama, function': (family) => `<function=append>${args(family)}</function>`,
  mistral: (family) => `[TOOL_CALLS][${call(family)}]`,
  'qwen coder': (family) =>
    `<tool_call>\n<function=append>\n<parameter=path>\nlog.txt\n</parameter>\n<parameter=content>\n${family}\n</parameter>\n</function>\n</tool_call>`,
  deepseek: (family) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>append\n\`\`\`json\n${args(family)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  'phi, fenced': (family) => `\`\`\`json\n${call(family)}\n\`\`\``,
  'gemma, code': (family) => `\`\`\`tool_code\nappend(path="log.txt", content="${family}")\n\`\`\``,
  react: (family) => `Thought: I should note it.\nAction: append\nAction Input: ${args(family)}\n`,
  glm: (family) =>
    `<tool_call>append\n<arg_key>path</arg_key>\n<arg_value>log.txt</arg_value>\n<arg_key>content</arg_key>\n<arg_value>${family}</arg_value>\n</tool_call>`,
};

/** A call that ends in the middle, and the later answer of the model. */
const half = (family: string): string => `<tool_call>\n${call(family).slice(0, -8)}`;
const cuts: readonly (readonly [first: LoopbackReply, again: LoopbackReply])[] = [
  [
    { text: half('half by its length'), finishReason: 'length' },
    { text: families['hermes']!('whole after its length') },
  ],
  [
    { text: `[TOOL_CALLS][${call('half and content with it').slice(0, -12)}` },
    { text: families['mistral']!('whole after all') },
  ],
  [{ text: half('half of a stream'), breaks: true }, { text: families['hermes']!('whole after the stream') }],
];

test('chat runs the call of each model family once, and no call that was cut', async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const names = Object.keys(families);
  const replies = [
    ...names.map((name) => ({ text: families[name]!(name) })),
    ...cuts.flat(),
    { text: 'All is noted.' },
  ];
  const server = await startLoopbackModelServer(replies);
  const { code, stdout, stderr } = await runCli(
    ['chat', 'note', 'it', '--yes', '--base-url', server.baseUrl, '--model', 'tiny'],
    { cwd: folder },
  );
  await server.close();
  const written = (await readFile(join(folder, 'log.txt'), 'utf8')).trimEnd().split('\n');
  expect(written, stdout + stderr).toEqual([
    ...names,
    'whole after its length',
    'whole after all',
    'whole after the stream',
  ]);
  expect(code).toBe(0);
  expect(server.requests).toHaveLength(replies.length);
  expect(stdout).toContain('All is noted.');
  // The model is told about a call that it cut; a broken stream is requested again silently.
  const lastMessages = server.requests.map(({ messages }) => JSON.stringify((messages as readonly unknown[]).at(-1)));
  expect(lastMessages[names.length + 1]).toMatch(/append ended before it was complete, .*so nothing was done/);
  expect(lastMessages[names.length + 3]).toMatch(/append ended before it was complete, .*so nothing was done/);
  expect(stdout).toMatch(/trying\s+again/);
  expect(JSON.stringify(server.requests.at(-1))).not.toContain('half of a stream');
});
