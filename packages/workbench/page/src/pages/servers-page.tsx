import { useState, type ReactNode } from 'react';
import type { ApprovalView, ServerList, ServerMessageView, ServerView } from '../../../src/contract/page-data.ts';
import { send } from '../data/request.ts';
import { useData, type Loaded } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { DiffBlock } from '../parts/diff-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Hint } from '../parts/hint.tsx';
import { Problem } from '../parts/problem.tsx';
import { serverOf } from '../approvals/server-question.ts';
import { FailureFrame } from '../parts/source-link.tsx';
import { Split } from '../parts/split.tsx';
import { StateChip } from '../parts/state-chip.tsx';
import { WaitingQuestions } from '../parts/waiting-questions.tsx';
import { MessageList } from '../servers/message-list.tsx';
import type { RecordedSession } from '../servers/read-session.ts';
import { OpenSession, recording, Session } from '../servers/recorded-session.tsx';
import { UnapprovedCommand } from '../servers/unapproved-command.tsx';

/** MCP servers and plugins: their state, their tools, and why one does not work. */
export function ServersPage({
  item,
  loaded: { value, problem },
  questions,
}: {
  readonly item: string;
  readonly loaded: Loaded<ServerList>;
  /** Questions that wait for an answer. */
  readonly questions: readonly ApprovalView[];
}) {
  const [session, setSession] = useState<RecordedSession>();
  const questionOf = ({ type, name }: ServerView): ApprovalView | undefined =>
    type === 'server' ? questions.find((question) => serverOf(question) === name) : undefined;
  if (value === undefined) return <Problem text={problem} />;
  if (value.servers.length === 0 && session === undefined) {
    return (
      <EmptyState title="No servers and no plugins">
        <WaitingQuestions questions={questions} />
        <p>
          Start <code>npx haft ui --mcp mcp.json --plugins plugins</code>, or name servers and a plugin folder in your
          program. Saved plugins go live at once.
        </p>
        <OpenSession onOpened={setSession} />
        <CodeBlock
          title="In your program"
          text={[
            'const toolkit = await createToolkit({',
            "  plugins: 'plugins',",
            "  connections: { github: { command: 'npx', args: ['-y', 'some-server'] } },",
            '});',
          ].join('\n')}
        />
      </EmptyState>
    );
  }
  const chosen = value.servers.find((server) => keyOf(server) === item);
  const hint =
    item === ''
      ? 'Select a server or a plugin to see its tools, its messages, and why it does not work.'
      : item === recording
        ? 'Open the file of the recorded session again.'
        : 'This server is no longer connected.';
  const list = (
    <FilteredList
      page="servers"
      name="servers and plugins"
      items={value.servers}
      chosen={item}
      keyOf={keyOf}
      textOf={(server) => `${server.name} ${server.type} ${server.state} ${server.tools.join(' ')}`}
      head={<OpenSession onOpened={setSession} />}
    >
      {(server) => <Entry server={server} isAsking={questionOf(server) !== undefined} />}
    </FilteredList>
  );
  const detail =
    item === recording && session ? (
      <Session key={session.name} session={session} />
    ) : chosen === undefined ? (
      <Hint>{hint}</Hint>
    ) : (
      <Server key={item} server={chosen} question={questionOf(chosen)} />
    );
  return <Split list={list} detail={detail} isOpen={item !== ''} back={routeTo('servers')} />;
}

function keyOf({ type, name }: ServerView): string {
  return `${type}:${name}`;
}

function Entry({ server, isAsking }: { readonly server: ServerView; readonly isAsking: boolean }) {
  const { type, name, state, reason, tools, version } = server;
  const kind = type === 'server' ? 'MCP server' : 'plugin';
  return (
    <>
      <span className="row">
        <strong>{visible(name)}</strong>
        <StateChip state={isAsking ? 'asking' : state} />
      </span>
      <span className="quiet line">
        {isAsking
          ? 'Waits until you allow its command'
          : reason === undefined
            ? `${kind}${version === undefined ? '' : ` ${visible(version)}`}, ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`
            : visible(reasonsOf(reason).at(-1)!)}
      </span>
    </>
  );
}

function Server({ server, question }: { readonly server: ServerView; readonly question: ApprovalView | undefined }) {
  const [refusal, setRefusal] = useState<{ readonly of: string; readonly text: string }>();
  /** Shows a refusal below the button that was pressed, which `of` names. */
  const act = (of: string, path: string, body: object): void => {
    setRefusal(undefined);
    send(`${path}/${encodeURIComponent(server.name)}`, body).catch((error: unknown) =>
      setRefusal({ of, text: error instanceof Error ? error.message : String(error) }),
    );
  };
  const refusalOf = (of: string): ReactNode => refusal?.of === of && <Problem text={refusal.text} />;
  const facts = [
    server.type === 'server' ? 'MCP server' : 'Plugin',
    server.version,
    server.url,
    server.protocol !== undefined && `protocol ${server.protocol}`,
    server.pid !== undefined && `process ${server.pid}`,
  ].filter((fact) => typeof fact === 'string');
  return (
    <article>
      <h2>
        {visible(server.name)} <StateChip state={question === undefined ? server.state : 'asking'} />
      </h2>
      <p className="quiet">{visible(facts.join(', '))}</p>
      {question !== undefined && (
        <p className="notice warn">
          The server has not been started. It waits until you allow its command:{' '}
          <code>{visible(question.command ?? '')}</code>.{' '}
          <a href={routeTo('approvals', question.id)}>See the question</a>
        </p>
      )}
      {server.login !== undefined && (
        <p className="notice warn">
          This server needs a login.{' '}
          <a href={server.login} target="_blank" rel="noreferrer noopener">
            Log in at {visible(hostOf(server.login))}
          </a>
        </p>
      )}
      {server.state === 'starting' && server.reason !== undefined && <p className="quiet">{visible(server.reason)}</p>}
      {server.state !== 'starting' &&
        server.reason !== undefined &&
        reasonsOf(server.reason).map((reason, index) => (
          <CodeBlock
            key={reason}
            title={
              index > 0
                ? 'What the server wrote to standard error'
                : server.type === 'server'
                  ? 'Why it does not start'
                  : 'Why it does not work'
            }
            text={reason}
          />
        ))}
      {server.state === 'failed' && (
        <p className="quiet">
          {server.type === 'server'
            ? 'Fix the cause, then save the file that lists the servers or start the program again.'
            : 'Fix the cause and save the file. The plugin loads again at once.'}
        </p>
      )}
      {server.failure !== undefined && <FailureFrame {...server.failure} />}
      {server.command !== undefined && (
        <UnapprovedCommand command={server.command} onApprove={(path, body) => act('', path, body)} />
      )}
      {refusalOf('')}
      {server.changes.map(({ tool, fields, diff }) => (
        <section key={tool} className="notice warn" aria-label={`Change of ${tool}`}>
          <p>
            The server has changed <code>{visible(tool)}</code> ({fields.join(', ')}). The tool can’t be used until you
            approve its new definition.
          </p>
          <DiffBlock title="New definition" patch={diff} />
          <p>
            <button type="button" className="main" onClick={() => act(tool, 'server-changes', { tool, diff })}>
              Approve this change
            </button>
          </p>
          {refusalOf(tool)}
        </section>
      ))}
      <section>
        <h3>Tools</h3>
        {server.tools.length === 0 ? (
          <p className="quiet">
            {server.state === 'starting' ? 'They appear when the server is ready.' : 'It offers no tools now.'}
          </p>
        ) : (
          <p className="row wrap tags">
            {server.tools.map((name) => (
              <a key={name} className="tag" href={routeTo('tools', name)}>
                {name}
              </a>
            ))}
          </p>
        )}
      </section>
      {server.messages > 0 && <Messages name={server.name} count={server.messages} />}
      {server.stderr !== undefined && <CodeBlock title="Standard error, without secrets" text={server.stderr} />}
    </article>
  );
}

/** Splits the reason of a failure from what the server wrote to its standard error. */
function reasonsOf(reason: string): readonly string[] {
  return reason.split('; its standard error says: ');
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The protocol messages. They are read only while they are shown. */
function Messages({ name, count }: { readonly name: string; readonly count: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{count} protocol messages, newest first</summary>
      {isOpen && <LiveMessages name={name} />}
    </details>
  );
}

function LiveMessages({ name }: { readonly name: string }) {
  const { value, problem } = useData<readonly ServerMessageView[]>(`servers/${encodeURIComponent(name)}`, 'servers');
  if (value === undefined) return <Problem text={problem} />;
  return (
    <MessageList
      messages={value.toReversed()}
      timeOf={(at) => (
        <time className="quiet" dateTime={new Date(at).toISOString()}>
          {new Date(at).toLocaleTimeString()}
        </time>
      )}
    />
  );
}
