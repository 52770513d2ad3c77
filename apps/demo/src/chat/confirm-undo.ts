import type { Journal, JournalCall } from '@haft/journal';
import { takeTurn } from '../permission/take-turn.ts';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import type { Invocation } from '../program/command.ts';
import { showableLine } from '../show/showable.ts';
import { nameOf } from './name-change.ts';
import { isLeft, type PlannedFile, type UndoPlan } from './undo-changes.ts';

/** The conversation in which a command was typed. */
export interface CurrentConversation {
  readonly sessionId: string;
  /** Ids of the turns since the program started, oldest first. */
  readonly runs: string[];
  /** Journal ids of the undos since the program started. */
  readonly undos: string[];
}

export interface ConfirmDeps {
  readonly invocation: Pick<Invocation, 'cwd' | 'device' | 'signal' | 'terminal'>;
  readonly journal: Journal;
  readonly conversation?: CurrentConversation | undefined;
  /** Finds the user's message that led to a call. */
  readonly taskOf: (call: JournalCall) => Promise<string | undefined>;
  /** The command that brings the changes back. */
  readonly redo: string;
  /** Undo without a question. */
  readonly isAgreed?: boolean;
}

const maxListed = 50;

/**
 * Asks before an undo that a user may not expect: outside a conversation, of another turn than the last one, or of files
 * that the user may have changed. Returns whether to undo. No answer means no.
 */
export async function confirmUndo(plan: UndoPlan, deps: ConfirmDeps): Promise<boolean> {
  const { invocation, journal, conversation, isAgreed = false } = deps;
  const isUncertain = plan.files.some(({ isInferred }) => isInferred);
  const isExpected = conversation !== undefined && isNext(plan, conversation.runs, journal);
  if (isAgreed || plan.files.length === 0 || (isExpected && !isUncertain)) return true;
  const lines = [
    ...(isExpected || !conversation ? [] : [reasonFor(conversation)]),
    `Undo ${await describeTurn(plan.calls, deps, plan.reach)}?`,
    ...listFiles(plan, invocation.cwd, conversation ? '/changes' : 'haft undo --changes'),
    ...(isUncertain ? ['  * You or another program may have changed this file.'] : []),
  ];
  const { device: open, terminal } = invocation;
  const device = open();
  if (!device) {
    for (const line of [...lines, 'haft: nothing was undone: there is no terminal to ask; to undo this, add --yes'])
      terminal.note(line);
    return false;
  }
  const question = [...lines, `${deps.redo} brings these changes back.`];
  const isConfirmed = await takeTurn(device, () => askOnce(device, question, invocation));
  if (!isConfirmed) terminal.line('  nothing was undone');
  return isConfirmed;
}

function reasonFor({ runs }: CurrentConversation): string {
  return runs.length === 0
    ? 'There has been no turn since this program started.'
    : 'The last turn has nothing that can be undone.';
}

/** Describes a turn, or one call, by its time and task. */
export async function describeTurn(
  calls: UndoPlan['calls'],
  { conversation, taskOf }: Pick<ConfirmDeps, 'conversation' | 'taskOf'>,
  reach: UndoPlan['reach'] = 'turn',
): Promise<string> {
  const [{ sessionId, runId, tool }] = calls;
  const first = calls.at(-1)!;
  const time = new Date(first.startedAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const what = reach === 'call' || runId === '' ? `the call of ${showableLine(tool)}` : 'the turn';
  if (runId === '') return `${what} of ${time}`;
  const isOther = conversation !== undefined && conversation.sessionId !== sessionId;
  const task = await taskOf(first);
  const name = task === undefined ? '' : `, “${showableLine(task, 100)}”`;
  return `${what} of ${time}${isOther ? ' in another conversation' : ''}${name}`;
}

/** Whether a plan is of the last turn, or all later turns have been undone. */
function isNext({ calls: [{ runId }] }: UndoPlan, runs: readonly string[], journal: Journal): boolean {
  for (const run of runs.toReversed()) {
    if (run === runId) return true;
    const calls = journal.calls({ runId: run });
    if (journal.changes({ runId: run }).length === 0 || calls.some((call) => isLeft(call, journal))) return false;
  }
  return false;
}

function listFiles({ files }: UndoPlan, cwd: string, list: string): readonly string[] {
  // Begins with the files that matter most to the user: theirs, perhaps, and of these the ones that existed before.
  const rank = ({ isDeleted, isInferred }: PlannedFile): number => (isInferred ? 0 : 2) + (isDeleted ? 1 : 0);
  const sorted = files.toSorted((left, right) => rank(left) - rank(right));
  const lines = sorted.slice(0, maxListed).map(({ path, isDeleted, isInferred }) => {
    return `  ${isInferred ? '*' : ' '} ${isDeleted ? 'delete' : 'restore'} ${nameOf(path, cwd)}`;
  });
  return files.length > maxListed ? [...lines, `    and ${files.length - maxListed} more; ${list} shows all`] : lines;
}

async function askOnce(
  device: TerminalDevice,
  [first, ...more]: readonly string[],
  { signal }: Pick<Invocation, 'signal'>,
): Promise<boolean> {
  const { paint } = device;
  device.forget();
  device.write(`${paint('warn', '?')} ${paint('strong', first!)}\n`);
  for (const line of more) device.write(`  ${line}\n`);
  device.write(`  ${paint('strong', 'undo?')} [y]es, [N]o: `);
  const line = await device.readLine(signal);
  if (line === undefined) device.write('\n');
  return /^[ \t]*y(?:es)?[ \t]*$/i.test(line ?? '');
}
