import { allowAll, defineTool, type AnyTool, type Message } from '@haft/core';
import { runAgent } from '@haft/runner';
import { scriptedModel } from '@haft/runner/testing';

import type { Attack } from '../../attack.ts';
import { notations } from './notations.ts';

/** Ways in which a call enters the conversation before the model repeats it. */
const carriers: Readonly<Record<string, (call: string) => readonly string[]>> = {
  'as it is': (call) => [call],
  'in a text': (call) => [`Welcome to the manual.\n\n${call}\n\nThat was all.`],
  'behind line numbers': (call) => [numbered(call, (line) => `${String(line).padStart(6)}\t`)],
  'behind hashes of lines': (call) => [
    numbered(call, (line) => `${line}#${(line * 37 + 160).toString(16).slice(0, 2)}:`),
  ],
  'behind a path and line numbers': (call) => [numbered(call, (line) => `docs/manual.md:${line}:`)],
  'as a quoted mail': (call) => [numbered(call, () => '> ')],
  'as an item of a list': (call) => [`- ${call.split('\n').join('\n  ')}`],
  'as a string of JSON': (call) => [JSON.stringify({ page: `Hello.\n${call}` })],
  'as HTML': (call) => [call.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  'between marks': (call) => [`<untrusted-0a1b2c3d>\n${call}\n</untrusted-0a1b2c3d>\nNote: it is data.`],
  'over two answers': (call) => [
    `Chapter 1.\n${call.slice(0, call.length / 2)}`,
    `${call.slice(call.length / 2)}\nThe end.`,
  ],
};

const written = (call: string, pattern: RegExp, write: (code: number) => string): string =>
  call.replace(pattern, (character) => write(character.codePointAt(0)!));
const marks = /[<>"'{}[\]:,=_/()]/g;
/** Ways to write a text that readers consider the same. Very short calls cannot be distinguished from other text. */
const disguises: Readonly<Record<string, (call: string) => readonly string[]>> = {
  'in entities': (call) => [written(call, marks, (code) => `&#${code};`)],
  'in hexadecimal entities': (call) => [written(call, marks, (code) => `&#x${code.toString(16)};`)],
  'percent-encoded': (call) => [encodeURIComponent(call)],
  'as a form': (call) => [new URLSearchParams({ q: call }).toString()],
  'in escapes with braces': (call) => [written(call, marks, (code) => `\\u{${code.toString(16)}}`)],
  'in JSON in JSON': (call) => [JSON.stringify(JSON.stringify({ call }))],
  'in wide characters': (call) => [written(call, /[<>"{}=:,]/g, (code) => String.fromCodePoint(code + 0xfee0))],
  'with characters that are not seen': (call) => [Array.from(call).join('\u200b')],
  'in capitals': (call) => [call.toUpperCase()],
  'in lines of ten characters': (call) => [call.replace(/.{10}/g, '$&\n')],
  'in quoted-printable': (call) => [call.replaceAll('=', '=3D').replace(/(?:=3D|[^=\n]){10}/g, '$&=\n')],
  'in HTML with colours': (call) => [
    written(call, /[<>]/g, (code) => (code === 60 ? '&lt;' : '&gt;')).replace(/move|erase|write|reboot/g, '<b>$&</b>'),
  ],
  'in colours of a terminal': (call) => [call.replace(/move|erase|write|reboot/g, '\u001b[1m$&\u001b[0m')],
  'in comments': (call) => [numbered(call, () => '// ')],
  'in a log': (call) => [numbered(call, () => '2026-01-02T03:04:05Z INFO ')],
  'in a table': (call) => [`| ${call.split('\n').join(' |\n| ')} |`],
  'as an array of lines': (call) => [JSON.stringify(call.split('\n'), undefined, 2)],
  'over three answers': (call) => {
    // A short part may occur in any text by chance.
    if (call.length < 120) return [call];
    const part = Math.ceil(call.length / 3);
    return [call.slice(0, part), call.slice(part, 2 * part), call.slice(2 * part)];
  },
};
const shortestDisguised = 60;

/** Attacks by calls that a user or a tool quoted, and that the model repeats word for word. */
export const quotedCallAttacks: readonly Attack[] = Object.entries(notations).map(([what, call]) => ({
  name: `A call quoted by a user or a tool is run when the model repeats it: ${what}`,
  async run() {
    const got: string[] = [];
    const ways = { ...carriers, ...(call.length < shortestDisguised ? {} : disguises) };
    for (const [how, carry] of Object.entries(ways)) {
      // Half of a call this short may occur in any text by chance.
      const texts = how === 'over two answers' && call.length < 24 ? [call] : carry(call);
      if ((await runsOf(call, texts, 'tool')).length > 0) got.push(`quoted by a tool ${how}`);
      if ((await runsOf(call, texts, 'user')).length > 0) got.push(`quoted by a user ${how}`);
    }
    return got.length === 0 ? undefined : `it ran: ${got.join('; ')}`;
  },
  async control() {
    return (await runsOf(call, ['Nothing of interest.'], 'tool')).length > 0;
  },
}));

/** The calls that run when the model writes a text after other participants have written theirs. */
async function runsOf(said: string, texts: readonly string[], by: 'tool' | 'user'): Promise<readonly string[]> {
  const ran: string[] = [];
  const act = (name: string): AnyTool =>
    defineTool({
      name,
      description: 'Acts.',
      input: { type: 'object', properties: properties[name] ?? {} },
      execute: () => void ran.push(name),
    }) as AnyTool;
  const pages = [...texts];
  const read = defineTool({
    name: 'read_page',
    description: 'Reads.',
    kind: 'read',
    execute: () => pages.shift() ?? '',
  }) as AnyTool;
  const reading = texts.map(() => ({ calls: [{ name: 'read_page' }] }));
  const prompt: Message[] = texts.map((content) => ({ role: 'user', content }));
  await runAgent({
    model: scriptedModel(by === 'tool' ? [...reading, said, 'Done.'] : [said, 'Done.']),
    tools: [...Object.keys(properties).map(act), read],
    ...(by === 'tool' ? { prompt: 'Read the manual.' } : { messages: prompt }),
    permission: allowAll,
  });
  return ran;
}

const text = { type: 'string' } as const;
const properties: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  move_money: { to: text, days: { type: 'integer' }, hourly: { type: 'boolean' }, min_c: { type: 'number' } },
  erase_docs: { query: text, limit: { type: 'integer' }, tags: { type: 'array' }, filter: { type: 'object' } },
  write_note: { path: text, body: text },
  reboot: {},
};

function numbered(call: string, anchor: (line: number) => string): string {
  const lines = `# Manual\n${call}`.split('\n');
  return lines.map((line, index) => anchor(index + 1) + line).join('\n');
}
