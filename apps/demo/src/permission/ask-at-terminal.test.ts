import type { PermissionQuestion } from '@haft/permission';
import { describe, expect, test } from 'vitest';
import { plainPaint } from '../show/paint.ts';
import { createTerminalAsker, describeQuestion } from './ask-at-terminal.ts';
import type { TerminalDevice } from './terminal-device.ts';

function question(args: unknown, more: Partial<PermissionQuestion> = {}): PermissionQuestion {
  return {
    callId: 'c1',
    tool: 'bash',
    provider: 'builtin',
    kind: 'other',
    arguments: args,
    title: 'Run a command',
    reads: [],
    writes: [],
    cwd: '/',
    sessionId: 's',
    reason: 'no rule allows it',
    ...more,
  };
}

/** A terminal whose user types these lines, one per question. */
function typing(...lines: readonly string[]): TerminalDevice & { readonly written: () => string } {
  return typingAtOnce(...lines.map((line) => [line]));
}

/** The same for lines that arrive together, as those of a paste do. */
function typingAtOnce(...groups: readonly (readonly string[])[]): TerminalDevice & { readonly written: () => string } {
  const later = groups.map((lines) => [...lines]);
  let arrived: string[] = [];
  let written = '';
  return {
    paint: plainPaint,
    write: (text) => {
      written += text;
    },
    printAbove: (print) => print(),
    forget: () => {
      arrived = [];
    },
    readLine: async () => {
      if (arrived.length === 0) arrived = later.shift() ?? [];
      return arrived.shift();
    },
    close: () => {},
    written: () => written,
  };
}

const { signal } = new AbortController();

describe('createTerminalAsker', () => {
  test.each([
    ['y', { action: 'allow', scope: 'once' }],
    [' YES ', { action: 'allow', scope: 'once' }],
    ['a', { action: 'allow', scope: 'session' }],
    ['n', { action: 'deny' }],
    ['no, use npm instead', { action: 'deny', reason: 'use npm instead' }],
  ])('reads %j as %j', async (line, expected) => {
    expect(await createTerminalAsker(typing(line))(question({ command: 'ls' }), signal)).toEqual(expected);
  });

  test.each([[['y\n']], [['a\n\n']], [['see', 'y']]])('takes no permission from the pasted lines %j', async (lines) => {
    expect(await createTerminalAsker(typingAtOnce(lines, ['n']))(question({}), signal)).toEqual({ action: 'deny' });
  });

  test('asks again after unclear input, and treats the end of input as a no', async () => {
    const device = typing('', 'constructor', 'yes but', 'y');
    expect(await createTerminalAsker(device)(question({}), signal)).toEqual({ action: 'allow', scope: 'once' });
    expect(device.written().match(/allow\?/g)).toHaveLength(4);
    expect(await createTerminalAsker(typing())(question({}), signal)).toEqual({ action: 'deny' });
  });

  test('shows a long argument completely on request', async () => {
    const command = Array.from({ length: 40 }, (_, index) => `step ${index}`).join('\n');
    const device = typing('s', 'y');
    expect(await createTerminalAsker(device)(question({ command }), signal)).toMatchObject({ action: 'allow' });
    const [before = '', after = ''] = device.written().split('[s]how everything');
    expect(before).not.toContain('step 12');
    expect(after).toContain('step 39');
    const short = typing('n');
    await createTerminalAsker(short)(question({ command: 'ls' }), signal);
    expect(short.written()).not.toContain('[s]how');
  });
});

describe('describeQuestion', () => {
  const text = (args: unknown, more?: Partial<PermissionQuestion>): string =>
    describeQuestion(question(args, more), plainPaint).join('\n');

  test('shows the whole command, whatever its title is', () => {
    expect(text({ command: 'node --test', description: 'Only looks around' }, { title: 'Only looks around' })).toBe(
      ['? bash: Only looks around', '    command: node --test', '    description: Only looks around'].join('\n'),
    );
  });

  test('names the source of a tool that is not built in', () => {
    expect(text({}, { provider: 'dynamic/mcp/github' })).toBe('? bash (from dynamic/mcp/github): Run a command');
  });

  test('removes characters that could hide the question', () => {
    const shown = text({ command: 'rm -rf .\r\u001b[2K\u001b[1Als\u202e' });
    expect(shown).toContain('rm -rf .');
    expect(shown).not.toMatch(/[\r\u001b\u202e]/);
  });

  test('says when an argument is longer than what is shown', () => {
    const shown = text({ content: Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n') });
    expect(shown).toContain('line 11');
    expect(shown).not.toContain('line 12');
    expect(shown).toMatch(/… 389 characters, 50 lines in all/);
  });
});
