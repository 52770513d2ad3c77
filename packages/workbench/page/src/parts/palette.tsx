import { useEffect, useRef, useState } from 'react';
import type { ToolSummary } from '../../../src/contract/page-data.ts';
import { read } from '../data/request.ts';
import { routeTo } from '../data/use-route.ts';
import { isTyping } from './use-list-keys.ts';

const maxShown = 12;

/** The title of a page, and what it is for. */
export interface PageTitle {
  readonly title: string;
  readonly purpose: string;
}

/** Opens with Ctrl+K, Cmd+K or a slash: jumps to any page or tool by its name. */
export function Palette({ pages }: { readonly pages: Readonly<Record<string, PageTitle>> }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const [tools, setTools] = useState<readonly ToolSummary[]>([]);

  const show = (): void => {
    setQuery('');
    setChosen(0);
    read<readonly ToolSummary[]>('tools').then(setTools, () => setTools([]));
    dialog.current?.showModal();
  };
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      const isShortcut = (event.metaKey || event.ctrlKey) && event.key === 'k';
      if (!isShortcut && (event.key !== '/' || isTyping(event))) return;
      event.preventDefault();
      show();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);

  const all = [
    ...Object.entries(pages).map(([name, { title, purpose }]) => ({ title, note: purpose, url: routeTo(name) })),
    ...tools.map(({ name, provider }) => ({ title: name, note: provider, url: routeTo('tools', name) })),
  ];
  const wanted = query.toLowerCase();
  const shown = all.filter(({ title, note }) => `${title} ${note}`.toLowerCase().includes(wanted)).slice(0, maxShown);
  const go = (url: string | undefined): void => {
    if (url === undefined) return;
    location.hash = url;
    dialog.current?.close();
  };
  return (
    <>
      <button type="button" className="small search" onClick={show}>
        Search <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} className="palette" aria-label="Go to a page or a tool">
        <input
          value={query}
          placeholder="Go to a page or a tool"
          aria-label="Go to a page or a tool"
          aria-controls="palette-list"
          onChange={(event) => {
            setQuery(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') go(shown[chosen]?.url);
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (step === 0) return;
            event.preventDefault();
            setChosen((now) => Math.min(Math.max(now + step, 0), shown.length - 1));
          }}
        />
        <ul id="palette-list">
          {shown.map(({ title, note, url }, index) => (
            <li key={url}>
              <button type="button" className={index === chosen ? 'chosen' : ''} onClick={() => go(url)}>
                <span>{title}</span>
                <span className="quiet line">{note}</span>
              </button>
            </li>
          ))}
          {shown.length === 0 && <li className="quiet">No page or tool has this name.</li>}
        </ul>
      </dialog>
    </>
  );
}
