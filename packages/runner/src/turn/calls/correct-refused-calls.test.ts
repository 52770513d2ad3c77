import { describe, expect, it } from 'vitest';
import { correctionFor } from './correct-refused-calls.ts';

describe('correctionFor', () => {
  it('asks for the name of the tool if a call has none, and for arguments otherwise', () => {
    const { content } = correctionFor([{ reason: 'invalid_json' }, { reason: 'invalid_json', name: 'ping' }], ['ping']);
    expect(content).toContain('A call in it could not be read or does not name its tool');
    expect(content).toContain('with the name of the tool and one JSON object of arguments.');
    expect(content).toContain('The call of ping could not be read, so nothing was done. Send it again with arguments');
  });
});
