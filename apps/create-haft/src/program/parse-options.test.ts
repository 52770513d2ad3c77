import { describe, expect, it } from 'vitest';

import { parseOptions } from './parse-options.ts';

describe('parseOptions', () => {
  it('leaves values undefined that no option sets', () => {
    expect(parseOptions([])).toEqual({
      folder: undefined,
      template: undefined,
      packageManager: undefined,
      install: undefined,
      merge: false,
      yes: false,
      help: false,
      version: false,
    });
  });

  it('reads every option, long and short, before and after the folder', () => {
    const expected = {
      folder: 'x',
      template: 'plugin',
      packageManager: 'pnpm',
      install: false,
      merge: true,
      yes: true,
    };
    const long = ['--template=plugin', 'x', '--package-manager', 'pnpm', '--no-install', '--merge', '--yes'];
    expect(parseOptions(long)).toMatchObject(expected);
    expect(parseOptions(['x', '-t', 'plugin', '-p', 'pnpm', '--no-install', '--merge', '-y'])).toMatchObject(expected);
    expect(parseOptions(['--install']).install).toBe(true);
    expect(parseOptions(['-h'])).toMatchObject({ help: true });
    expect(parseOptions(['-v'])).toMatchObject({ version: true });
  });

  it.each([
    [['--templat', 'agent'], '--templat: unknown option (expected one of --template,'],
    [['--template'], '--template: the value is missing'],
    [['--template', '--yes'], '--template: the value is missing'],
    [['--template='], '--template: the value is missing'],
    [['--template', 'agnet'], 'expected one of agent, mcp-server, plugin, ai-sdk, next-chat, got "agnet"'],
    [['-p', 'deno'], '--package-manager: not supported (expected one of npm, pnpm, yarn, bun, got "deno")'],
    [['--yes=no'], '--yes takes no value'],
    [['--install', '--no-install'], 'contradict each other'],
    [['my', 'project'], 'only one folder can be created'],
    [['shop', 'agent'], 'npm needs -- in front of options: npm create haft shop -- --template agent'],
    [['agent', 'shop'], 'npm create haft shop -- --template agent'],
    [['shop', 'pnpm'], 'npm create haft shop -- --package-manager pnpm'],
  ])('rejects %j and says what to write', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});
