import { join } from 'node:path';
import { cleanText, decodeText, listConfinedDirectory, readConfinedFile, statConfined } from '@haft/sandbox';
import { absolutePathKind, arrayOf, checkOptions, required, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import { readSkillMatter } from './skill-matter.ts';

/** The metadata of a skill. */
export interface Skill {
  readonly name: string;
  /** The purpose of the skill, on one line. */
  readonly description: string;
  /** The directory of the skill; absent for a single file. */
  readonly directory?: string;
  /** The path of the document. */
  readonly file: string;
  /** The directory that was searched. Links must not lead out of it. */
  readonly root: string;
  /** Whether the skill is omitted from the list for models. */
  readonly isHidden: boolean;
}

/** The skills in some directories. */
export interface SkillLibrary {
  /** The skills, sorted by name. */
  readonly skills: readonly Skill[];
  /** Files and folders that are not valid skills, and why. */
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
  /** Reads the directories again. */
  refresh(): Promise<void>;
}

/** Options of {@link loadSkills}. */
export interface SkillLibraryOptions {
  /**
   * Absolute directories with `<name>/SKILL.md` or `<name>.md`. Later directories take precedence. Missing directories
   * count as empty.
   */
  readonly directories: readonly string[];
}

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const maxDescriptionLength = 1_024;
/** The maximum size of a skill's document, in bytes. */
export const maxSkillBytes = 100_000;
const maxEntries = 1_000;

const table: OptionTable<SkillLibraryOptions> = {
  directories: required(arrayOf(absolutePathKind, 'a list of absolute folders')),
};

/**
 * Loads skills: directories with a `SKILL.md`, or single documents. A skill begins with YAML that contains its `name`,
 * which equals the name of the directory or file, and its `description`. Invalid skills are listed in `problems`.
 *
 * @throws BuiltinsError `INVALID_OPTION`.
 */
export async function loadSkills(options: SkillLibraryOptions): Promise<SkillLibrary> {
  checkOptions('loadSkills', options, table, '{ directories: ["/project/skills"] }', invalidOption);
  const { directories } = options;
  let found = await findAll(directories);
  return {
    get skills() {
      return found.skills;
    },
    get problems() {
      return found.problems;
    },
    async refresh() {
      found = await findAll(directories);
    },
  };
}

interface Found {
  readonly skills: readonly Skill[];
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
}

async function findAll(folders: readonly string[]): Promise<Found> {
  const byName = new Map<string, Skill>();
  const problems: { path: string; reason: string }[] = [];
  for (const root of folders) {
    const listing = await listConfinedDirectory([root], root, { maxEntries });
    if (!listing.ok) {
      if (listing.code !== 'NOT_FOUND') problems.push({ path: root, reason: listing.code });
      continue;
    }
    for (const { name: entry } of listing.entries) {
      const place = await findDocument(root, entry);
      if (place === undefined) continue;
      const skill = await readSkill(root, place);
      if (typeof skill === 'string') problems.push({ path: place.file, reason: skill });
      else byName.set(skill.name, skill);
    }
  }
  const skills = [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { skills, problems };
}

interface Place {
  readonly name: string;
  readonly file: string;
  readonly directory?: string;
}

async function findDocument(root: string, entry: string): Promise<Place | undefined> {
  if (entry.startsWith('.')) return undefined;
  const path = join(root, entry);
  const status = await statConfined([root], path);
  if (!status.ok) return undefined;
  if (status.kind === 'file') return entry.endsWith('.md') ? { name: entry.slice(0, -3), file: path } : undefined;
  if (status.kind !== 'directory') return undefined;
  const file = join(path, 'SKILL.md');
  return (await statConfined([root], file)).ok ? { name: entry, file, directory: path } : undefined;
}

/** Reads the metadata of a skill, or returns what is wrong with it. */
async function readSkill(root: string, { name, file, directory }: Place): Promise<Skill | string> {
  const read = await readSkillText({ root, file });
  if ('reason' in read) return read.reason;
  const matter = await readSkillMatter(read.text);
  if (typeof matter === 'string') return matter;
  const { fields } = matter;
  const { description } = fields;
  if (!namePattern.test(name)) return 'its name must be lower-case letters, digits and dashes, at most 64';
  if (fields['name'] !== name)
    return `its field name must be ${JSON.stringify(name)}, like its ${directory === undefined ? 'file' : 'folder'}`;
  if (typeof description !== 'string' || description.trim() === '') return 'it has no description';
  const line = cleanText(description).replace(/\s+/g, ' ').trim();
  return {
    name,
    description: line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength)}…` : line,
    file,
    root,
    isHidden: fields['disable-model-invocation'] === true || fields['disable_model_invocation'] === true,
    ...(directory === undefined ? {} : { directory }),
  };
}

/** Reads a document of a skill; links may not leave its root. */
export async function readSkillText({
  root,
  file,
}: Pick<Skill, 'root' | 'file'>): Promise<
  { readonly text: string } | { readonly reason: string; readonly code: string }
> {
  const content = await readConfinedFile([root], file, { maxBytes: maxSkillBytes });
  if (!content.ok) return { reason: content.hint, code: content.code };
  const { text, lossless } = decodeText(content.bytes);
  return lossless && !text.includes('\0') ? { text } : { reason: 'it is not text', code: 'BINARY_FILE' };
}
