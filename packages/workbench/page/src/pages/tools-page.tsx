import { useMemo, useState } from 'react';
import type { ApprovalList, ToolDetails, ToolSummary } from '../../../src/contract/page-data.ts';
import { withoutFence } from '../data/server-text.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { CallForm } from '../form/call-form.tsx';
import { Schemas } from '../form/schemas.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { visible } from '../data/visible.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Hint } from '../parts/hint.tsx';
import { Problem } from '../parts/problem.tsx';
import { SourceLink } from '../parts/source-link.tsx';
import { Split } from '../parts/split.tsx';
import { useListKeys } from '../parts/use-list-keys.ts';
import { WaitingQuestions } from '../parts/waiting-questions.tsx';

/** All tools, and one of them with its schema for each model vendor and a form that calls it. */
export function ToolsPage({ name, query }: { readonly name: string; readonly query: string }) {
  const { value: tools, problem } = useData<readonly ToolSummary[]>('tools', 'tools');
  const { value: approvals } = useData<ApprovalList>('approvals', 'approvals');
  const [filter, setFilter] = useState('');
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return (tools ?? []).filter((tool) =>
      `${tool.name} ${tool.provider} ${tool.description}`.toLowerCase().includes(wanted),
    );
  }, [tools, filter]);
  const urls = useMemo(() => shown.map((tool) => routeTo('tools', tool.name)), [shown]);
  useListKeys(urls);
  if (tools === undefined) return <Problem text={problem} />;
  if (tools.length === 0) {
    return (
      <EmptyState title="There are no tools yet">
        <WaitingQuestions questions={approvals?.questions ?? []} />
        <p>
          Start <code>npx haft ui --mcp mcp.json --plugins plugins</code>, or pass tools to <code>createToolkit</code>{' '}
          in your program. New tools appear here at once.
        </p>
      </EmptyState>
    );
  }
  const total = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  const list = (
    <>
      <div className="list-head">
        <input
          type="search"
          value={filter}
          placeholder="Filter tools"
          aria-label="Filter tools"
          onChange={(event) => setFilter(event.target.value)}
        />
        <p className="quiet">
          {shown.length} of {tools.length} tools. All definitions cost a model about {total.toLocaleString('en')}{' '}
          tokens.
        </p>
      </div>
      <ul className="list">
        {shown.map((tool) => (
          <li key={tool.name}>
            <a href={routeTo('tools', tool.name)} aria-current={tool.name === name ? 'true' : undefined}>
              <span className="row">
                <strong>{tool.name}</strong>
                <span className="quiet">{tool.tokens} tokens</span>
              </span>
              <span className="quiet line">{visible(withoutFence(tool.description).text)}</span>
              <span className="row tags">
                {withoutFence(tool.description).isUntrusted && <span className="tag">untrusted text</span>}
                <span className="tag">{tool.provider}</span>
                <span className={`tag ${tool.traits.includes('destructive') ? 'warn' : ''}`}>{tool.kind}</span>
              </span>
            </a>
          </li>
        ))}
        {shown.length === 0 && <li className="notice">No tool matches “{filter}”.</li>}
      </ul>
    </>
  );
  return (
    <Split list={list} detail={<Details name={name} query={query} />} isOpen={name !== ''} back={routeTo('tools')} />
  );
}

function Details({ name, query }: { readonly name: string; readonly query: string }) {
  return name === '' ? <Welcome /> : <Tool key={name} name={name} query={query} />;
}

/** What a newcomer can do here. */
function Welcome() {
  return (
    <>
      <Hint>Select a tool to call it, and to see its schema for OpenAI, Anthropic, Gemini and other vendors.</Hint>
      <section className="card" aria-label="Other questions">
        <h2>Looking for something else?</h2>
        <dl className="facts tasks">
          <dt>Why was a text of a model read like this?</dt>
          <dd>
            <a href={routeTo('text')}>Text X-ray</a>
          </dd>
          <dt>What did a call change, and how do I undo it?</dt>
          <dd>
            <a href={routeTo('changes')}>Changes</a>
          </dd>
          <dt>Why does a server or a plugin not start?</dt>
          <dd>
            <a href={routeTo('servers')}>Servers</a>
          </dd>
          <dt>Why does my agent wait?</dt>
          <dd>
            <a href={routeTo('approvals')}>Approvals</a>
          </dd>
          <dt>What did the agent do, turn by turn?</dt>
          <dd>
            <a href={routeTo('runs')}>Runs</a>
          </dd>
        </dl>
      </section>
    </>
  );
}

function Tool({ name, query }: { readonly name: string; readonly query: string }) {
  const { value: tool, problem } = useData<ToolDetails>(`tools/${encodeURIComponent(name)}`, 'tools');
  if (tool === undefined) return <Problem text={problem} />;
  const choices = new URLSearchParams(query);
  const { text: description, isUntrusted } = withoutFence(tool.description);
  const shown = choices.get('show') === 'schema' ? 'schema' : 'call';
  return (
    <article className="wide">
      <header className="row wrap">
        <h2>{tool.name}</h2>
        <CopyButton text={tool.name} label="Copy name" />
      </header>
      <p className="prose">{visible(description)}</p>
      <p className="row wrap tags">
        {isUntrusted && (
          <span className="tag" title="A model reads this description between marks of untrusted text.">
            untrusted text of the server
          </span>
        )}
        <span className="tag">{tool.provider}</span>
        <span className="tag">kind: {tool.kind}</span>
        {tool.traits.map((trait) => (
          <span key={trait} className={`tag ${trait === 'destructive' ? 'warn' : ''}`}>
            {trait}
          </span>
        ))}
        {tool.source !== undefined && (
          <span className="quiet">
            Defined in <SourceLink source={tool.source} />
          </span>
        )}
      </p>
      <nav className="tabs" aria-label="Views of the tool">
        <a href={routeTo('tools', name)} aria-current={shown === 'call' ? 'true' : undefined}>
          Call
        </a>
        <a href={routeTo('tools', name, { show: 'schema' })} aria-current={shown === 'schema' ? 'true' : undefined}>
          Schema for OpenAI, Gemini, …
        </a>
      </nav>
      <div className="panes" data-shown={shown}>
        <CallForm key={choices.get('arguments') ?? ''} tool={tool} given={choices.get('arguments') ?? ''} />
        <Schemas tool={tool} dialect={choices.get('dialect') ?? ''} />
      </div>
    </article>
  );
}
