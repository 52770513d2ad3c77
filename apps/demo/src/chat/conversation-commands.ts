import { relative, sep } from 'node:path';
import type { Journal, WorkspaceChange } from '@haft/journal';
import type { Terminal } from '../program/terminal.ts';
import { formatPatch } from '../show/format-patch.ts';
import { showableLine } from '../show/showable.ts';
import { wrapLine } from '../show/wrap-line.ts';
import { isConversation } from './conversation-prefix.ts';
import { findNewestTurn, isLeft, scopeOf, undoNewest } from './undo-changes.ts';

/** The commands of a conversation, for `--help` and `/help`. */
export const conversationHelp: readonly string[] = [
  '/undo       undoes all changes since your last message, and lists the files',
  '/undo call  undoes the changes of the last call',
  '/changes    shows the changes since your last message, as diffs',
  '/help       shows these lines',
];

/** Context of a command. */
export interface CommandGround {
  readonly journal: Journal | undefined;
  readonly terminal: Terminal;
  readonly cwd: string;
  /** Selects the sessions whose calls can be undone. Default: conversations. */
  readonly sessions?: 'chat' | 'all';
}

/** The result of a line. */
export interface CommandDone {
  /** News for the model's next turn. */
  readonly remark?: string;
}

/** Runs a line that is a command. Returns undefined if the line is a task for the model. */
export async function runConversationCommand(line: string, ground: CommandGround): Promise<CommandDone | undefined> {
  const words = line.trim().split(/\s+/).join(' ');
  if (words === '/help') return help(ground.terminal);
  if (words === '/undo' || words === '/undo call') return undo(ground, words === '/undo' ? 'turn' : 'call');
  if (words === '/changes') return showChanges(ground);
  // A path is not a command: `/etc/hosts is wrong` is a task for the model.
  const isMistyped = /^\/(?:undo|changes|help)\b/.test(words) || /^\/[a-z]+$/.test(words);
  if (!isMistyped) return undefined;
  ground.terminal.note(
    `haft: ${showableLine(words)} is not a command; use /undo, /undo call, /changes or /help; Ctrl-D ends the program`,
  );
  return {};
}

function help(terminal: Terminal): CommandDone {
  const hang = ' '.repeat('  /undo call  '.length);
  for (const line of conversationHelp)
    for (const each of wrapLine(`  ${line}`, terminal.columns, hang)) terminal.line(each);
  return {};
}

async function undo(ground: CommandGround, reach: 'turn' | 'call'): Promise<CommandDone> {
  const { terminal, cwd } = ground;
  const { paint } = terminal;
  const journal = journalOf(ground);
  if (!journal) return {};
  const undone = await undoNewest(journal, countsFor(ground), reach);
  if (!undone) {
    terminal.line(`  nothing to undo: all file changes in this folder have been undone, or no ${reach} made any`);
    return {};
  }
  const { changes, conflicts, problem } = undone;
  const names = changes.map((change) => describeUndone(change, cwd));
  for (const name of names) print(terminal, `${paint('good', '✓')} ${name}`);
  for (const { message } of conflicts)
    print(terminal, `${paint('warn', '⊘')} not undone: ${showableLine(message, 400)}`);
  if (problem !== undefined) print(terminal, `${paint('bad', '✗')} ${showableLine(problem, 600)}`);
  if (names.length === 0) return {};
  const shown = names.length > 20 ? [...names.slice(0, 20), `and ${names.length - 20} more`] : names;
  return { remark: `The user has undone changes of yours: ${shown.join('; ')}. Read a file again before you edit it.` };
}

function showChanges(ground: CommandGround): CommandDone {
  const { terminal, cwd } = ground;
  const journal = journalOf(ground);
  if (!journal) return {};
  const calls = findNewestTurn(journal, countsFor(ground));
  const scope = calls[0] && scopeOf(calls[0]);
  const changes = scope === undefined ? [] : journal.changes(scope);
  if (scope === undefined || changes.length === 0) {
    terminal.line('  no turn in this folder has changed files');
    return {};
  }
  const diffs = new Map(journal.diff(scope).map((diff) => [diff.path, diff]));
  for (const change of changes) {
    const diff = diffs.get(fromFolder(change.path, cwd));
    const counts = diff ? ` (+${diff.additions} −${diff.deletions})` : '';
    print(terminal, `${terminal.paint('strong', describeChange(change, cwd))}${counts}`);
    if (diff) for (const line of formatPatch(diff.patch, terminal.paint)) terminal.line(`    ${line}`);
  }
  if (!calls.some((call) => isLeft(call, journal))) terminal.line('  all of these changes have been undone');
  return {};
}

function countsFor({ sessions = 'chat' }: CommandGround): (sessionId: string) => boolean {
  return sessions === 'chat' ? isConversation : () => true;
}

function journalOf({ journal, terminal }: CommandGround): Journal | undefined {
  if (!journal) terminal.note('haft: nothing is recorded in this run; a line at its beginning gives the reason');
  return journal;
}

const done = { create: 'created', modify: 'changed', delete: 'deleted', rename: 'moved' } as const;

function describeChange({ op, path, from, after, before }: WorkspaceChange, cwd: string): string {
  const what = after.kind === 'directory' || (op === 'delete' && before.kind === 'directory') ? 'folder ' : '';
  return `${done[op]} ${what}${from === undefined ? '' : `${nameOf(from, cwd)} to `}${nameOf(path, cwd)}`;
}

/** Describes the current state, because undoing a deletion creates a file. */
function describeUndone({ op, path, from }: WorkspaceChange, cwd: string): string {
  const name = nameOf(path, cwd);
  if (op === 'rename') return `${name} moved back from ${nameOf(from!, cwd)}`;
  if (op === 'create') return `${name} restored`;
  return op === 'delete' ? `${name} deleted again` : `${name} restored`;
}

function nameOf(path: string, cwd: string): string {
  return showableLine(fromFolder(path, cwd), 400);
}

/** Names a file as the journal's diffs do. */
function fromFolder(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? path : inside;
}

function print(terminal: Terminal, line: string): void {
  for (const each of wrapLine(line, terminal.columns - 2, '  ')) terminal.line(`  ${each}`);
}
