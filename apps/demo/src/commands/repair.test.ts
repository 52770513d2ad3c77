import { describe, expect, onTestFinished, test } from 'vitest';
import type { CliResult } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

async function repair(input: string, ...options: readonly string[]): Promise<CliResult> {
  return runHere(['repair', '-', ...options], { cwd: await createTemporaryFolder(onTestFinished, {}), input });
}

describe('haft repair', () => {
  test('prints the JSON, and says on standard error what it repaired and where', async () => {
    const { code, stdout, stderr } = await repair(`{guests: 3,\n'room': "blue",}`);
    expect([code, JSON.parse(stdout)]).toEqual([0, { guests: 3, room: 'blue' }]);
    expect(stderr).toMatch(/^haft: line 1, column 2: unquoted-key: "guests"$/m);
    expect(stderr).toMatch(/^haft: line 2, column 15: trailing-comma: dropped ","$/m);
  });

  test('says nothing about valid JSON', async () => {
    expect(await repair('[1]')).toMatchObject({ code: 0, stdout: '[\n  1\n]\n', stderr: '' });
  });

  test('prints no value for a text that is cut, and exits with 1', async () => {
    const { code, stdout, stderr } = await repair('{"guests": 3, "room": "blu');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('may be cut, so its value must not be used (--stopped stop says');
    const done = await repair('{"guests": 3, "rooms": [2,', '--stopped', 'stop');
    expect([done.code, done.stdout]).toEqual([1, '']);
    expect(done.stderr).toContain('may be cut, so its value must not be used (--json shows the value)');
    expect(await repair('{"room": "blue"', '--stopped', 'stop')).toMatchObject({ code: 0 });
  });

  test('prints everything as one JSON value on request', async () => {
    const { code, stdout, stderr } = await repair('{a: 1,}', '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, value: { a: 1 }, risk: 'safe', complete: true });
  });

  test('explains a text without JSON, and a wrong option, in one line', async () => {
    const { code, stdout, stderr } = await repair('hello');
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(await repair('1', '--stopped', 'x')).toMatchObject({
      code: 2,
      stderr: 'haft: --stopped x: expected stop or length\n',
    });
  });
});
