import {
  allowAll,
  createDispatcher,
  defineTool,
  renderForModel,
  ToolRegistry,
  type AnyTool,
  type ToolContext,
} from '@haft/core';
import { createPermissionEngine, parseShell } from '@haft/permission';
import { pairHistory } from '@haft/runner';
import { expect } from 'vitest';
import { surroundings } from './hygge/surroundings.ts';
import { tools } from './hygge/tools.ts';
import { walkFeatures } from './walk-features.ts';

const make = (extra: object = {}): AnyTool =>
  defineTool({ name: 'work', description: 'Works.', kind: 'read', execute: () => 'done', ...extra }) as AnyTool;
const call = (name: string, args: unknown = {}) => ({ id: 'c1', name, arguments: args });
const bash = make({
  name: 'bash',
  kind: 'other',
  traits: { requires: ['process'] },
  input: { type: 'object', properties: { command: { type: 'string' } } },
});

walkFeatures({
  system: 'hygge',
  letter: 'H',
  count: 44,
  maxMissing: 0,
  shown: {
    H1: ['the pattern of names is enforced', () => expect(() => make({ name: 'Work' })).toThrow(/must match/)],
    H2: [
      'mistakes of the model and internal failures are distinguished',
      async () => {
        const source = createDispatcher({
          registry: [
            make({
              execute: () => {
                throw new Error('/host/path');
              },
            }),
          ],
        });
        const [wrong, broken] = [await source.dispatch(call('wrok')), await source.dispatch(call('work'))];
        expect([wrong, broken].map((result) => result.ok || result.error.fault)).toEqual(['model', 'host']);
      },
    ],
    H4: [
      'of an internal failure, the model reads one line without paths',
      async () => {
        const source = createDispatcher({
          registry: [
            make({
              execute: () => {
                throw new Error('/host/path');
              },
            }),
          ],
        });
        expect(renderForModel(await source.dispatch(call('work')))).not.toContain('/host/path');
      },
    ],
    H6: [
      'a body receives its session, folder, call, message, model and time',
      async () => {
        let seen: ToolContext | undefined;
        const tool = make({ execute: (_args: unknown, context: ToolContext) => void (seen = context) });
        await createDispatcher({ registry: [tool] }).dispatch(call('work'), {
          sessionId: 's',
          messageId: 'm',
          modelName: 'x',
        });
        expect(seen).toMatchObject({
          sessionId: 's',
          callId: 'c1',
          messageId: 'm',
          modelName: 'x',
          cwd: expect.any(String) as string,
        });
        expect(seen?.now()).toBeGreaterThan(0);
      },
    ],
    H7: [
      'the dispatcher validates, and empty arguments are an object',
      async () => {
        const closed = make({ input: { type: 'object', properties: {}, additionalProperties: false } });
        const source = createDispatcher({ registry: [closed] });
        expect([
          (await source.dispatch(call('work', ''))).ok,
          (await source.dispatch(call('work', { a: 1 }))).ok,
        ]).toEqual([true, false]);
      },
    ],
    H8: [
      'progress is reported while a body runs, and the complete result at the end',
      async () => {
        const updates: unknown[] = [];
        const tool = make({
          execute: (_args: unknown, context: ToolContext) => (context.progress({ output: 'half' }), 'whole'),
        });
        const result = await createDispatcher({ registry: [tool] }).dispatch(call('work'), {
          onProgress: (update) => void updates.push(update),
        });
        expect([updates, renderForModel(result)]).toEqual([[{ output: 'half' }], 'whole']);
      },
    ],
    H9: [
      'read-only calls overlap, all others do not by default',
      () => expect([make().parallelizable, make({ kind: 'other' }).parallelizable]).toEqual([true, false]),
    ],
    H10: [
      'a duplicate may be an error that changes nothing, and so is an unknown name',
      () => {
        const registry = new ToolRegistry({ tools: [make()], onDuplicate: 'error' });
        expect(() => registry.register(make())).toThrow(expect.objectContaining({ code: 'DUPLICATE_TOOL' }) as Error);
        expect([registry.unregister('nothing'), registry.names]).toEqual([false, ['work']]);
      },
    ],
    H25: [
      '"never ask again" is an answer of the engine',
      async () => {
        const source = createDispatcher({
          registry: [bash],
          permission: createPermissionEngine({ ask: () => ({ action: 'deny' }) }),
        });
        expect(await source.dispatch(call('bash', { command: 'ls' }))).toMatchObject({
          error: { code: 'PERMISSION_DENIED', denial: { source: 'person' } },
        });
      },
    ],
    H26: [
      'destructive commands are denied before any rule and in every mode',
      async () => {
        const engine = createPermissionEngine({ mode: 'allow', rules: [{ action: 'allow', tool: 'bash' }] });
        expect(
          await createDispatcher({ registry: [bash], permission: engine }).dispatch(
            call('bash', { command: 'rm -rf /' }),
          ),
        ).toMatchObject({ error: { denial: { source: 'protected' } } });
      },
    ],
    H29: [
      'an approval never covers a command appended to the approved one',
      async () => {
        const engine = createPermissionEngine({ rules: [{ action: 'allow', command: 'cat *' }] });
        const source = createDispatcher({ registry: [bash], permission: engine });
        expect([
          (await source.dispatch(call('bash', { command: 'cat a.go' }))).ok,
          (await source.dispatch(call('bash', { command: 'cat a.go; rm -rf b' }))).ok,
        ]).toEqual([true, false]);
        expect(parseShell('cat a; rm b').commands).toHaveLength(2);
      },
    ],
    H30: [
      'a failing engine is not a denial',
      async () => {
        const permission = {
          ask: () => {
            throw new Error('closed');
          },
        };
        expect(await createDispatcher({ registry: [make()], permission }).dispatch(call('work'))).toMatchObject({
          error: { code: 'PERMISSION_ENGINE_FAILED' },
        });
      },
    ],
    H38: [
      'middleware may change arguments, which are validated again',
      async () => {
        const tool = make({
          input: { type: 'object', properties: { n: { type: 'integer' } } },
          execute: ({ n }: { n: number }) => String(n),
        });
        const middleware = [{ name: 'rewrite', prepare: () => ({ arguments: { n: 2 } }) }];
        expect(
          renderForModel(
            await createDispatcher({ registry: [tool], permission: allowAll, middleware }).dispatch(
              call('work', { n: 1 }),
            ),
          ),
        ).toBe('2');
      },
    ],
    H43: [
      'a call without an answer gets one before the next request',
      () => {
        const { messages } = pairHistory([
          { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'x', arguments: {} }] },
          { role: 'user', content: 'go on' },
        ]);
        expect(messages[1]).toMatchObject({ role: 'tool', callId: 'a', isError: true });
      },
    ],
    ...tools,
    ...surroundings,
  },
  missing: {},
});
