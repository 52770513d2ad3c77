import { describe, expect, it } from 'vitest';
import { decodeArgs, parseArgs } from './decode.ts';
import { allowAll } from '../../workspace/permission-engines.ts';
import { createDispatcher } from '../dispatcher.ts';
import { body, code, echo, run, write } from '../../fixtures/run-call.ts';

describe('decode', () => {
  it('repairs damaged arguments and reports the repairs', async () => {
    const { result } = await run("{text: 'hi',}");
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: 'hi' }],
      arguments: { value: { text: 'hi' }, risk: 'safe' },
    });
    expect(result.arguments!.repairs.length).toBeGreaterThan(0);
  });

  it('treats blank and missing arguments as an empty object', async () => {
    const tool = body(() => 'ran');
    for (const args of ['', '  \n', undefined, null, {}]) expect(code(await run(args, [tool]))).toBe('ok');
  });

  it('rejects invalid JSON with a hint', async () => {
    const outcome = await run(']]]');
    expect(code(outcome)).toBe('INVALID_JSON');
    expect(outcome.result).toMatchObject({ error: { hint: expect.stringMatching(/\w/) } });
  });

  it('never runs a call with truncated arguments, for any tool and stop reason', async () => {
    for (const args of ['{"path":"/etc/pas', '{"path":"a","body":"x', '{"path":"a",', '{"path":', '{"path":"a","bo']) {
      expect(code(await run(args, [write])), args).toBe('TRUNCATED_ARGS');
      expect(code(await run(args.replace('path', 'text'), [echo])), args).toBe('TRUNCATED_ARGS');
    }
  });

  it('runs an unclosed call only for a read-only tool and only if the model stopped by itself', async () => {
    const dispatcher = createDispatcher({ registry: [echo, write], permission: allowAll });
    const outcome = async (name: string, args: string, stopped?: 'stop' | 'length') => {
      const result = await dispatcher.dispatch({ id: 'c', name, arguments: args, ...(stopped ? { stopped } : {}) });
      return result.ok ? 'ok' : result.error.code;
    };
    expect(await outcome('echo', '{"text":"a"', 'stop')).toBe('ok');
    expect(await outcome('echo', '{"text":"a"', 'length')).toBe('TRUNCATED_ARGS');
    expect(await outcome('echo', '{"text":"a"')).toBe('TRUNCATED_ARGS');
    expect(await outcome('write_note', '{"path":"a"', 'stop')).toBe('TRUNCATED_ARGS');
  });

  it('rejects an ambiguous repair if the output was truncated and the tool has side effects', async () => {
    const dispatcher = createDispatcher({ registry: [echo, write], permission: allowAll });
    const text = '{"path": "a" "body": "b"}';
    const outcome = async (stopped: 'stop' | 'length') =>
      (await dispatcher.dispatch({ id: 'c', name: 'write_note', arguments: text, stopped })).ok;
    expect([await outcome('stop'), await outcome('length')]).toEqual([true, false]);
  });
});

describe('decodeArgs', () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer', default: 5 } },
    required: ['path'],
    additionalProperties: false,
  } as const;

  it('validates the arguments against the schema that it is given', () => {
    expect(decodeArgs(schema, { arguments: "{path: 'a', limit: '3',}" })).toMatchObject({
      ok: true,
      value: { path: 'a', limit: 3 },
      risk: 'safe',
      coercions: [{ path: '$.limit', code: 'number_parsed' }],
    });
    expect(decodeArgs(schema, { arguments: { path: 'a' } })).toMatchObject({
      ok: true,
      value: { path: 'a', limit: 5 },
    });
    expect(decodeArgs(schema, { arguments: '{"path": 7, "other": 1}' })).toMatchObject({
      ok: false,
      error: {
        code: 'INVALID_ARGS',
        issues: [
          { path: '$.path', code: 'type' },
          { path: '$.other', code: 'unknown_key' },
        ],
      },
    });
    expect(decodeArgs(schema, { arguments: '' })).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
    expect(decodeArgs(schema, { arguments: 'no arguments at all' })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_JSON' },
    });
  });

  it('leaves validation to the caller under the name parseArgs', () => {
    expect(parseArgs(schema, { arguments: '{"path": 7}' })).toMatchObject({ ok: true, value: { path: 7 } });
  });
});
