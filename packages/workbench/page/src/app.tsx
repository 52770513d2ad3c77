import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import type { JobList } from '../../src/contract/job-data.ts';
import type { ApprovalList, ServerList } from '../../src/contract/page-data.ts';
import { useConnectionState, useData } from './data/use-data.ts';
import { routeTo, useRoute } from './data/use-route.ts';
import { ToolsPage } from './pages/tools-page.tsx';
import { ConnectionBar } from './parts/connection-bar.tsx';
import { PageGuard } from './parts/page-guard.tsx';
import { Palette } from './parts/palette.tsx';
import { Problem } from './parts/problem.tsx';

const ApprovalsPage = lazy(async () => ({ default: (await import('./pages/approvals-page.tsx')).ApprovalsPage }));
const CallsPage = lazy(async () => ({ default: (await import('./pages/calls-page.tsx')).CallsPage }));
const ChatPage = lazy(async () => ({ default: (await import('./pages/chat-page.tsx')).ChatPage }));
const JobsPage = lazy(async () => ({ default: (await import('./pages/jobs-page.tsx')).JobsPage }));
const ChangesPage = lazy(async () => ({ default: (await import('./pages/changes-page.tsx')).ChangesPage }));
const RunsPage = lazy(async () => ({ default: (await import('./pages/runs-page.tsx')).RunsPage }));
const ServersPage = lazy(async () => ({ default: (await import('./pages/servers-page.tsx')).ServersPage }));
const TextPage = lazy(async () => ({ default: (await import('./pages/text-page.tsx')).TextPage }));

const titles: Readonly<Record<string, string>> = {
  tools: 'Tools',
  calls: 'Calls',
  text: 'Text X-ray',
  approvals: 'Approvals',
  changes: 'Changes',
  runs: 'Runs',
  jobs: 'Jobs',
  servers: 'Servers',
  chat: 'Chat',
};

export function App() {
  const { page, item, query } = useRoute();
  const connection = useConnectionState();
  const approvals = useData<ApprovalList>('approvals', 'approvals');
  const servers = useData<ServerList>('servers', 'servers');
  const jobs = useData<JobList>('jobs', 'jobs');
  const waiting = approvals.value?.questions.length ?? 0;
  const broken = servers.value?.servers.filter(({ isReady }) => !isReady).length ?? 0;
  const unsettled = (jobs.value?.questions.length ?? 0) + (jobs.value?.counts['unknown'] ?? 0);
  const counts: Readonly<Record<string, number>> = { approvals: waiting, servers: broken, jobs: unsettled };
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${titles[page] ?? 'Haft'} · Haft workbench`;
  }, [page, waiting]);

  const pages: Readonly<Record<string, ReactNode>> = {
    tools: <ToolsPage name={item} />,
    calls: <CallsPage callKey={item} />,
    text: <TextPage query={query} />,
    approvals: <ApprovalsPage id={item} loaded={approvals} />,
    changes: <ChangesPage id={item} />,
    runs: <RunsPage id={item} query={query} />,
    jobs: <JobsPage id={item} loaded={jobs} />,
    servers: <ServersPage item={item} loaded={servers} />,
    chat: <ChatPage waiting={waiting} />,
  };
  return (
    <>
      <header className="top">
        <p className="brand">
          <img src={new URL('./icon.svg', import.meta.url).href} alt="" width="26" height="26" />
          Haft workbench
        </p>
        <nav aria-label="Pages">
          {Object.entries(titles).map(([name, title]) => (
            <a key={name} href={routeTo(name)} aria-current={page === name ? 'page' : undefined}>
              {title}
              {(counts[name] ?? 0) > 0 && (
                <span className={name === 'servers' ? 'badge' : 'badge urgent'}>
                  {counts[name]}
                  <span className="unseen">{name === 'servers' ? ' not ready' : ' waiting'}</span>
                </span>
              )}
            </a>
          ))}
        </nav>
      </header>
      <ConnectionBar state={connection} />
      <main tabIndex={-1}>
        <h1 className="unseen">{titles[page] ?? 'Not found'}</h1>
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
      <Palette pages={titles} />
    </>
  );
}
