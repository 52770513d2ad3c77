import { useRef } from 'react';
import type { RunDetails, RunList, RunSummary } from '../../../src/contract/run-data.ts';
import { send } from '../data/request.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Hint } from '../parts/hint.tsx';
import { OpenFile } from '../parts/open-file.tsx';
import { Problem } from '../parts/problem.tsx';
import { Split } from '../parts/split.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { CompareChoice, CompareView } from '../runs/compare-view.tsx';
import { downloadText, exportHtml } from '../runs/export-html.ts';
import { ReplayForm } from '../runs/replay-form.tsx';
import { useRunSearch } from '../runs/use-run-search.ts';
import { RunView } from '../runs/run-view.tsx';

/** Recorded runs: the conversation by turns, its calls on a timeline, a replay, and an export. */
export function RunsPage({ id, query }: { readonly id: string; readonly query: string }) {
  const [found, search] = useRunSearch();
  const { value, problem } = useData<RunList>('runs', 'runs');
  if (value === undefined) return <Problem text={problem} />;
  if (!value.isConnected) return <NoStore />;
  if (value.runs.length === 0) {
    return (
      <EmptyState title="No runs yet">
        <p>
          A run is one task of an agent: its requests to the model, the calls, and their results. Start one on the page{' '}
          <a href={routeTo('chat')}>Chat</a>, record one in your program, or open a recording:
        </p>
        <OpenRun />
        <CodeBlock
          title="In your program"
          text="const result = await recordRun({ model, tools, prompt }, runs.begin());"
        />
      </EmptyState>
    );
  }
  const list = (
    <FilteredList
      page="runs"
      name="runs"
      items={value.runs}
      chosen={id}
      keyOf={(run) => run.id}
      textOf={(run) => `${run.prompt} ${run.model} ${run.state}`}
      isFound={(run) => found.has(run.id)}
      onFilter={search}
      head={<OpenRun />}
    >
      {(run) => <Entry run={run} />}
    </FilteredList>
  );
  const other = new URLSearchParams(query).get('with') ?? '';
  const detail =
    id !== '' && other !== '' ? (
      <CompareView key={`${id} ${other}`} id={id} other={other} />
    ) : id === '' ? (
      <Hint>Select a run to see its turns and calls, to replay it with a change, to compare or to export it.</Hint>
    ) : (
      <Run key={id} id={id} runs={value.runs} />
    );
  return <Split list={list} detail={detail} isOpen={id !== ''} back={routeTo('runs')} />;
}

function NoStore() {
  return (
    <EmptyState title="Runs are not kept">
      <p>Open a store, pass it to the workbench, and record runs of your agent:</p>
      <CodeBlock
        title="In your program"
        text={[
          "import { recordRun, replayRun } from '@haft/runner';",
          '',
          'const runs = openRuns({ directory, replay: replayRun });',
          'const workbench = createWorkbench({ toolkit, runs });',
          'const result = await recordRun({ model, tools: toolkit, prompt }, runs.begin());',
        ].join('\n')}
      />
    </EmptyState>
  );
}

function Entry({ run }: { readonly run: RunSummary }) {
  return (
    <>
      <span className="row">
        <strong className="line">{visible(run.prompt === '' ? run.runId : run.prompt)}</strong>
        <StateChip state={run.state} />
      </span>
      <span className="quiet line">
        {visible(run.model)}, {run.turns} turns, {run.calls} calls
        {run.tokens !== undefined && `, ${run.tokens.toLocaleString('en')} tokens`}
      </span>
      <time className="quiet" dateTime={new Date(run.startedAt).toISOString()}>
        {new Date(run.startedAt).toLocaleString()}
      </time>
    </>
  );
}

function OpenRun() {
  const open = async (_name: string, text: string): Promise<void> => {
    const { id } = await send<{ readonly id: string }>('runs', { text });
    location.hash = routeTo('runs', id);
  };
  return <OpenFile label="Open a recording…" fileLabel="File with a recording" onOpen={open} />;
}

function Run({ id, runs }: { readonly id: string; readonly runs: readonly RunSummary[] }) {
  const { value: run, problem } = useData<RunDetails>(`runs/${encodeURIComponent(id)}`, 'runs');
  const view = useRef<HTMLDivElement>(null);
  if (run === undefined) return <Problem text={problem} />;
  const save = async (): Promise<void> => {
    if (view.current === null) return;
    const title = run.prompt === '' ? run.runId : run.prompt;
    downloadText(`run-${run.id}.html`, 'text/html', await exportHtml(title, view.current));
  };
  return (
    <article>
      <div ref={view} className="run">
        <RunView run={run} />
      </div>
      <p className="row wrap">
        <CompareChoice id={id} runs={runs} />
        <button type="button" onClick={() => void save()}>
          Export as one HTML file
        </button>
        <span className="quiet">It opens without a server. It contains the whole conversation, including secrets.</span>
      </p>
      {run.canReplay && run.state !== 'unfinished' && <ReplayForm run={run} />}
    </article>
  );
}
