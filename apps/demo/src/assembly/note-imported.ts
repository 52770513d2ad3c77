import type { ImportedServers } from '@haft/mcp';
import { showableLine } from '../show/showable.ts';

/** The parts of an imported configuration that the user has to know. */
export type ImportNotes = Pick<ImportedServers, 'disabled' | 'problems' | 'unsupported'>;

/** Notes which servers of a configuration are disabled or can't be used, and what has no effect. */
export function noteImported({ disabled, problems, unsupported }: ImportNotes, note: (message: string) => void): void {
  const about = (name: string): string =>
    name === '' ? 'the MCP servers' : `the MCP server ${showableLine(name, 80)}`;
  for (const { name, reason } of problems) note(`${about(name)}: ${showableLine(reason, 400)}`);
  for (const { name, reason } of disabled) note(`${about(name)} is disabled: ${showableLine(reason, 200)}`);
  for (const { name, member, reason, hint } of unsupported) {
    const why = `${showableLine(reason, 400)}. ${showableLine(hint, 400)}`;
    note(`${about(name)}: ${showableLine(member, 120)} has no effect here: ${why}`);
  }
}
