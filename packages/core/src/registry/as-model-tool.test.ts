import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { asCallableTools } from '../dispatch/to-tool-call.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { asProviderTools } from './as-model-tool.ts';
import { ToolRegistry } from './tool-registry.ts';

const setEnvironment = defineTool({
  name: 'set_environment',
  description: 'Sets variables.',
  kind: 'read',
  input: {
    type: 'object',
    properties: {
      variables: { type: 'object', additionalProperties: { type: 'string' } },
      scope: { enum: ['user', 'system'] },
    },
    required: ['variables'],
    additionalProperties: false,
  },
  execute: (args) => JSON.stringify(args),
}) as AnyTool;

const registryOf = (tool: AnyTool): ToolRegistry => new ToolRegistry({ tools: [tool] });

describe('asProviderTools', () => {
  it.each([
    ['a dispatcher', createDispatcher({ registry: [setEnvironment] }), 'an object'],
    ['a registry', registryOf(setEnvironment), 'an object'],
    ['an array', [setEnvironment], 'a list'],
    ['nothing', undefined, 'undefined'],
  ])('rejects %s, as asCallableTools does', (_, given, shown) => {
    const expected = `is not valid (expected a ToolSnapshot, such as dispatcher.snapshot(), got ${shown})`;
    const invalid = (message: string) => expect.objectContaining({ code: 'INVALID_OPTION', message });
    expect(() => asProviderTools(given as never)).toThrow(invalid(`asProviderTools: its first argument ${expected}`));
    expect(() => asCallableTools(given as never)).toThrow(invalid(`asCallableTools: its argument ${expected}`));
  });

  it('keeps schemas unchanged unless a dialect is named', () => {
    const [shown] = asProviderTools(registryOf(setEnvironment).snapshot());
    expect(shown?.inputSchema).toBe(setEnvironment.input.jsonSchema);
    expect(shown).not.toHaveProperty('raise');
  });

  it('lowers schemas to a dialect, returns the same objects each time, and raises arguments', async () => {
    const registry = registryOf(setEnvironment);
    const [shown] = asProviderTools(registry.snapshot(), 'openai-strict');
    expect(shown?.inputSchema).toMatchObject({ required: ['variables', 'scope'], additionalProperties: false });
    expect(asProviderTools(registry.snapshot(), 'openai-strict')[0]?.inputSchema).toBe(shown?.inputSchema);

    const answer = { variables: [{ key: 'CI', value: '1' }], scope: null };
    const dispatcher = createDispatcher({ registry, permission: allowAll });
    const result = await dispatcher.dispatch({ id: 'c', name: 'set_environment', arguments: shown?.raise?.(answer) });
    expect(result).toMatchObject({ ok: true, content: [{ text: '{"variables":{"CI":"1"}}' }] });
    expect(shown?.lower?.({ variables: { CI: '1' } })).toEqual(answer);
  });

  it('throws for an unknown dialect', () => {
    expect(() => asProviderTools(registryOf(setEnvironment).snapshot(), 'acme' as 'openai')).toThrow(/acme/);
  });
});
