import { stripTypeScriptTypes } from 'node:module';
import { parse } from 'acorn';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readModule } from '../body/read-module.ts';
import type { ToolDraft } from '../../catalog/tool-draft.ts';
import { toolModule, writeToolFolder } from './write-tool-folder.ts';

const plain: ToolDraft = {
  name: 'some_tool',
  description: 'Does something.',
  input: { type: 'object', properties: {} },
  body: 'return 1;',
  imports: [],
  examples: [],
  capabilities: {},
};

/** Generates text with parts that have a meaning in code, JSON, templates and HTML. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '`',
    '${process.exit()}',
    '"',
    "'",
    '\\',
    '*/',
    '/*',
    '//',
    '\u2028',
    '\n',
    '__proto__',
    'constructor',
    '</script>',
    '}; process.exit(); ({',
    "' + evil() + '",
    '{{ . }}',
    '<!--',
    '#!',
    '\0',
    '\uD800',
    "import('fs')",
  ),
  fc
    .array(fc.constantFrom('"', '\\', '\n', '}', ')', ';', 'x', '`', '$', '{'), { maxLength: 8 })
    .map((all) => all.join('')),
);

function codeOf(text: string): string {
  const code = stripTypeScriptTypes(text);
  parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  return code.replace(/\s+/g, ' ');
}

describe('writeToolFolder', () => {
  it('writes no code except the body, whatever the texts contain', () => {
    const expected = codeOf(writeToolFolder(plain, 1).files[toolModule]!);
    const draft = fc.record({
      description: hostile,
      field: hostile,
      choices: fc.array(fc.oneof(hostile, fc.double(), fc.boolean(), fc.constant(null)), {
        minLength: 1,
        maxLength: 4,
      }),
      title: hostile,
      example: fc.jsonValue(),
      path: hostile,
    });
    fc.assert(
      fc.property(draft, ({ description, field, choices, title, example, path }) => {
        const input = {
          type: 'object',
          title,
          properties: Object.fromEntries([[field, { enum: choices, title }]]),
          required: [field],
        };
        const capabilities = { env: [path] };
        const examples = [{ arguments: { [field]: 1 }, expected: example as never }];
        const written = writeToolFolder({ ...plain, description, input, output: input, examples, capabilities }, 1);
        expect(codeOf(written.files[toolModule]!)).toBe(expected);
        const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        expect(JSON.parse(written.files['tool.json']!)).toMatchObject({
          description,
          input: roundTrip(input) as object,
        });
        expect(JSON.parse(written.files['plugin.json']!)).toMatchObject({ description, capabilities });
        expect(JSON.parse(written.files['examples.json']!)).toEqual(roundTrip(examples));
      }),
      { numRuns: process.env['HAFT_TEST_LONG'] === undefined ? 300 : 10_000 },
    );
  });

  it("accepts any code inside the body's function and none outside", () => {
    const pieces = [
      '}',
      '{',
      '\n',
      ';',
      'return 1',
      'async function run() {',
      'export const x = 1',
      'import "node:fs"',
      '/*',
      '*/',
      '//',
      '`',
      '${',
      '<!--',
      '-->',
      'interface A {',
      'declare module "x" {',
      ')',
      '(',
      '"',
      'x',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
        const body = parts.join(' ');
        const { files, start, end, linesBefore } = writeToolFolder({ ...plain, body }, 1);
        const text = files[toolModule]!;
        if (readModule({ text, start, end, linesBefore, modules: [], own: './tool.json' })) return;
        const { body: statements } = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module' });
        expect(statements.map(({ type }) => type)).toEqual([
          'ImportDeclaration',
          'FunctionDeclaration',
          'ExportDefaultDeclaration',
        ]);
        expect([statements[1]!.start, statements[1]!.end]).toEqual([start, end]);
      }),
      { numRuns: process.env['HAFT_TEST_LONG'] === undefined ? 500 : 20_000 },
    );
  });
});

describe('tool body', () => {
  const ask = (body: string): string | undefined => {
    const { files, start, end, linesBefore } = writeToolFolder({ ...plain, body }, 1);
    const question = { text: files[toolModule]!, start, end, linesBefore, modules: ['node:path'], own: './tool.json' };
    const fault = readModule(question);
    return fault && `${fault.line ?? '-'}: ${fault.message}`;
  };

  it.each([
    'return args;',
    '',
    'const page: string = `<!-- ${args} -->`;\nreturn page; // done',
    'return (await import("node:path")).sep;',
    'interface Point { x: number }\nconst p: Point = { x: 1 };\nreturn p satisfies Point;',
    '// import "x"\nreturn "require()";',
    'const a: "ü日本" = "ü日本";\nreturn a',
  ])('may be %j', (body) => {
    expect(ask(body)).toBeUndefined();
  });

  it.each([
    ['}\nasync function x() {', '-: it closes its own function; pass only the statements inside'],
    ['} interface X {', '-: it closes its own function; pass only the statements inside'],
    ['return 1;\nconst 5 = 3;', '2: syntax error'],
    ['return 1;\nawait import("node:fs");', '2: it imports "node:fs"; allowed modules: node:path'],
    ['await import("node:" + "fs");', '1: import(…) requires a module name in quotes'],
    ['return import.meta.url;', '1: import.meta is not available'],
    ['const x: typeof import("/etc/passwd") = 1;', '1: types of other modules are not available'],
    ['class A { m = import("node:fs"); }', '1: it imports "node:fs"'],
    ['enum A { b }', '1: syntax error: TypeScript enum is not supported'],
    ['x <!-- }; f(); function g(){', '1: syntax error'],
    ['/*', 'syntax error'],
    ['import fs from "node:fs";', 'syntax error'],
  ])('may not be %j', (body, reason) => {
    expect(ask(body)).toContain(reason);
  });
});
