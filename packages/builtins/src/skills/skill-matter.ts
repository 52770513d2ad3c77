import type { FrontMatter } from './front-matter.ts';

/** Maximum length of a skill's front matter, in characters. */
const maxFrontMatter = 16_384;

/** Reads the front matter of a skill. Returns a string that describes the error if it is missing or invalid. */
export async function readSkillMatter(text: string): Promise<FrontMatter | string> {
  // Loads the YAML parser, which programs without skills never need.
  const { readFrontMatter } = await import('./front-matter.ts');
  const matter = readFrontMatter(text, maxFrontMatter);
  if (matter === undefined) return 'it does not begin with a line of ---';
  return 'fields' in matter ? matter : matter[0]!.message;
}
