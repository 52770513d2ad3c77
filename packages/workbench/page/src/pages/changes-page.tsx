import { useState } from 'react';
import type {
  ChangeDetails,
  ChangeList,
  ChangeSummary,
  UndoPlanView,
  UndoView,
} from '../../../src/contract/change-data.ts';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Hint } from '../parts/hint.tsx';
import { Problem } from '../parts/problem.tsx';
import { CallLink } from '../parts/record-links.tsx';
import { Split } from '../parts/split.tsx';
import { StateChip } from '../parts/state-chip.tsx';

/** What calls changed on disk, with a diff, and how to undo it. */
export function ChangesPage({ id }: { readonly id: string }) {
  const { value, problem } = useData<ChangeList>('journal', 'changes');
  if (value === undefined) return <Problem text={problem} />;
  if (value.state === 'starting')
    return <p className="notice quiet">Reading the folder, so that changes can be undone…</p>;
  if (value.state === 'missing') return <NoJournal />;
  if (value.calls.length === 0) {
    return (
      <EmptyState title="No call has changed a file">
        <p>
          When a call changes files, its diff appears here, whatever the call reported. You can then undo the call, or
          everything since it. Try it: call <a href={routeTo('tools', 'write')}>write</a> on the page Tools.
        </p>
      </EmptyState>
    );
  }
  const list = (
    <FilteredList
      page="changes"
      name="changes"
      items={value.calls}
      chosen={id}
      keyOf={(call) => call.id}
      textOf={(call) => `${call.tool} ${call.state} ${call.files.map(({ path }) => path).join(' ')}`}
    >
      {(call) => <Entry call={call} />}
    </FilteredList>
  );
  const detail =
    id === '' ? (
      <Hint>Select a call to see its diff, and to undo it. Conflicts are shown before anything happens.</Hint>
    ) : (
      <Change key={id} id={id} />
    );
  return <Split list={list} detail={detail} isOpen={id !== ''} back={routeTo('changes')} />;
}

function NoJournal() {
  return (
    <EmptyState title="Changes are not recorded">
      <p>A journal compares the files before and after each call. Pass its middleware to the toolkit:</p>
      <CodeBlock
        title="In your program"
        text={[
          "import { createJournal } from '@haft/journal';",
          '',
          'const journal = await createJournal({ workspace, directory });',
          'const toolkit = await createToolkit({ workspace, middleware: [journal.middleware] });',
          'const workbench = createWorkbench({ toolkit, journal });',
        ].join('\n')}
      />
    </EmptyState>
  );
}

function Entry({ call }: { readonly call: ChangeSummary }) {
  return (
    <>
      <span className="row">
        <strong>{call.tool}</strong>
        {call.state !== call.tool && <StateChip state={call.state} />}
      </span>
      <span className="quiet line">
        {call.files.map(({ op, path }) => `${op} ${visible(path)}`).join(', ')}
        {call.count > call.files.length && ` and ${call.count - call.files.length} more`}
      </span>
      <time className="quiet" dateTime={new Date(call.startedAt).toISOString()}>
        {new Date(call.startedAt).toLocaleTimeString()}
      </time>
    </>
  );
}

function Change({ id }: { readonly id: string }) {
  const { value: change, problem, reload } = useData<ChangeDetails>(`journal/${encodeURIComponent(id)}`, 'changes');
  if (change === undefined) return <Problem text={problem} />;
  return (
    <article className="wide">
      <h2>
        {change.tool} <StateChip state={change.state} />
      </h2>
      <p className="quiet">
        {new Date(change.startedAt).toLocaleString()}
        {change.turn > 0 && `, turn ${change.turn}`}
      </p>
      <p className="row wrap">
        <CallLink callId={change.callId} tool={change.tool} />
      </p>
      {change.mismatches.length > 0 && (
        <ul className="dots notice warn">
          {change.mismatches.map((line) => (
            <li key={line}>{visible(line)}</li>
          ))}
        </ul>
      )}
      {change.state !== 'running' && (
        <section>
          <h3>Undo</h3>
          <div className="two-cards">
            <Undo id={id} reach="call" title="This call" plan={change.undoCall} onDone={reload} />
            <Undo
              id={id}
              reach="since"
              title="This call and everything after it"
              plan={change.undoSince}
              onDone={reload}
            />
          </div>
        </section>
      )}
      <section aria-label="Diff">
        <h3>What the call changed</h3>
        {change.diffs.map(({ path, patch, additions, deletions }) => (
          <DiffBlock key={path} title={`${visible(path)}  +${additions} −${deletions}`} patch={patch} />
        ))}
        {change.diffs.length === 0 && <p className="notice">Only folders changed, so there is no diff.</p>}
      </section>
    </article>
  );
}

const maxListed = 6;
const maxUncertain = 50;

/** What an undo does to a file. */
const undoWords: Readonly<Record<string, string>> = {
  create: 'brings back',
  modify: 'restores',
  delete: 'deletes',
};

interface UndoProps {
  readonly id: string;
  readonly reach: 'call' | 'since';
  readonly title: string;
  readonly plan: UndoPlanView;
  readonly onDone: () => void;
}

function Undo({ id, reach, title, plan, onDone }: UndoProps) {
  const [answer, setAnswer] = useState<UndoView>();
  const [isRunning, setRunning] = useState(false);
  const undo = async (skipConflicts: boolean): Promise<void> => {
    setRunning(true);
    try {
      setAnswer(await send<UndoView>(`journal/${encodeURIComponent(id)}`, { reach, skipConflicts }));
      onDone();
    } catch (error) {
      setAnswer({ isOk: false, message: error instanceof Error ? error.message : String(error) });
    } finally {
      setRunning(false);
    }
  };
  const { changes, conflicts, message, calls } = plan;
  const uncertain = changes.filter(({ isInferred }) => isInferred);
  const label = reach === 'call' ? 'Undo this call' : calls === 1 ? 'Undo 1 call' : `Undo ${calls} calls`;
  return (
    <section className="card" aria-label={title}>
      <h4>{title}</h4>
      {message !== undefined && <p className="quiet">{visible(message)}</p>}
      {changes.length > 0 && (
        <ul className="dots">
          {changes.slice(0, maxListed).map(({ op, path }) => (
            <li key={path}>
              {undoWords[op] ?? op} <code>{visible(path)}</code>
            </li>
          ))}
          {changes.length > maxListed && <li>and {changes.length - maxListed} more</li>}
        </ul>
      )}
      {uncertain.length > 0 && (
        <div className="notice warn">
          <p>
            You or another program may have changed these paths while a call ran, or after a crash. To get them back
            after the undo, undo the entry <strong>undo</strong> of the list:
          </p>
          <ul className="dots">
            {uncertain.slice(0, maxUncertain).map(({ path }) => (
              <li key={path}>
                <code>{visible(path)}</code>
              </li>
            ))}
            {uncertain.length > maxUncertain && <li>and {uncertain.length - maxUncertain} more</li>}
          </ul>
        </div>
      )}
      {conflicts.length > 0 && (
        <div className="notice warn">
          <p>These paths can’t be restored:</p>
          <ul className="dots">
            {conflicts.map(({ path, message: text }) => (
              <li key={path}>{visible(text)}</li>
            ))}
          </ul>
          <p>Restore them by hand from the diff below, or undo the later calls that changed them first.</p>
        </div>
      )}
      {changes.length > 0 && (
        <p>
          <button
            type="button"
            className={conflicts.length + uncertain.length > 0 ? 'danger' : 'main'}
            disabled={isRunning}
            onClick={() => void undo(conflicts.length > 0)}
          >
            {conflicts.length > 0 ? `${label}, except these conflicts` : label}
          </button>
        </p>
      )}
      {answer !== undefined && (
        <p className={`notice ${answer.isOk ? 'good' : 'bad'}`} role="status">
          {visible(answer.message)}
        </p>
      )}
    </section>
  );
}
