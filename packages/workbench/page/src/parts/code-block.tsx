import { visible } from '../data/visible.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly title: string;
  readonly text: string;
  /** Shows a long text without a scroll bar of its own. */
  readonly isWhole?: boolean;
}

/** A text with a title and a copy button. The text is shown as it is, never as markup. */
export function CodeBlock({ title, text, isWhole = false }: CodeBlockProps) {
  return (
    <section className="block">
      <header>
        <h3>{visible(title)}</h3>
        <CopyButton text={text} />
      </header>
      <pre className={isWhole ? 'whole' : undefined} tabIndex={0} aria-label={visible(title)}>
        {visible(text)}
      </pre>
    </section>
  );
}
