import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient, type Skill } from '@modelcontextprotocol/client/ext/skills';
import { cleanText } from '@haft/sandbox';
import { cleanLine, cutBytes } from '../untrusted/clean-text.ts';
import type { Report } from '../connection-diagnostic.ts';
import type { RemoteSkill } from './remote-skill.ts';

const maxDescriptionBytes = 2_048;

/** Lists the skills of a server. Returns an empty array if the server does not support skills. */
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
  for (const { reason } of invalid) report({ kind: 'protocol', message: `skipped a skill: ${cleanLine(reason, 300)}` });
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
