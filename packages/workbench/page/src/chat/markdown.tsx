import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { useMemo, type ReactNode } from 'react';
import { visible } from '../data/visible.ts';
import { CodeBlock } from '../parts/code-block.tsx';

/** Longer texts are shown as they are, because the time for some texts grows with the square of their length. */
const maxLength = 20_000;

/**
 * Shows a Markdown text that a model wrote, which may be hostile. HTML is shown as text. A link shows its address.
 * Images are links, because the address of an image that loads by itself can send secrets to its server.
 */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => parse(text), [text]);
  if (tokens === undefined) return <p className="prose">{visible(text)}</p>;
  return (
    <div className="markdown">
      <Blocks tokens={tokens} />
    </div>
  );
}

function parse(text: string): readonly Token[] | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return lexer(text);
  } catch {
    // Thousands of quotes in quotes exceed the stack.
    return undefined;
  }
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} />);
}

function Block({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'space':
      return null;
    case 'paragraph':
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case 'heading':
      return (
        <p>
          <strong>
            <Inline tokens={token.tokens} />
          </strong>
        </p>
      );
    case 'code':
      return <CodeBlock title={token.lang?.trim() || 'Code'} text={token.text} />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case 'list':
      return <List list={token} />;
    case 'table':
      return <Table table={token} />;
    case 'hr':
      return <hr />;
    default:
      return <Inline tokens={[token]} />;
  }
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index}>
      <Blocks tokens={item.tokens} />
    </li>
  ));
  return list.ordered ? <ol start={Number(list.start)}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  return (
    <div className="scrolling" tabIndex={0}>
      <table>
        <thead>
          <Row cells={header} tag="th" />
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} cells={row} tag="td" />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ cells, tag: Tag }: { readonly cells: readonly Tokens.TableCell[]; readonly tag: 'th' | 'td' }) {
  return (
    <tr>
      {cells.map((cell, index) => (
        <Tag key={index}>
          <Inline tokens={cell.tokens} />
        </Tag>
      ))}
    </tr>
  );
}

function Inline({ tokens }: { readonly tokens: readonly Token[] }) {
  return tokens.map((token, index) => <Part key={index} token={token as MarkedToken} />);
}

function Part({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? visible(token.text) : <Inline tokens={token.tokens} />;
    case 'escape':
      return visible(token.text);
    case 'strong':
    case 'em':
    case 'del': {
      const Tag = token.type;
      return (
        <Tag>
          <Inline tokens={token.tokens} />
        </Tag>
      );
    }
    case 'codespan':
      return <code>{visible(token.text)}</code>;
    case 'br':
      return <br />;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'link':
      return (
        <Link href={token.href} isPlain={token.text === token.href}>
          <Inline tokens={token.tokens} />
        </Link>
      );
    case 'image':
      return (
        <Link href={token.href} isPlain={false}>
          {`image: ${visible(token.text)}`}
        </Link>
      );
    default:
      // HTML, and definitions of links.
      return visible(token.raw);
  }
}

interface LinkProps {
  readonly href: string;
  /** Whether the text of the link is its address. */
  readonly isPlain: boolean;
  readonly children: ReactNode;
}

function Link({ href, isPlain, children }: LinkProps) {
  const isWebOrMail = /^(?:https?|mailto):/i.test(href);
  return (
    <>
      {isWebOrMail ? (
        <a href={href} target="_blank" rel="noopener noreferrer">
          {children}
        </a>
      ) : (
        children
      )}
      {!isPlain && <span className="quiet"> ({visible(href)})</span>}
    </>
  );
}
