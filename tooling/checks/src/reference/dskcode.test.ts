import {
  allowAll,
  createDispatcher,
  defineTool,
  errorCodes,
  redactSecrets,
  renderForModel,
  ToolRegistry,
  type AnyTool,
} from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { findDestructive } from '@haft/permission';
import { computeFileDiff, confine, detectEol, normalizeEol, stripMentionPrefix, toLf } from '@haft/sandbox';
import { compileSchema } from '@haft/schema';
import { expect } from 'vitest';
import { z } from 'zod';
import { around } from './dskcode/around.ts';
import { tools } from './dskcode/tools.ts';
import { walkFeatures } from './walk-features.ts';

const make = (extra: object = {}): AnyTool =>
  defineTool({ name: 'work', description: 'Works.', kind: 'read', execute: () => 'done', ...extra }) as AnyTool;
const call = (name: string, args: unknown = {}, id = 'c1') => ({ id, name, arguments: args });

walkFeatures({
  system: 'dskcode',
  letter: 'D',
  count: 50,
  maxMissing: 0,
  shown: {
    D2: [
      'tools of different types share one list',
      () => expect([eraseTool(make()), make({ name: 'b' })].map(({ name }) => name)).toEqual(['work', 'b']),
    ],
    D3: [
      'a tool has a kind, and only "read" is read-only',
      () =>
        expect(
          ['read', 'edit', 'delete', 'move', 'other'].map((kind) => [
            make({ kind }).kind,
            make({ kind }).traits.readOnly,
          ]),
        ).toEqual([
          ['read', true],
          ['edit', false],
          ['delete', false],
          ['move', false],
          ['other', false],
        ]),
    ],
    D6: [
      'distinct situations have distinct codes',
      () =>
        expect(Object.keys(errorCodes)).toEqual(
          expect.arrayContaining([
            'READ_ERROR',
            'BINARY_FILE',
            'TEXT_NOT_FOUND',
            'TEXT_MULTIPLE_MATCHES',
            'OUTSIDE_WRITE_ROOTS',
            'INVALID_ARGS',
            'TOOL_NOT_FOUND',
          ]),
        ),
    ],
    D8: [
      'the model reads the output of a failing tool',
      async () => {
        const tool = make({
          execute: () => ({
            ok: false,
            callId: 'c1',
            content: [{ type: 'text', text: 'line 3 is wrong' }],
            effects: [],
            metadata: {},
            advisories: [],
            error: { code: 'EXIT_CODE', fault: 'world', retryable: false, message: 'exit 1' },
          }),
        });
        expect(renderForModel(await createDispatcher({ registry: [tool] }).dispatch(call('work')))).toContain(
          'line 3 is wrong',
        );
      },
    ],
    D9: [
      'several tools are registered as a whole or not at all',
      () => {
        const registry = new ToolRegistry({ tools: [make()], onDuplicate: 'error' });
        expect(() => registry.register(make({ name: 'new' }), make())).toThrow(/taken/);
        expect(registry.names).toEqual(['work']);
      },
    ],
    D10: [
      'a disabled tool is hidden, regardless of other filters',
      () => {
        const registry = new ToolRegistry({
          tools: [make(), make({ name: 'b' }), make({ name: 'c' })],
          disabledTools: ['b'],
          featureFlagChecker: (name) => name !== 'c',
        });
        expect(registry.snapshot().names).toEqual(['work']);
      },
    ],
    D11: [
      'tools are listed by kind, by reading and writing, and can be enabled and disabled',
      () => {
        const registry = new ToolRegistry({ tools: [make(), make({ name: 'b', kind: 'edit' })] });
        registry.disable('work');
        expect([
          registry.listByKind('edit').length,
          registry.listReadTools().length,
          registry.has('work'),
          registry.isEnabled('work'),
        ]).toEqual([1, 0, true, false]);
      },
    ],
    D12: [
      'an unknown name and a throwing body are results',
      async () => {
        const source = createDispatcher({
          registry: [
            make({
              execute: () => {
                throw new Error('x');
              },
            }),
          ],
        });
        const codes = await Promise.all(
          ['nothing', 'work'].map(async (name) => {
            const result = await source.dispatch(call(name));
            return result.ok || result.error.code;
          }),
        );
        expect(codes).toEqual(['TOOL_NOT_FOUND', 'EXECUTION_ERROR']);
      },
    ],
    D13: [
      'arguments that violate the schema do not run',
      async () => {
        let ran = false;
        const tool = make({ input: { type: 'object', required: ['a'] }, execute: () => void (ran = true) });
        expect(await createDispatcher({ registry: [tool] }).dispatch(call('work'))).toMatchObject({
          error: { code: 'INVALID_ARGS' },
        });
        expect(ran).toBe(false);
      },
    ],
    D16: [
      'after a denial, the other calls run or are each answered',
      async () => {
        const permission = {
          ask: ({ callId }: { callId: string }) =>
            callId === '1'
              ? ({ action: 'deny', denial: { source: 'person', reason: 'no' } } as const)
              : ({ action: 'allow' } as const),
        };
        const source = createDispatcher({ registry: [make({ kind: 'other' })], permission });
        const calls = ['1', '2', '3'].map((id) => call('work', {}, id));
        const codes = async (onDenied: 'continue' | 'skip'): Promise<readonly unknown[]> =>
          (await source.dispatchBatch(calls, { onDenied })).map((result) => result.ok || result.error.code);
        expect(await codes('continue')).toEqual(['PERMISSION_DENIED', true, true]);
        expect(await codes('skip')).toEqual(['PERMISSION_DENIED', 'SKIPPED', 'SKIPPED']);
      },
    ],
    D18: [
      'empty arguments are an object, and truncated arguments do not run',
      async () => {
        const source = createDispatcher({
          registry: [make({ kind: 'edit', input: { type: 'object', properties: { a: {} } } })],
          permission: allowAll,
        });
        expect([
          (await source.dispatch(call('work', '  '))).ok,
          (await source.dispatch(call('work', '{"a":"x'))).ok,
        ]).toEqual([true, false]);
      },
    ],
    D21: [
      'secrets are masked at any depth',
      () =>
        expect(JSON.stringify(redactSecrets({ a: [{ password: 'geheim1' }], token: 'geheim2' }))).not.toContain(
          'geheim',
        ),
    ],
    D22: [
      'an issue has a path, the expected and the received type',
      () => {
        const result = compileSchema({
          type: 'object',
          properties: { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'number' } } } } },
        }).validate({ a: [{}, {}, { b: 'x' }] });
        expect(result).toMatchObject({
          ok: false,
          issues: [{ path: '$.a[2].b', expected: 'number', received: 'string "x"' }],
        });
      },
    ],
    D24: [
      'names of the prototype are not accepted as keys',
      () => {
        const schema = compileSchema({
          type: 'object',
          properties: {},
          required: ['constructor'],
          additionalProperties: false,
        });
        expect(schema.validate({})).toMatchObject({ ok: false });
        expect(
          compileSchema({ type: 'object', properties: {}, additionalProperties: false }).validate({ constructor: 1 }),
        ).toMatchObject({ ok: false });
      },
    ],
    D25: [
      'a zod schema provides the JSON schema, the type and the validator',
      () =>
        expect(compileSchema(z.object({ a: z.int() })).validate({ a: 1.5 })).toMatchObject({
          ok: false,
          issues: [{ path: '$.a' }],
        }),
    ],
    D26: ['one leading @ is removed', () => expect(stripMentionPrefix('@src/a.ts')).toBe('src/a.ts')],
    D27: [
      'roots contain their paths, also names with dots, and an empty list of roots contains nothing',
      async () => {
        expect(await confine([process.cwd()], `${process.cwd()}/..foo`)).toMatchObject({ ok: true });
        expect(await confine([process.cwd()], `${process.cwd()}/../x`)).toMatchObject({ ok: false });
        expect(await confine([], process.cwd())).toMatchObject({ ok: false });
      },
    ],
    D31: [
      'line endings are detected, removed and restored',
      () =>
        expect([detectEol('a\r\nb\r\n'), toLf('a\r\nb'), normalizeEol('a\nb', '\r\n')]).toEqual([
          '\r\n',
          'a\nb',
          'a\r\nb',
        ]),
    ],
    D32: [
      'an empty file is distinguished from a new file',
      () =>
        expect(computeFileDiff({ path: 'a.txt', before: '', after: 'x\n' })).toMatchObject({
          existedBefore: true,
          additions: 1,
        }),
    ],
    D43: [
      'destructive commands are found behind quotes, substitutions and other spellings',
      () => {
        for (const command of ['rm -rf "/"', '$(rm -rf /)', '(rm -rf ~)', 'bash -c "rm -rf /"', 'rm -rf //'])
          expect([command, findDestructive(command) === undefined]).toEqual([command, false]);
      },
    ],
    ...around,
    ...tools,
  },
  missing: {},
});
