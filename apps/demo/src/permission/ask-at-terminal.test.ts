import type { PermissionRequest } from '@haft/core';
import { describe, expect, test } from 'vitest';
import { plainPaint } from '../show/paint.ts';
import { createTerminalAsker, describeQuestion } from './ask-at-terminal.ts';
import type { TerminalDevice } from './terminal-device.ts';

function request(args: unknown, more: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    callId: 'c',
    tool: 'bash',
    provider: 'builtin',
    kind: 'other',
    traits: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      pure: false,
      sideEffects: 'external',
      requires: [],
    },
    arguments: args,
    footprint: { reads: [], writes: ['*'] },
    title: 'Run a command',
    cwd: '/',
    sessionId: 's',
    signal: new AbortController().signal,
    ...more,
  };
}

/** A terminal whose person types these lines, one a question. */
function typing(...lines: readonly string[]): TerminalDevice & { readonly written: () => string } {
  const left = [...lines];
  let written = '';
  return {
    paint: plainPaint,
    write: (text) => {
      written += text;
    },
    readLine: async () => left.shift(),
    close: () => {},
    written: () => written,
  };
}

describe('createTerminalAsker', () => {
  test.each([
    ['y', 'once'],
    [' YES ', 'once'],
    ['a', 'session'],
    ['n', 'no'],
  ] as const)('takes %j for %s', async (line, expected) => {
    expect(await createTerminalAsker(typing(line))(request({ command: 'ls' }))).toBe(expected);
  });

  test('asks again until it understands, and takes the end of input for a no', async () => {
    const device = typing('', 'constructor', 'y');
    expect(await createTerminalAsker(device)(request({}))).toBe('once');
    expect(device.written().match(/allow\?/g)).toHaveLength(3);
    expect(await createTerminalAsker(typing())(request({}))).toBe('no');
  });

  test('asks one question at a time, and nothing once the call is cancelled', async () => {
    const device = typing('n', 'y');
    const asker = createTerminalAsker(device);
    const both = await Promise.all([asker(request({ command: 'first' })), asker(request({ command: 'second' }))]);
    expect(both).toEqual(['no', 'once']);
    expect(device.written().indexOf('first')).toBeLessThan(device.written().indexOf('second'));
    const before = device.written();
    expect(await asker(request({}, { signal: AbortSignal.abort() }))).toBe('no');
    expect(device.written()).toBe(before);
  });
});

describe('describeQuestion', () => {
  const text = (args: unknown): string => describeQuestion(request(args), plainPaint).join('\n');

  test('shows the whole command', () => {
    expect(text({ command: 'node --test', timeout_ms: 5 })).toBe(
      ['? bash: Run a command', '    command: node --test', '    timeout_ms: 5'].join('\n'),
    );
  });

  test('lets nothing through that could hide what is asked', () => {
    const shown = text({ command: 'rm -rf .\r\u001b[2K\u001b[1Als\u202e' });
    expect(shown).toContain('rm -rf .');
    expect(shown).not.toMatch(/[\r\u001b\u202e]/);
  });

  test('says when an argument is longer than what it shows', () => {
    const shown = text({ content: Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n') });
    expect(shown).toContain('line 11');
    expect(shown).not.toContain('line 12');
    expect(shown).toMatch(/… 389 characters in all/);
  });
});
