import type { CodeFrame, SourceView } from '../../../src/contract/page-data.ts';
import { visible } from '../data/visible.ts';
import { CopyButton } from './copy-button.tsx';

/** A link that opens a source file in the editor. */
export function SourceLink({ source }: { readonly source: SourceView }) {
  const place = `${source.path}:${source.line}`;
  return (
    <span className="source">
      <a href={source.url} title={place}>
        {visible(shortened(place))}
      </a>{' '}
      <CopyButton text={place} label="Copy path" />
    </span>
  );
}

function shortened(place: string): string {
  const parts = place.split(/[\\/]/);
  return parts.length > 4 ? `…/${parts.slice(-3).join('/')}` : place;
}

/** The lines around a failure, with a link that opens them in the editor. */
export function FailureFrame({ frame, url }: { readonly frame: CodeFrame; readonly url: string }) {
  return (
    <section className="block" aria-label="Lines around the failure">
      <header>
        <h3>
          <a href={url}>{visible(shortened(`${frame.path}:${frame.line}`))}</a>
        </h3>
        <CopyButton text={() => frame.lines.map(({ text }) => text).join('\n')} />
      </header>
      <pre className="frame" tabIndex={0} aria-label="Source code">
        {frame.lines.map(({ number, text }) => (
          <span key={number} className={number === frame.line ? 'failing' : undefined}>
            <span className="number">{String(number).padStart(4)}</span> {visible(text)}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  );
}
