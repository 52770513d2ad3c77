import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';

import { commands } from '../commands/list.ts';
import { runHere } from '../testing/run-here.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';
import { configurableOptions, describeConfiguration } from './configuration-schema.ts';
import { readConfiguration } from './read-configuration.ts';

const options = configurableOptions(commands);

const folderWith = (files: Readonly<Record<string, string>>): Promise<string> =>
  createTemporaryFolder(onTestFinished, files);

describe('the configuration', () => {
  test('is empty without a file', async () => {
    expect(await readConfiguration(await createTemporaryFolder(onTestFinished), undefined, options)).toEqual(new Map());
  });

  test('is read from haft.config.json, and from a named module', async () => {
    const folder = await folderWith({
      'haft.config.json': '{"$schema": "./x.json", "plugins": "own"}',
      'mine.config.ts': 'export default { plugins: "other", yes: true as boolean };',
    });
    expect(await readConfiguration(folder, undefined, options)).toEqual(new Map([['plugins', 'own']]));
    expect([...(await readConfiguration(folder, 'mine.config.ts', options))]).toEqual([
      ['plugins', 'other'],
      ['yes', true],
    ]);
  });

  test.each([
    ['{"plugin": "x"}', 'haft.config.json: unknown option "plugin"; did you mean plugins?'],
    ['{"plugins": 5}', 'haft.config.json: plugins is not valid (expected a text, got 5)'],
    ['[]', 'haft.config.json: expected an object such as { "plugins": "plugins" }'],
    ['{"plugins": ', 'haft.config.json: not valid JSON ('],
    ['{"yes": true}', 'haft.config.json: yes is read only from a file that you name'],
    ['{"no-jail": true}', 'haft.config.json: no-jail is read only from a file that you name'],
    ['{"base-url": "https://a.example"}', 'haft.config.json: base-url is read only from a file that you name'],
  ])('is refused in one line: %s', async (text, message) => {
    const folder = await folderWith({ 'haft.config.json': text });
    await expect(readConfiguration(folder, undefined, options)).rejects.toThrow(message);
    const { code, stdout, stderr } = await runHere(['tools'], { cwd: folder });
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toContain(message);
  });

  test('is not read from a module that the user did not name, and says so', async () => {
    const folder = await folderWith({ 'haft.config.ts': 'throw new Error("it ran");' });
    const notes: string[] = [];
    expect(await readConfiguration(folder, undefined, options, (text) => notes.push(text))).toEqual(new Map());
    expect(notes).toEqual([
      'haft.config.ts is a program, so it is not read unless you name it: --config haft.config.ts',
    ]);
    await expect(readConfiguration(folder, 'haft.config.ts', options)).rejects.toThrow('haft.config.ts: it ran');
  });

  test('has a schema that lists all options', () => {
    const schema: unknown = JSON.parse(readFileSync(new URL('../../haft.config.schema.json', import.meta.url), 'utf8'));
    expect(schema, 'run node --conditions=@haft/source apps/demo/src/configuration/write-schema.ts').toEqual(
      describeConfiguration(commands),
    );
  });
});

test('a wrong value of an option names the file that sets it', async () => {
  const folder = await folderWith({ 'haft.config.json': '{"plugins": "nope"}' });
  const refused = await runHere(['tools'], { cwd: folder });
  expect([refused.code, refused.stderr]).toEqual([2, 'haft: haft.config.json: plugins nope: no such folder\n']);
  const given = await runHere(['tools', '--plugins', 'none'], { cwd: folder });
  expect([given.code, given.stderr]).toEqual([2, 'haft: --plugins none: no such folder\n']);
});

test('options of the configuration apply, and those of the command line come first', async () => {
  const folder = await folderWith({ 'mine.json': '{"json": true, "yes": true}', 'bad.json': '{"plugins": "nowhere"}' });
  const asJson = await runHere(['tools', '--config', 'mine.json'], { cwd: folder });
  expect(JSON.parse(asJson.stdout)).toContainEqual(expect.objectContaining({ name: 'read' }));
  const missing = await runHere(['tools', '--config', 'gone.json'], { cwd: folder });
  expect([missing.code, missing.stderr]).toEqual([2, 'haft: --config gone.json: no such file\n']);
});
