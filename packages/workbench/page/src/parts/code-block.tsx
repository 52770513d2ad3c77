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
        <h3>{title}</h3>
        <CopyButton text={text} />
      </header>
      <pre className={isWhole ? 'whole' : undefined} tabIndex={0} aria-label={title}>
        {visible(text)}
      </pre>
    </section>
  );
}

/** Shows characters that would change how the text is displayed as their code. */
export function visible(text: string): string {
  // Control characters other than line breaks and tabs, and characters that change the direction of text.
  return text.replaceAll(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g,
    (character) => `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
