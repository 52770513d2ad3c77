import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDispatcher, renderForModel } from '@haft/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBuiltins } from '../../create/create-builtins.ts';
import { codeOf, createGround } from '../../fixtures/create-ground.ts';
import { loadSkills, type SkillLibrary } from '../../skills/skill-library.ts';
import { createSkillTool } from './skill-tool.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'haft-skills-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (name: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(base, name)), { recursive: true });
  writeFileSync(join(base, name), content);
};
const skillText = (name: string, description = `About ${name}.`, body = `Do ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
const load = (...folders: string[]): Promise<SkillLibrary> =>
  loadSkills({ directories: folders.map((folder) => join(base, folder)) });
const say = async (skills: SkillLibrary, args: object): Promise<string> => {
  const ground = createGround({ builtins: { skills } });
  const said = await ground.say('skill', args);
  ground.remove();
  return said;
};

describe('skill', () => {
  it('returns the content of a skill and the list of its files', async () => {
    put('s/release/SKILL.md', skillText('release', '>-\n  How a release\n  is made', '# Release\n\nRun the checks.'));
    put('s/release/references/checks.md', 'one\n');
    put('s/release/.hidden', 'x');
    put('s/style.md', skillText('style'));
    const skills = await load('s', 'missing');
    expect(skills.skills.map(({ name, description }) => [name, description])).toEqual([
      ['release', 'How a release is made'],
      ['style', 'About style.'],
    ]);
    expect(await say(skills, { name: 'release' })).toBe(
      `Skill release, in ${join(base, 's/release')}\n\n# Release\n\nRun the checks.\n\nFiles of the skill, to be read with file: references/checks.md`,
    );
    expect(await say(skills, { skill_name: 'release', path: 'references/checks.md' })).toBe('one\n');
    expect(await say(skills, { name: 'style' })).toBe('Skill style\n\nDo style.');
    expect(await say(skills, { name: 'style', file: 'x.md' })).toContain('a single document');
    expect(await say(skills, { name: 'releases' })).toBe(
      'Error NOT_FOUND: there is no skill "releases"\nUse one of release, or continue without.',
    );
  });

  it('lists the available skills in its description up to the size limit', async () => {
    put('s/small.md', skillText('small'));
    const skills = await load('s');
    const tool = createSkillTool({ skills });
    expect(tool.describe!({ model: undefined, has: () => true })).toMatch(/\nSkills:\n- small: About small\.$/);
    for (let index = 0; index < 20; index += 1) put(`s/b${index}.md`, skillText(`b${index}`, 'x'.repeat(900)));
    put('s/secret.md', '---\nname: secret\ndescription: d\ndisable-model-invocation: true\n---\n');
    await skills.refresh();
    const description = tool.describe!({ model: undefined, has: () => true });
    expect(description.length).toBeLessThan(9_000);
    expect(description).toMatch(/\nAlso: .*small$/);
    expect(description).not.toContain('secret');
  });

  it('prefers the skill in the later directory', async () => {
    put('a/x.md', skillText('x', 'first'));
    put('b/x/SKILL.md', skillText('x', 'second'));
    expect((await load('a', 'b')).skills).toMatchObject([{ name: 'x', description: 'second' }]);
    expect((await load('b', 'a')).skills).toMatchObject([{ name: 'x', description: 'first' }]);
  });

  it.each([
    ['no front matter', 'Do it.', /does not begin with/],
    ['front matter without an end', '---\nname: x\n', /closing --- line/],
    ['front matter that goes on and on', `---\nname: x\ndescription: ${'y'.repeat(20_000)}\n---\n`, /closing --- line/],
    ['no YAML', '---\nname: [x\n---\n', /not YAML/],
    ['fields twice', '---\nname: x\nname: x\ndescription: d\n---\n', /not YAML/],
    ['a list', '---\n- x\n---\n', /has no fields/],
    ['references', `---\na: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nname: x\ndescription: d\n---\n`, /references/],
    ['another name', skillText('y'), /field name must be "x"/],
    ['no description', '---\nname: x\n---\n', /no description/],
    ['a description that is invalid', '---\nname: x\ndescription: [a]\n---\n', /no description/],
    ['bytes', Buffer.from([0x2d, 0, 1]), /not text/],
    ['too much', `${skillText('x')}${'y'.repeat(100_001)}`, /too large/],
  ])('reports a skill with %s as invalid in problems', async (_, content, reason) => {
    put('s/x.md', content);
    put('s/good.md', skillText('good'));
    const { skills, problems } = await load('s');
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toEqual([{ path: join(base, 's/x.md'), reason: expect.stringMatching(reason) }]);
  });

  it.each(['X', 'a_b', '-a', 'a-', 'a'.repeat(65), '__proto__'])('rejects the name %j', async (name) => {
    put(`s/${name}.md`, skillText(name));
    const { skills, problems } = await load('s');
    expect([skills, problems.length]).toEqual([[], 1]);
  });

  it('reads no file outside the skill by name or by link', async () => {
    put('outside/secret.md', 'secret');
    put('s/x/SKILL.md', skillText('x'));
    put('s/other/SKILL.md', skillText('other', 'd', 'secret of another'));
    symlinkSync(join(base, 'outside'), join(base, 's/linked'));
    symlinkSync(join(base, 'outside/secret.md'), join(base, 's/x/link.md'));
    symlinkSync(join(base, 'outside/secret.md'), join(base, 's/direct.md'));
    const skills = await load('s');
    expect(skills.skills.map(({ name }) => name)).toEqual(['other', 'x']);
    for (const file of [
      'link.md',
      '../../outside/secret.md',
      '../other/SKILL.md',
      join(base, 'outside/secret.md'),
      '/etc/passwd',
      '~/x',
    ]) {
      const ground = createGround({ builtins: { skills } });
      const result = await ground.call('skill', { name: 'x', file });
      expect([file, codeOf(result)]).toEqual([file, 'OUTSIDE_READ_ROOTS']);
      expect(renderForModel(result)).not.toContain('secret of');
      ground.remove();
    }
    expect(codeOf(await createGround({ builtins: { skills } }).call('skill', { name: 'x', file: 'no.md' }))).toBe(
      'NOT_FOUND',
    );
  });

  it('always returns the current content', async () => {
    put('s/x.md', skillText('x', 'd', 'old'));
    const skills = await load('s');
    put('s/x.md', skillText('x', 'd', 'new'));
    expect(await say(skills, { name: 'x' })).toContain('new');
    rmSync(join(base, 's/x.md'));
    expect(await say(skills, { name: 'x' })).toMatch(/^Error NOT_FOUND: can't read its document of the skill x/);
  });

  it('reports that no skills exist', async () => {
    const bare = createDispatcher({ registry: [createSkillTool()] });
    expect(codeOf(await bare.dispatch({ id: '1', name: 'skill', arguments: { name: 'x' } }))).toBe('TOOL_UNAVAILABLE');
    expect(await createSkillTool().available!()).toEqual({ reason: 'no skills are set up' });
    expect(createBuiltins().map(({ name }) => name)).not.toContain('skill');
    expect(() => createBuiltins({ skills: {} as never })).toThrow(/skills is not valid/);
    await expect(loadSkills({ directories: ['relative'] })).rejects.toThrow(
      /directories\[0\] is not valid \(expected an absolute path, got "relative"\)/,
    );
  });
});
