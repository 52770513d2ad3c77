import { useMemo, useState } from 'react';
import type { ToolDetails, ToolSummary } from '../../../src/contract/page-data.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';
import { CallForm } from '../form/call-form.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { CodeBlock, visible } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Hint } from '../parts/hint.tsx';
import { Problem } from '../parts/problem.tsx';
import { SourceLink } from '../parts/source-link.tsx';
import { Split } from '../parts/split.tsx';
import { useListKeys } from '../parts/use-list-keys.ts';

/** All tools, and one of them with its schema for each model vendor and a form that calls it. */
export function ToolsPage({ name }: { readonly name: string }) {
  const { value: tools, problem } = useData<readonly ToolSummary[]>('tools', 'tools');
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
        <p>
          Pass tools to <code>createToolkit</code>, connect an MCP server, or save a plugin in the plugin folder. New
          tools appear here at once.
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
              <span className="quiet line">{visible(tool.description)}</span>
              <span className="row tags">
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
  return <Split list={list} detail={<Details name={name} />} isOpen={name !== ''} back={routeTo('tools')} />;
}

function Details({ name }: { readonly name: string }) {
  return name === '' ? (
    <Hint>Select a tool to see its schema for each model vendor, and to call it.</Hint>
  ) : (
    <Tool key={name} name={name} />
  );
}

function Tool({ name }: { readonly name: string }) {
  const { value: tool, problem } = useData<ToolDetails>(`tools/${encodeURIComponent(name)}`, 'tools');
  const [dialect, setDialect] = useState('');
  if (tool === undefined) return <Problem text={problem} />;
  const chosen = tool.dialects.find((one) => one.dialect === dialect);
  return (
    <article>
      <header className="row wrap">
        <h2>{tool.name}</h2>
        <CopyButton text={tool.name} label="Copy name" />
      </header>
      <p className="prose">{visible(tool.description)}</p>
      <p className="row tags">
        <span className="tag">{tool.provider}</span>
        <span className="tag">kind: {tool.kind}</span>
        {tool.traits.map((trait) => (
          <span key={trait} className={`tag ${trait === 'destructive' ? 'warn' : ''}`}>
            {trait}
          </span>
        ))}
      </p>
      {tool.source !== undefined && (
        <p className="quiet">
          Defined in <SourceLink source={tool.source} />
        </p>
      )}
      <CallForm tool={tool} />
      <section>
        <h3>Schema</h3>
        <div className="row wrap" role="group" aria-label="Dialect of the schema">
          {['', ...tool.dialects.map((one) => one.dialect)].map((one) => (
            <button
              key={one}
              type="button"
              className="small"
              aria-pressed={one === dialect}
              onClick={() => setDialect(one)}
            >
              {one === '' ? 'original' : one}
            </button>
          ))}
        </div>
        {chosen?.problem !== undefined && (
          <p className="notice bad">This dialect can't express the tool: {chosen.problem}</p>
        )}
        {chosen !== undefined && chosen.lost.length > 0 && (
          <div className="notice warn">
            <p>Rules that this dialect can't express. Haft checks them after the model has answered.</p>
            <ul className="dots">
              {chosen.lost.map(({ path, keyword, meaning }) => (
                <li key={`${path} ${keyword}`}>
                  <code>
                    {path} {keyword}
                  </code>
                  : {meaning}
                </li>
              ))}
            </ul>
          </div>
        )}
        <CodeBlock
          title={`${dialect === '' ? 'Original' : dialect}, about ${chosen?.tokens ?? tool.tokens} tokens`}
          text={JSON.stringify(chosen?.schema ?? tool.schema, null, 2)}
        />
      </section>
    </article>
  );
}
