import type { ConnectionEvent, ManagerEvent } from '@haft/mcp';
import { showableLine } from '../show/showable.ts';

/** Prints an event of a connection manager that the user has to know. */
export function noteManaged(event: ManagerEvent, note: (line: string) => void, isFollowing: boolean): void {
  if (event.type === 'event') return noteEvent(event.name, event.event, note);
  if (event.type === 'save-failed')
    return note(`haft: the approval of ${event.name} could not be stored: ${showableLine(event.message, 400)}`);
  if (event.type !== 'connection') return undefined;
  const { name, state, reason } = event.connection;
  if (state === 'failed' || state === 'missing' || state === 'unapproved') {
    const remedy =
      state === 'unapproved'
        ? `; ${isFollowing ? 'restarting haft with --yes' : '--yes'} starts it without asking`
        : '';
    note(`haft: the MCP server ${name} is not used: ${showableLine(reason, 600)}${remedy}`);
  }
  return undefined;
}

/** Prints an event of one server that the user has to know. */
export function noteEvent(name: string, event: ConnectionEvent, note: (line: string) => void): void {
  if (event.type === 'tool-suspended') {
    const { tool, fields } = event.change;
    return note(`haft: the MCP server ${name} changed ${tool} (${fields.join(', ')}); the change needs your approval`);
  }
  if (event.type === 'starting') return note(`haft: the MCP server ${name} is ${showableLine(event.message, 200)}`);
  if (event.type !== 'state-change') return undefined;
  const { state, reason = '' } = event;
  if (state === 'restarting') note(`haft: the MCP server ${name} was lost (${reason}) and is restarted`);
  if (state === 'ready') note(`haft: the MCP server ${name} is connected again`);
  if (state === 'lost') note(`haft: the MCP server ${name} was lost: ${reason}`);
  return undefined;
}
