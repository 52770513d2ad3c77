import type { MarkedText } from './marked-text.ts';

/** Highlights corresponding rows and marks. */
export interface Pointing {
  /** Call after lists and marks were rebuilt; the pinned item stays pinned. */
  renew(): void;
}

/** The elements involved. */
export interface PointingParts {
  readonly text: HTMLTextAreaElement;
  readonly results: HTMLElement;
  readonly marked: MarkedText;
  /** A line below the text that describes the mark under the pointer. */
  readonly pointed: HTMLElement;
}

/** Links rows to their spans: mouse, focus or caret on one highlights the other. A click pins it. */
export function createPointing({ text, results, marked, pointed }: PointingParts): Pointing {
  let pinned: string | undefined;
  let hovered: string | undefined;

  const rowOf = (id: string): HTMLElement | undefined =>
    results.querySelector<HTMLElement>(`[data-span="${CSS.escape(id)}"]`) ?? undefined;

  const show = (): void => {
    const ids = new Set([pinned, hovered].filter((id) => id !== undefined));
    marked.emphasize(ids);
    for (const row of results.querySelectorAll<HTMLElement>('[data-span]')) {
      const id = row.dataset['span'] ?? '';
      row.classList.toggle('active', ids.has(id));
      row.setAttribute('aria-pressed', String(id === pinned));
    }
    const current = hovered ?? pinned;
    pointed.textContent = current === undefined ? '' : describe(rowOf(current));
  };
  const hover = (id: string | undefined): void => {
    if (hovered === id) return;
    hovered = id;
    show();
  };
  const spanOf = (target: EventTarget | null): string | undefined =>
    target instanceof Element ? target.closest<HTMLElement>('[data-span]')?.dataset['span'] : undefined;

  results.addEventListener('pointerover', (event) => hover(spanOf(event.target)));
  results.addEventListener('pointerleave', () => hover(undefined));
  results.addEventListener('focusin', (event) => hover(spanOf(event.target)));
  results.addEventListener('focusout', () => hover(undefined));
  results.addEventListener('click', (event) => {
    const id = spanOf(event.target);
    if (id === undefined) return;
    pinned = pinned === id ? undefined : id;
    show();
    if (pinned !== undefined) marked.scrollTo(pinned);
  });
  text.addEventListener('pointermove', (event) => hover(marked.spanAt(event.clientX, event.clientY)));
  text.addEventListener('pointerleave', () => hover(undefined));
  text.addEventListener('click', (event) => {
    const id = marked.spanAt(event.clientX, event.clientY);
    pinned = id === pinned ? undefined : id;
    show();
    if (pinned !== undefined) rowOf(pinned)?.scrollIntoView({ block: 'nearest' });
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    pinned = undefined;
    show();
  });

  return {
    renew: () => {
      if (pinned !== undefined && !rowOf(pinned)) pinned = undefined;
      if (hovered !== undefined && !rowOf(hovered)) hovered = undefined;
      show();
    },
  };
}

/** A row in one line: a repair, or a call with its remarks. */
function describe(row: HTMLElement | undefined): string {
  const whole = row?.classList.contains('repair') ? row : row?.parentElement;
  return [...(whole?.children ?? [])].map((part) => part.textContent).join('  ');
}
