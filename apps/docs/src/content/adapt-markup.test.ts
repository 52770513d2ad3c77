import { describe, expect, it } from 'vitest';

import { anchorOfCode } from './adapt-markup.ts';

describe('anchorOfCode', () => {
  it('returns the code for results of a call', () => {
    expect(anchorOfCode('Results of a call: errorCodes of @haft/core', 'TIMEOUT')).toBe('TIMEOUT');
  });

  it('adds the package for every other list, because lists share codes', () => {
    expect(anchorOfCode('Misuse of core: haftErrorCodes of @haft/core', 'INVALID_OPTION')).toBe('core-INVALID_OPTION');
    expect(anchorOfCode('Jobs: jobsErrorCodes of @haft/jobs', 'INVALID_OPTION')).toBe('jobs-INVALID_OPTION');
  });
});
