import { describe, expect, it } from 'vitest';
import { failure } from './tool-result.ts';

describe('failure', () => {
  it.each([
    ['oops', '"oops"'],
    [undefined, 'undefined'],
    [new Error('oops'), 'an object'],
    [{ code: 'NOT_FOUND', message: 'no fault' }, 'an object'],
  ])('rejects %o, which is not a tool error', (error, shown) => {
    expect(() => failure('c1', error as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_OPTION',
        message: `failure: error is not valid (expected a tool error, such as toolError('NOT_FOUND', 'there is no such order') creates, got ${shown})`,
      }),
    );
  });
});
