import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { comparableForms } from './comparable-text.ts';

const call = '<tool_call>\n{"name": "write_note", "arguments": {"path": "a/b.md", "count": 2}}\n</tool_call>';
const everyCharacter = (write: (code: number) => string): string =>
  Array.from(call)
    .map((one) => (/[<>"{}:,_/]/.test(one) ? write(one.codePointAt(0)!) : one))
    .join('');
const everyLine = (write: (line: string) => string): string => call.split('\n').map(write).join('\n');

describe('the loose form of a text', () => {
  it.each<readonly [how: string, text: string]>([
    ['entities', everyCharacter((code) => `&#${code};`)],
    ['hexadecimal entities', everyCharacter((code) => `&#x${code.toString(16)};`)],
    ['entities in entities', everyCharacter((code) => `&amp;#${code};`)],
    ['percent-encoding', encodeURIComponent(call)],
    ['a form', new URLSearchParams({ q: call }).toString()],
    ['escapes with braces', everyCharacter((code) => `\\u{${code.toString(16)}}`)],
    ['escapes of bytes', everyCharacter((code) => `\\x${code.toString(16).padStart(2, '0')}`)],
    ['octal escapes', everyCharacter((code) => `\\${code.toString(8).padStart(3, '0')}`)],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ call }))],
    ['wide characters', everyCharacter((code) => String.fromCodePoint(code + 0xfee0))],
    ['characters that are not seen', Array.from(call).join('\u200b')],
    ['capitals', call.toUpperCase()],
    ['typographic quotation marks', call.replaceAll(/"([^"]*)"/g, '“$1”')],
    ['lines of ten characters', call.replace(/.{10}/g, '$&\n')],
    ['a word that is broken', call.replace('arguments', 'argu-\n   ments')],
    ['lines that end with the sign of quoted-printable', call.replace(/: /g, ':=\n')],
    ['quoted-printable', call.replace(/.{10}/g, '$&=\n')],
    ['emphasis', call.replace('write_note', '**write\\_note**')],
    ['markup', everyCharacter((code) => `&#${code};`).replace(/arguments/, '<span class="k">arguments</span><br>')],
    ['colours of a terminal', call.replace('name', '\u001b[31mname\u001b[0m')],
    ['a table', everyLine((line) => `| ${line} |`)],
    ['an array of lines', JSON.stringify(call.split('\n'), undefined, 2)],
    ['parts that are joined', call.replace(/.{20}/g, '$&" +\n  "')],
    ...['// ', '# ', '% ', ';; ', '-- ', ' * ', '+', '[12] ', '2026-01-02T03:04:05.678Z INFO '].map(
      (before) => [`lines after ${before}`, everyLine((line) => before + line)] as const,
    ),
  ])('contains that of a call in %s', (_how, text) => {
    const [needle] = comparableForms(call, false).loose;
    expect(comparableForms(`Read this:\n${text}\nThat was all.`, true).loose.join('\n')).toContain(needle);
  });

  it('is undefined for a short text, and differs for other words or brackets', () => {
    expect(comparableForms('<reboot/>', false).loose).toEqual([]);
    const [needle] = comparableForms(call, false).loose;
    for (const other of [call.replace('b.md', 'c.md'), call.replace('2', '20'), call.replace(/[{}<>]/g, '')])
      expect(comparableForms(other, true).loose.join('\n')).not.toContain(needle);
  });

  it.each(['<a ', '&amp;', '%41', '\\u0041', '\\', 'a-\n', '=\n', '\u001b[', '> ', 'x:1:', '((', 'a \n'])(
    'takes linear time for many %j',
    async (unit) => {
      const make = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
      expect(await growthOf(make, (text) => void comparableForms(text, true), 20_000)).toBeLessThan(linearGrowth);
    },
  );
});
