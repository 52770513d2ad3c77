import { join } from 'node:path';
import { cleanText, decodeText, listConfinedDirectory, readConfinedFile, statConfined } from '@haft/sandbox';
import { absolutePath, arrayOf, checkOptions, required, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../builtins-error.ts';
import { readFrontMatter } from './read-front-matter.ts';

/** What is known of a skill without reading all of it. */
export interface Skill {
  readonly name: string;
  /** What it is for, on one line. */
  readonly description: string;
  /** The folder that is its own; absent for a single file. */
  readonly directory?: string;
  /** Its document. */
  readonly file: string;
  /** Where it may not lead out of: the folder it was found in. */
  readonly root: string;
  /** Kept out of the list that models see. */
  readonly isHidden: boolean;
}

/** Skills of some folders. */
export interface SkillLibrary {
  /** The skills, sorted by name. */
  readonly skills: readonly Skill[];
  /** What was found that is no skill, and why. */
  readonly problems: readonly { readonly path: string; readonly reason: string }[];
  /** Looks into the folders anew. */
  refresh(): Promise<void>;
}

/** Where skills are. */
export interface SkillLibraryOptions {
  /** Absolute folders with `<name>/SKILL.md` or `<name>.md`; of equal names the later folder has the say. Missing ones are empty. */
  readonly directories: readonly string[];
}

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
const longestDescription = 1_024;
/** The most bytes of a skill's document. */
export const mostSkillBytes = 100_000;
const mostEntries = 1_000;

const table: OptionTable<SkillLibraryOptions> = {
  directories: required(arrayOf(absolutePath, 'a list of absolute folders')),
};

/**
 * Looks for skills: folders with a document `SKILL.md`, or single documents, that begin with YAML: `name`, which is that of the
 * folder or file, and `description`. What is none is told in `problems`.
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
    const listing = await listConfinedDirectory([root], root, { maxEntries: mostEntries });
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

/** What a document says of itself, or what is wrong with it. */
async function readSkill(root: string, { name, file, directory }: Place): Promise<Skill | string> {
  const read = await readSkillText({ root, file });
  if ('reason' in read) return read.reason;
  const matter = await readFrontMatter(read.text);
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
    description: line.length > longestDescription ? `${line.slice(0, longestDescription)}…` : line,
    file,
    root,
    isHidden: fields['disable-model-invocation'] === true || fields['disable_model_invocation'] === true,
    ...(directory === undefined ? {} : { directory }),
  };
}

/** Reads a document of a skill, wherever links lead inside of its root. */
export async function readSkillText({
  root,
  file,
}: Pick<Skill, 'root' | 'file'>): Promise<
  { readonly text: string } | { readonly reason: string; readonly code: string }
> {
  const content = await readConfinedFile([root], file, { maxBytes: mostSkillBytes });
  if (!content.ok) return { reason: content.hint, code: content.code };
  const { text, lossless } = decodeText(content.bytes);
  return lossless && !text.includes('\0') ? { text } : { reason: 'it is no text', code: 'BINARY_FILE' };
}
