import type { ImportedServers } from '@haft/mcp';
import { showableLine } from '../show/showable.ts';

/** Notes which servers of a configuration can't be used, and what has no effect. */
export function noteImported(
  { problems, unsupported }: Pick<ImportedServers, 'problems' | 'unsupported'>,
  note: (message: string) => void,
): void {
  const about = (name: string): string =>
    name === '' ? 'the MCP servers' : `the MCP server ${showableLine(name, 80)}`;
  for (const { name, reason } of problems) note(`${about(name)}: ${showableLine(reason, 400)}`);
  for (const { name, member } of unsupported) note(`${about(name)}: ${showableLine(member, 120)} has no effect here`);
}
