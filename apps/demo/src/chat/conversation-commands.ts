import type { Journal } from '@haft/journal';
import type { Terminal } from '../program/terminal.ts';
import { formatPatch } from '../show/format-patch.ts';
import { showableLine } from '../show/showable.ts';
import { wrapLine } from '../show/wrap-line.ts';
import { adviseOnConflicts } from './advise-on-conflicts.ts';
import { confirmUndo, describeTurn, type ConfirmDeps } from './confirm-undo.ts';
import { isConversation } from './conversation-prefix.ts';
import { remarkOn } from './find-task.ts';
import { describeChange, describeUndone, fromFolder, print } from './name-change.ts';
import {
  findNewestTurn,
  findRedo,
  isLeft,
  planUndo,
  scopeOf,
  undoScopes,
  type Undone,
  type UndoSessions,
} from './undo-changes.ts';

/** The commands of a conversation, for `--help` and `/help`. */
export const conversationHelp: readonly string[] = [
  '/undo       undoes all changes since your last message, and lists the files',
  '/undo call  undoes the changes of the last call',
  '/redo       brings back the changes that the last /undo undid',
  '/changes    shows the changes that /undo would undo, as diffs',
  '/help       shows these lines',
];

/** Context of a command. Without a conversation, the turns and calls of all sessions can be undone. */
export interface CommandGround extends Omit<ConfirmDeps, 'journal' | 'redo'> {
  readonly journal: Journal | undefined;
}

/** The result of a line. */
export interface CommandDone {
  /** News for the model's next turn. */
  readonly remark?: string;
}

/** Runs a line that is a command. Returns undefined if the line is a task for the model. */
export async function runConversationCommand(line: string, ground: CommandGround): Promise<CommandDone | undefined> {
  const words = line.trim().split(/\s+/).join(' ');
  if (words === '/help') return help(ground.invocation.terminal);
  if (words === '/undo' || words === '/undo call') return undo(ground, words === '/undo' ? 'turn' : 'call');
  if (words === '/redo') return redo(ground);
  if (words === '/changes') return showChanges(ground);
  // A path is not a command: `/etc/hosts is wrong` is a task for the model.
  const isMistyped = /^\/(?:undo|redo|changes|help)\b/.test(words) || /^\/[a-z]+$/.test(words);
  if (!isMistyped) return undefined;
  ground.invocation.terminal.note(
    `haft: ${showableLine(words)} is not a command; use /undo, /undo call, /redo, /changes or /help; Ctrl-D ends the program`,
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
  const { terminal, cwd } = ground.invocation;
  const journal = journalOf(ground);
  if (!journal) return {};
  const { plan, passed } = await planUndo(journal, sessionsFor(ground), reach);
  for (const { calls, conflicts } of passed) {
    print(terminal, `cannot undo ${await describeTurn(calls, ground, reach)}:`);
    reportConflicts(terminal, conflicts, 'undone');
  }
  const undoCommand = `${ground.conversation ? '/undo' : 'haft undo'}${reach === 'call' ? ' call' : ''}`;
  const reasons = passed.flatMap(({ conflicts }) => conflicts.map(({ reason }) => reason));
  for (const line of adviseOnConflicts(reasons, undoCommand)) print(terminal, terminal.paint('accent', `→ ${line}`));
  if (!plan) {
    if (passed.length === 0)
      terminal.line(`  nothing to undo: all file changes in this folder have been undone, or no ${reach} made any`);
    else print(terminal, 'nothing else can be undone');
    return {};
  }
  const redoCommand = ground.conversation ? '/redo' : 'haft undo --redo';
  if (!(await confirmUndo(plan, { ...ground, journal, redo: redoCommand }))) return {};
  // A question would have named the turn.
  if (ground.isAgreed && passed.length > 0)
    print(terminal, `undoing ${await describeTurn(plan.calls, ground, reach)}, instead:`);
  const undone = await undoScopes(journal, plan.scopes);
  ground.conversation?.undos.push(...undone.ids);
  const names = undone.changes.map((change) => describeUndone(change, cwd));
  report(terminal, names, undone, 'undone');
  if (names.length > 0 && plan.files.some(({ isInferred }) => isInferred))
    print(terminal, `${redoCommand} brings these changes back`);
  return names.length === 0 ? {} : { remark: remarkOn('undone', names) };
}

async function redo(ground: CommandGround): Promise<CommandDone> {
  const { terminal, cwd } = ground.invocation;
  const journal = journalOf(ground);
  if (!journal) return {};
  const { conversation } = ground;
  const scope = findRedo(journal, (id) => conversation?.undos.includes(id) ?? true);
  if (!scope) {
    const elsewhere = conversation
      ? '; after this conversation, haft undo --redo brings back those of earlier ones'
      : '';
    terminal.line(
      `  nothing to redo: ${conversation ? 'this conversation has' : 'there are'} no undone changes${elsewhere}`,
    );
    return {};
  }
  const redone = await undoScopes(journal, [scope]);
  const names = redone.changes.map((change) => describeChange(change, cwd));
  report(terminal, names, redone, 'brought back');
  return names.length === 0 ? {} : { remark: remarkOn('brought back', names) };
}

function report(terminal: Terminal, names: readonly string[], { conflicts, problem }: Undone, done: Done): void {
  const { paint } = terminal;
  for (const name of names) print(terminal, `${paint('good', '✓')} ${name}`);
  reportConflicts(terminal, conflicts, done);
  if (problem !== undefined) print(terminal, `${paint('bad', '✗')} ${showableLine(problem, 600)}`);
}

type Done = 'undone' | 'brought back';

function reportConflicts(terminal: Terminal, conflicts: Undone['conflicts'], done: Done): void {
  for (const { message } of conflicts)
    print(terminal, `${terminal.paint('warn', '⊘')} not ${done}: ${showableLine(message, 400)}`);
}

/** Shows the turn that an undo would undo now, or else the newest turn. */
async function showChanges(ground: CommandGround): Promise<CommandDone> {
  const { conversation } = ground;
  const { terminal, cwd } = ground.invocation;
  const journal = journalOf(ground);
  if (!journal) return {};
  const sessions = sessionsFor(ground);
  const { plan } = await planUndo(journal, sessions, 'turn');
  const [newest, ...others] = plan?.calls ?? findNewestTurn(journal, sessions);
  const scope = newest && scopeOf(newest);
  const changes = scope === undefined ? [] : journal.changes(scope);
  if (newest === undefined || scope === undefined || changes.length === 0) {
    terminal.line('  no turn in this folder has changed files');
    return {};
  }
  if (conversation && conversation.runs.at(-1) !== newest.runId)
    print(terminal, `changes of ${await describeTurn([newest, ...others], ground)}`);
  const diffs = new Map(journal.diff(scope).map((diff) => [diff.path, diff]));
  for (const change of changes) {
    const diff = diffs.get(fromFolder(change.path, cwd));
    const counts = diff ? ` (+${diff.additions} −${diff.deletions})` : '';
    print(terminal, `${terminal.paint('strong', describeChange(change, cwd))}${counts}`);
    if (diff) for (const line of formatPatch(diff.patch, terminal.paint)) terminal.line(`    ${line}`);
  }
  if (![newest, ...others].some((call) => isLeft(call, journal)))
    terminal.line('  all of these changes have been undone');
  return {};
}

function sessionsFor({ conversation }: CommandGround): UndoSessions {
  return conversation ? { counts: isConversation, first: conversation.sessionId } : { counts: () => true };
}

function journalOf({ journal, invocation }: CommandGround): Journal | undefined {
  if (!journal)
    invocation.terminal.note('haft: nothing is recorded in this run; a line at its beginning gives the reason');
  return journal;
}
