import { describe, expect, it } from 'vitest';
import { HaftError } from '../haft-error.ts';
import { renderForModel } from './render-for-model.ts';
import { toolError, transient, validation } from './tool-error.ts';
import { failure, isToolResult, success } from './tool-result.ts';

describe('renderForModel', () => {
  it('renders content, then advisories', () => {
    expect(renderForModel(success('1', 'done', { advisories: ['look again'] }))).toBe('done\nNote: look again');
    expect(renderForModel(success('1'))).toBe('(no output)');
  });

  it('renders everything that helps the model after a failure', () => {
    const error = toolError('EXIT_CODE', 'the command ended with 2', { hint: 'Read the output.' });
    const text = renderForModel(failure('1', error, { content: 'lib.c:1: error' }));
    expect(text).toBe('Error EXIT_CODE: the command ended with 2\nRead the output.\nlib.c:1: error');
    const issue = { path: '$.a', code: 'type', expected: 'integer', received: 'string "x"', message: 'm' } as const;
    expect(renderForModel(failure('1', validation('edit', 'bad', { issues: [issue] })))).toContain(
      '$.a: expected integer, received string "x"',
    );
  });

  it('renders a failure with a custom code according to its fault', () => {
    const error = toolError('OUT_OF_STOCK', 'there are 3', { fault: 'world', hint: 'Take 3.' });
    expect(error).toMatchObject({ fault: 'world', retryable: false });
    expect(renderForModel(failure('1', error))).toBe('Error OUT_OF_STOCK: there are 3\nTake 3.');
    expect(toolError('BUSY', 'm', { fault: 'world', retryable: true }).retryable).toBe(true);
    expect(() => toolError('NOT_FUOND' as never, 'm')).toThrow(`"NOT_FUOND" is not a code of Haft`);
    expect(() => toolError('constructor' as never, 'm')).toThrow(HaftError);
  });

  it('hides the details of a host fault from the model', () => {
    const error = toolError('EXECUTION_ERROR', 'ENOENT /srv/secret/db', { cause: new Error('/srv/secret/db') });
    expect(renderForModel({ ...failure('1', error), name: 'query' })).toBe(
      'Error EXECUTION_ERROR: the tool query failed internally; this is not your mistake.',
    );
    expect(renderForModel({ ...failure('1', error), name: '' })).toContain('the tool call failed internally');
    const undecided = { ...failure('1', toolError('PERMISSION_ENGINE_FAILED', 'db down')), name: 'write' };
    expect(renderForModel(undecided)).toMatch(/permission for write could not be decided/);
    expect(renderForModel(failure('1', transient('fetch', new Error('reset'))))).toContain('fetch: reset');
  });

  it('describes the problem with an invalid result', () => {
    expect(() => renderForModel(Promise.resolve(success('1', 'x')) as never)).toThrow('await it');
    expect(() => renderForModel([success('1', 'x')] as never)).toThrow('render each result');
    expect(() => renderForModel({} as never)).toThrow('(expected a tool result, got another object)');
    expect(() => renderForModel(undefined as never)).toThrow('(expected a tool result, got undefined)');
  });

  it('describes binary data and resources without including them', () => {
    const image = { type: 'image', mediaType: 'image/png', data: new Uint8Array(3) } as const;
    const resource = {
      type: 'resource',
      resource: { uri: 'a:b', name: 'b', type: 'text/plain', read: () => '' },
    } as const;
    expect(renderForModel(success('1', [image, resource, { type: 'json', value: { a: 1 } }]))).toBe(
      '[image image/png, 3 bytes]\n[resource a:b (text/plain)]\n{"a":1}',
    );
  });
});

describe('isToolResult', () => {
  it('accepts only results, also after a JSON round trip', () => {
    expect(isToolResult(JSON.parse(JSON.stringify(success('1', 'x'))))).toBe(true);
    expect(isToolResult(JSON.parse(JSON.stringify(failure('1', toolError('TIMEOUT', 'm')))))).toBe(true);
    for (const value of [
      null,
      {},
      { ok: true },
      { ok: false, callId: '1', content: [] },
      { ok: 'yes', callId: '1', content: [] },
    ]) {
      expect(isToolResult(value)).toBe(false);
    }
  });
});
