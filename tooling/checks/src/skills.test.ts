import { join } from 'node:path';

import { loadSkills } from '@haft/builtins';
import { describe, expect, it } from 'vitest';

import { assertNoProblems, describeProblems } from './problem.ts';
import { findSkillProblems, readSkills, skillsFolder } from './skills.ts';
import { repositoryRoot } from './workspace.ts';

const skill = (head: string, folder = 'make-tea') =>
  describeProblems(findSkillProblems({ folder, path: 'SKILL.md', text: `---\n${head}\n---\n\n# Tea\n` }));
const description = 'description: Makes tea. Use it when a user is thirsty.';

describe('the skills for coding agents', () => {
  it('follow the format of Agent Skills', () => {
    assertNoProblems(readSkills().flatMap((each) => findSkillProblems(each)));
  });

  it('are read by our own library of skills', async () => {
    const { skills, problems } = await loadSkills({ directories: [join(repositoryRoot, skillsFolder)] });
    expect(problems).toEqual([]);
    expect(skills.map(({ name }) => name)).toEqual(
      readSkills()
        .map(({ folder }) => folder)
        .toSorted(),
    );
  });

  it('are reported when a field is missing, unknown or not valid', () => {
    expect(skill(`name: make-tea\n${description}\nlicense: MIT`)).toBe('');
    expect(skill(`name: make-coffee\n${description}`)).toContain('differs from the folder "make-tea"');
    expect(skill(`name: Make--Tea\n${description}`, 'Make--Tea')).toContain('the name "Make--Tea" is not valid');
    expect(skill('name: make-tea')).toContain('the description has 0 characters');
    expect(skill('name: make-tea\ndescription: Makes tea.')).toContain('does not say when to use');
    expect(skill('name: make-tea\ndescription: Use it: always.')).toContain('not plain text in YAML');
    expect(skill(`name: make-tea\n${description}${'x'.repeat(1_024)}`)).toContain('characters');
    expect(skill(`name: make-tea\n${description}\ntools: kettle`)).toContain('the field "tools" is not known');
    expect(describeProblems(findSkillProblems({ folder: 'a', path: 'SKILL.md', text: '# Tea' }))).toContain(
      'no front matter',
    );
  });
});
