import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findTypes } from '../scaffold/find-types.ts';
import { createPluginTemplate } from '../scaffold/plugin-template.ts';
import { runCli, type CliResult } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

const call = '<tool_call>{name: "fair_weather_echo", arguments: {text: "hello", times: "2"}}';

async function scaffold(): Promise<{ readonly folder: string; readonly made: CliResult }> {
  const folder = await createTemporaryFolder(onTestFinished);
  return { folder, made: await runHere(['new-plugin', 'fair-weather'], { cwd: folder }) };
}

describe('new-plugin', () => {
  test('creates a plugin in an empty folder that can be called unchanged', async () => {
    const { folder, made } = await scaffold();
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('Made plugins/fair-weather: index.ts, package.json');
    expect(made.stdout).toContain('fair_weather_echo');
    const run = await runCli(['dispatch', '-', '--plugins', 'plugins', '--trust-plugins'], {
      cwd: folder,
      input: call,
    });
    expect(run.stdout).toContain('hello hello');
    expect(run.code).toBe(0);
  });

  test('runs it in a jail unless it is trusted, and not at all without a jail', async () => {
    const { folder } = await scaffold();
    const entry = join(folder, 'plugins/fair-weather/index.ts');
    const text = await readFile(entry, 'utf8');
    const body = "Array.from({ length: times }, () => text).join(' ')";
    expect(text).toContain(body);
    await writeFile(entry, text.replace(body, 'String([process.env.HOME, text, times])'));
    const { code, stdout, stderr } = await runCli(['dispatch', '-', '--plugins', 'plugins'], {
      cwd: folder,
      input: call,
    });
    if (stderr.includes('no jail is available')) {
      expect(stderr).toContain('--trust-plugins runs plugins inside this program');
      expect(code).toBe(1);
    } else {
      expect(stdout).toContain(',hello,2');
      expect(code).toBe(0);
    }
  });

  test('does not overwrite a file', async () => {
    const { folder } = await scaffold();
    await writeFile(join(folder, 'plugins/fair-weather/index.ts'), 'mine');
    const again = await runHere(['new-plugin', 'fair-weather'], { cwd: folder });
    expect(again).toMatchObject({
      code: 2,
      stderr: 'haft: plugins/fair-weather exists already; choose another name\n',
    });
    expect(await readFile(join(folder, 'plugins/fair-weather/index.ts'), 'utf8')).toBe('mine');
  });

  test.each([
    [[], 'new-plugin needs a name'],
    [['../evil'], 'a name has lower-case letters'],
    [['Weather'], 'a name has lower-case letters'],
    [['a'.repeat(50)], 'a name has lower-case letters'],
    [['a', 'b'], 'at most one operand'],
  ])('asks for a valid name: %j', async (names, message) => {
    const folder = await createTemporaryFolder(onTestFinished);
    const { code, stderr } = await runHere(['new-plugin', ...names], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(await readdir(folder)).toEqual([]);
  });
});

const typeScript = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const hasDeclarations = Object.keys(findTypes()).length > 0 && existsSync(typeScript);
if (!hasDeclarations) process.stderr.write('new-plugin.test.ts: types are not checked before the first build\n');

describe.skipIf(!hasDeclarations)('the types of a new plugin', () => {
  const check = (folder: string): Promise<string> =>
    new Promise((resolve) => {
      execFile(process.execPath, [typeScript, '-p', folder], { timeout: 120_000 }, (error, stdout) =>
        resolve(error ? stdout : 'fine'),
      );
    });

  test('are found by an editor, including arguments', async () => {
    const { files } = createPluginTemplate('typed', findTypes());
    const folder = await createTemporaryFolder(onTestFinished, files);
    expect(await check(folder)).toBe('fine');
    await writeFile(join(folder, 'index.ts'), files['index.ts']!.replace('times }, ()', 'text }, ()'));
    expect(await check(folder)).toMatch(/index\.ts.*string/s);
  });
});
