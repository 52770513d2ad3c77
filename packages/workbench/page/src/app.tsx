import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import type { JobList } from '../../src/contract/job-data.ts';
import type { ApprovalList, ServerList } from '../../src/contract/page-data.ts';
import { useConnectionState, useData } from './data/use-data.ts';
import { routeTo, useRoute } from './data/use-route.ts';
import { ToolsPage } from './pages/tools-page.tsx';
import { ConnectionBar } from './parts/connection-bar.tsx';
import { PageGuard } from './parts/page-guard.tsx';
import { Palette, type PageTitle } from './parts/palette.tsx';
import { Problem } from './parts/problem.tsx';

const ApprovalsPage = lazy(async () => ({ default: (await import('./pages/approvals-page.tsx')).ApprovalsPage }));
const CallsPage = lazy(async () => ({ default: (await import('./pages/calls-page.tsx')).CallsPage }));
const ChatPage = lazy(async () => ({ default: (await import('./pages/chat-page.tsx')).ChatPage }));
const JobsPage = lazy(async () => ({ default: (await import('./pages/jobs-page.tsx')).JobsPage }));
const ChangesPage = lazy(async () => ({ default: (await import('./pages/changes-page.tsx')).ChangesPage }));
const RunsPage = lazy(async () => ({ default: (await import('./pages/runs-page.tsx')).RunsPage }));
const ServersPage = lazy(async () => ({ default: (await import('./pages/servers-page.tsx')).ServersPage }));
const TextPage = lazy(async () => ({ default: (await import('./pages/text-page.tsx')).TextPage }));

const titles: Readonly<Record<string, PageTitle>> = {
  tools: { title: 'Tools', purpose: 'call a tool; its schema for OpenAI, Anthropic, Gemini, …' },
  calls: { title: 'Calls', purpose: 'arguments and results of the latest calls' },
  text: { title: 'Text X-ray', purpose: 'how a text of a model was read, and why' },
  approvals: { title: 'Approvals', purpose: 'questions that wait for you; allow or deny' },
  changes: { title: 'Changes', purpose: 'what calls changed on disk; undo' },
  runs: { title: 'Runs', purpose: 'recordings: compare, replay, export' },
  jobs: { title: 'Jobs', purpose: 'durable jobs; settle unknown outcomes' },
  servers: { title: 'Servers', purpose: 'MCP servers and plugins; why one does not start' },
  chat: { title: 'Chat', purpose: 'give an agent a task' },
};

const noQuestions: ApprovalList['questions'] = [];

export function App() {
  const { page, item, query } = useRoute();
  const nav = useRef<HTMLElement>(null);
  const connection = useConnectionState();
  const approvals = useData<ApprovalList>('approvals', 'approvals');
  const servers = useData<ServerList>('servers', 'servers');
  const jobs = useData<JobList>('jobs', 'jobs');
  const questions = approvals.value?.questions ?? noQuestions;
  const waiting = questions.length;
  const broken = servers.value?.servers.filter(({ isReady }) => !isReady).length ?? 0;
  const unsettled = (jobs.value?.questions.length ?? 0) + (jobs.value?.counts['unknown'] ?? 0);
  const counts: Readonly<Record<string, number>> = { approvals: waiting, servers: broken, jobs: unsettled };
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${titles[page]?.title ?? 'Haft'} · Haft workbench`;
  }, [page, waiting]);

  const pages: Readonly<Record<string, ReactNode>> = {
    tools: <ToolsPage name={item} query={query} />,
    calls: <CallsPage callKey={item} questions={questions} />,
    text: <TextPage query={query} />,
    approvals: <ApprovalsPage id={item} loaded={approvals} />,
    changes: <ChangesPage id={item} />,
    runs: <RunsPage id={item} query={query} />,
    jobs: <JobsPage id={item} loaded={jobs} />,
    servers: <ServersPage item={item} loaded={servers} questions={questions} />,
    chat: <ChatPage questions={questions} />,
  };
  return (
    <>
      <header className="top">
        <p className="brand">
          <img src={new URL('./icon.svg', import.meta.url).href} alt="" width="26" height="26" />
          <span>Haft workbench</span>
        </p>
        {waiting > 0 && page !== 'approvals' && (
          <a className="badge urgent waiting" href={routeTo('approvals')}>
            {waiting}
            <span className="unseen"> {waiting === 1 ? 'question waits' : 'questions wait'}</span>
          </a>
        )}
        <button type="button" className="pages-button" popoverTarget="pages">
          <span className="unseen">Pages: </span>
          {titles[page]?.title ?? 'Pages'} <span aria-hidden="true">▾</span>
        </button>
        {/* On a narrow screen, the navigation is a menu that the button opens. */}
        <nav id="pages" ref={nav} popover="auto" aria-label="Pages" onClick={() => nav.current?.hidePopover()}>
          {Object.entries(titles).map(([name, { title, purpose }]) => (
            <a key={name} href={routeTo(name)} title={purpose} aria-current={page === name ? 'page' : undefined}>
              {title}
              <span className="quiet purpose">{purpose}</span>
              {(counts[name] ?? 0) > 0 && (
                <span className={name === 'servers' ? 'badge' : 'badge urgent'}>
                  {counts[name]}
                  <span className="unseen">{name === 'servers' ? ' not ready' : ' waiting'}</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <Palette pages={titles} />
      </header>
      <ConnectionBar state={connection} />
      <main tabIndex={-1}>
        <h1 className="unseen">{titles[page]?.title ?? 'Not found'}</h1>
        <PageGuard key={page}>
          <Suspense fallback={<Problem text={undefined} />}>
            {pages[page] ?? (
              <p className="notice">
                There is no page “{page}”. <a href={routeTo('tools')}>Show the tools</a>
              </p>
            )}
          </Suspense>
        </PageGuard>
      </main>
    </>
  );
}
