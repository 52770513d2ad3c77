import { describe, expect, it } from 'vitest';
import { createTracing } from './create-tracing.ts';

describe('createTracing refuses', () => {
  it.each<[unknown, string]>([
    [null, 'its argument is not valid (expected an object such as { capture: { arguments: true } }, got null)'],
    [{ captures: {} }, 'captures is not an option (did you mean capture?)'],
    [{ capture: true }, 'capture is not valid (expected an object such as { arguments: true }, got true)'],
    [{ capture: { argument: true } }, 'capture.argument is not an option (did you mean arguments?)'],
    [{ capture: { results: 'no' } }, 'capture.results is not valid (expected true or false, got "no")'],
    [{ tracer: 'mine' }, 'tracer is not valid (expected a Tracer of OpenTelemetry, got "mine")'],
    [{ spanName: 'call' }, 'spanName is not valid (expected a function, got "call")'],
    [{ maxCharacters: 0 }, 'maxCharacters is not valid (expected a number above 0, got 0)'],
  ])('%j', (options, message) => {
    const make = (): unknown => createTracing(options as never);
    expect(make).toThrow(`createTracing: ${message}`);
    expect(make).toThrow(expect.objectContaining({ name: 'HaftError', code: 'INVALID_OPTION' }));
  });
});
