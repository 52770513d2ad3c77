import { CopyButton } from './copy-button.tsx';
import { visible } from '../data/visible.ts';

function lookOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'quiet';
  if (line.startsWith('@@')) return 'range';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : '';
}

/** A unified diff with coloured lines. */
export function DiffBlock({ title, patch }: { readonly title: string; readonly patch: string }) {
  return (
    <section className="block">
      <header>
        <h3>{title}</h3>
        <CopyButton text={patch} />
      </header>
      <pre className="diff" tabIndex={0} aria-label={title}>
        {patch
          .replace(/\n+$/, '')
          .split('\n')
          .map((line, index) => (
            <span key={index} className={lookOf(line)}>
              {`${visible(line)}\n`}
            </span>
          ))}
      </pre>
    </section>
  );
}
