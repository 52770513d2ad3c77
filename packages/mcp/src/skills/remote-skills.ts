import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient, type Skill } from '@modelcontextprotocol/client/ext/skills';
import { cleanText } from '@haft/sandbox';
import { cleanLine, cutBytes } from '../untrusted/clean-text.ts';
import type { Report } from '../connection-diagnostic.ts';

/** A skill that a server offers. Nothing of it is fetched before it is read. */
export interface RemoteSkill {
  readonly name: string;
  /** When to use it, in the server's words, freed of what is hidden; untrusted. */
  readonly description: string;
  /** Address of its `SKILL.md`. */
  readonly uri: string;
  /** Its files with their sizes in bytes; nothing where the server does not say. */
  readonly files: readonly { readonly uri: string; readonly size: number }[];
  /**
   * Reads a file of it, by a path such as `references/forms.md` or its address; default its `SKILL.md` without the front matter.
   * Rejects when the file is not listed, or has another size, digest or front matter than was listed.
   */
  read(path?: string, signal?: AbortSignal): Promise<Uint8Array | string>;
}

const maxDescriptionBytes = 2_048;

/** Lists the skills of a server; none of a server that knows no skills. */
export async function listRemoteSkills(
  client: () => Client,
  timeoutMs: number,
  report: Report,
  signal?: AbortSignal,
): Promise<readonly RemoteSkill[]> {
  const options = { timeout: timeoutMs, ...(signal ? { signal } : {}) };
  const skillsOf = new SkillsClient(client(), { skipInvalid: true });
  if (!skillsOf.supported) return [];
  const { skills, invalid } = await skillsOf.list({}, options);
  for (const { reason } of invalid)
    report({ kind: 'protocol', message: `a skill was left out: ${cleanLine(reason, 300)}` });
  return skills.map((skill) => toRemoteSkill(skill, client, timeoutMs));
}

function toRemoteSkill(skill: Skill, client: () => Client, timeout: number): RemoteSkill {
  const { uri, frontmatter, resources } = skill;
  return {
    name: cleanLine(frontmatter['name'], 64),
    description: cutBytes(cleanText(frontmatter['description']), maxDescriptionBytes),
    uri: cleanText(uri),
    files: resources === 'dynamic' ? [] : resources.map(({ uri: at, size }) => ({ uri: cleanText(at), size })),
    async read(path, signal) {
      const file = await new SkillsClient(client()).read(skill, path, { timeout, ...(signal ? { signal } : {}) });
      return file.body ?? file.text ?? file.bytes;
    },
  };
}
