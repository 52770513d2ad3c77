import { join, relative, sep } from 'node:path';
import { failure, success, toolError, type AnyTool, type ErrorCode, type ToolError, type ToolResult } from '@haft/core';
import { cleanText, listConfinedDirectory, resolvePath } from '@haft/sandbox';
import { findNearestNames } from '@haft/core';
import { z } from 'zod';
import type { BuiltinDependencies } from '../../options/builtin-dependencies.ts';
import { defineBuiltin, type BuiltinCall } from '../../definition/define-builtin.ts';
import { readsFiles } from '../../definition/tool-traits.ts';
import { readSkillMatter } from '../../skills/skill-matter.ts';
import { readSkillText, type Skill, type SkillLibrary } from '../../skills/skill-library.ts';

const input = z.strictObject({
  name: z.string().min(1).max(100).describe('The skill, by its name in the list.'),
  file: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe('A file of the skill to read instead, such as "references/forms.md".'),
});

/** Maximum total length of all names and descriptions in the tool's description, in characters. */
const catalogCharacters = 8_000;
const maxFiles = 50;
const deepest = 3;

/** Creates the `skill` tool, which returns instructions for a kind of work on demand. */
export function createSkillTool(dependencies: BuiltinDependencies = {}): AnyTool {
  const library = dependencies.skills;
  return defineBuiltin('createSkillTool', dependencies, {
    name: 'skill',
    title: 'Read a skill',
    description: () => describeSkills(library?.skills ?? []),
    input,
    kind: 'read',
    traits: readsFiles,
    aliases: { name: ['skill', 'skill_name', 'skillName'], file: ['path', 'resource', 'file_path'] },
    footprint: ({ name }) => ({ reads: [`skill:${name}`] }),
    initialTitle: ({ name, file }) =>
      `Read the skill ${JSON.stringify(name)}${file === undefined ? '' : `: ${JSON.stringify(file)}`}`,
    available: () => (library && library.skills.length > 0 ? true : { reason: 'no skills are set up' }),
    run: (args, call) => read(args, call, library),
  });
}

const purpose =
  'Returns the instructions of a skill: how people do a kind of work here. When a task matches one of those below, read it before you begin, and follow it. ' +
  "Pass file to read a file that a skill mentions. Don't read a skill twice in a conversation.";

function describeSkills(skills: readonly Skill[]): string {
  const shown = skills.filter(({ isHidden }) => !isHidden);
  const lines: string[] = [];
  let left = catalogCharacters;
  for (const { name, description } of shown) {
    const line = `- ${name}: ${description}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  // Lists skills without room for their description by name.
  const rest = shown.slice(lines.length).map(({ name }) => name);
  const more = rest.length === 0 ? [] : [`Also: ${rest.slice(0, 100).join(', ')}${rest.length > 100 ? ', …' : ''}`];
  return [purpose, ...(shown.length === 0 ? ['No skills now.'] : ['Skills:']), ...lines, ...more].join('\n');
}

async function read(
  args: z.output<typeof input>,
  { context }: BuiltinCall,
  library: SkillLibrary | undefined,
): Promise<ToolResult> {
  const { callId } = context;
  if (!library)
    return failure(
      callId,
      toolError('TOOL_UNAVAILABLE', 'no skills are set up here', {
        retryable: false,
        hint: 'Continue without a skill.',
      }),
    );
  const skill = library.skills.find(({ name }) => name === args.name);
  if (!skill) return failure(callId, unknownSkill(args.name, library.skills));
  if (args.file !== undefined) return readFile(callId, skill, args.file);
  const content = await readSkillText(skill);
  if ('reason' in content) return failure(callId, unreadable(skill.name, 'its document', content));
  const matter = await readSkillMatter(content.text);
  const body = cleanText(typeof matter === 'string' ? content.text : matter.body).trim();
  const files = skill.directory === undefined ? [] : await listFiles(skill.root, skill.directory);
  const lines = [
    `Skill ${skill.name}${skill.directory === undefined ? '' : `, in ${skill.directory}`}`,
    '',
    body === '' ? '(It has no instructions.)' : body,
    ...(files.length === 0 ? [] : ['', `Files of the skill, to be read with file: ${files.join(', ')}`]),
  ];
  return success(callId, lines.join('\n'), {
    summary: `Read: the skill ${skill.name}`,
    metadata: { name: skill.name, file: skill.file, files },
    effects: [{ kind: 'file', path: skill.file, op: 'read' }],
  });
}

async function readFile(callId: string, skill: Skill, given: string): Promise<ToolResult> {
  const { directory, name } = skill;
  if (directory === undefined) {
    const hint = `Call skill with name "${name}" alone.`;
    return failure(callId, toolError('NOT_FOUND', `the skill ${name} is a single document and has no files`, { hint }));
  }
  const file = resolvePath({ cwd: directory, path: given });
  const content = await readSkillText({ root: directory, file });
  if ('reason' in content) {
    const files = await listFiles(skill.root, directory);
    return failure(callId, unreadable(name, JSON.stringify(given), content, files));
  }
  return success(callId, cleanText(content.text), {
    summary: `Read: ${given.slice(0, 100)} of the skill ${name}`,
    metadata: { name, file },
    effects: [{ kind: 'file', path: file, op: 'read' }],
  });
}

/** Lists the files of a skill, except its main document, by relative path. */
async function listFiles(root: string, folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    const listing = await listConfinedDirectory([root], path, { maxEntries: 500 });
    for (const { name, kind } of listing.ok ? listing.entries : []) {
      if (files.length >= maxFiles || name.startsWith('.')) continue;
      const below = join(path, name);
      if (kind === 'directory' && depth < deepest) await visit(below, depth + 1);
      const shown = relative(folder, below).split(sep).join('/');
      if (kind === 'file' && shown !== 'SKILL.md')
        files.push(/[\u0000-\u001f\u007f]/.test(shown) ? JSON.stringify(shown) : shown);
    }
  };
  await visit(folder, 0);
  return files;
}

const codes: Readonly<Record<string, ErrorCode>> = {
  NOT_FOUND: 'NOT_FOUND',
  NOT_DIRECTORY: 'NOT_FOUND',
  OUTSIDE_ROOTS: 'OUTSIDE_READ_ROOTS',
  IS_DIRECTORY: 'IS_DIRECTORY',
  FILE_TOO_LARGE: 'FILE_TOO_LARGE',
  NOT_REGULAR_FILE: 'NOT_REGULAR_FILE',
  BINARY_FILE: 'BINARY_FILE',
};

function unreadable(
  name: string,
  what: string,
  { reason, code }: { readonly reason: string; readonly code: string },
  files: readonly string[] = [],
): ToolError {
  const known = files.length === 0 ? reason : `Files of the skill: ${files.join(', ')}`;
  return toolError(
    Object.hasOwn(codes, code) ? codes[code]! : 'READ_ERROR',
    `can't read ${what} of the skill ${name}`,
    {
      hint: known,
      details: { sandboxCode: code },
    },
  );
}

function unknownSkill(name: string, skills: readonly Skill[]): ToolError {
  const names = skills.filter(({ isHidden }) => !isHidden).map((skill) => skill.name);
  const nearest = findNearestNames(name, names, 3);
  const listed = nearest.length > 0 ? nearest : names.slice(0, 30);
  return toolError('NOT_FOUND', `there is no skill ${JSON.stringify(name)}`, {
    hint:
      listed.length === 0
        ? 'There are no skills now. Continue without.'
        : `Use one of ${listed.join(', ')}, or continue without.`,
  });
}
