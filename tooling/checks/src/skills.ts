import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Problem } from './problem.ts';
import { repositoryRoot } from './workspace.ts';

/** A skill for coding agents, in the format of https://agentskills.io/specification. */
export interface SkillFile {
  /** The name of its folder. */
  readonly folder: string;
  /** Path from the root of the repository, for messages. */
  readonly path: string;
  readonly text: string;
}

/** The folder of the skills. They are in the package that puts them into new projects. */
export const skillsFolder = 'apps/create-haft/skills';

/** Reads the skills. Throws if it finds no skill, because a check that cannot run must fail. */
export function readSkills(): readonly SkillFile[] {
  const skills = readdirSync(join(repositoryRoot, skillsFolder)).map((folder) => {
    const path = `${skillsFolder}/${folder}/SKILL.md`;
    return { folder, path, text: readFileSync(join(repositoryRoot, path), 'utf8') };
  });
  if (skills.length === 0) throw new Error(`${skillsFolder} contains no skill, so there is nothing to check`);
  return skills;
}

const knownFields = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);
const maxLines = 500;

/** Finds violations of the format of Agent Skills, and parts that agents would not find. */
export function findSkillProblems({ folder, path: where, text }: SkillFile): readonly Problem[] {
  const [, head, body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? [];
  if (head === undefined) {
    return [{ where, what: 'it has no front matter', remedy: 'Begin with a line "---", name, description, and "---"' }];
  }
  const problems: Problem[] = [];
  const report = (what: string, remedy: string): void => void problems.push({ where, what, remedy });
  const fields = new Map(
    head
      .split('\n')
      .filter((line) => /^\S/.test(line))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const),
  );
  for (const field of fields.keys()) {
    if (!knownFields.has(field)) report(`the field "${field}" is not known`, `Use only ${[...knownFields].join(', ')}`);
  }
  const name = fields.get('name') ?? '';
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64) {
    report(`the name "${name}" is not valid`, 'Use 1 to 64 lower-case letters, digits and single hyphens');
  }
  if (name !== folder) report(`the name "${name}" differs from the folder "${folder}"`, 'Make the two equal');
  const description = fields.get('description') ?? '';
  if (description === '' || description.length > 1024) {
    report(`the description has ${description.length} characters`, 'Write 1 to 1024 characters on one line');
  }
  if (/: |^["'[{&*!|>%@`]/.test(description)) {
    report('the description is not plain text in YAML', 'Write it without ": ", and begin with a letter');
  }
  if (!/\bUse it\b/.test(description)) {
    report('the description does not say when to use the skill', 'Add a sentence that begins with "Use it"');
  }
  const lines = body.split('\n').length;
  if (lines > maxLines) report(`it has ${lines} lines`, `Shorten it to ${maxLines}, or move details into other files`);
  return problems;
}
