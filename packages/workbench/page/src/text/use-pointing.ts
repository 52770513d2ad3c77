import { useEffect, useMemo, useState } from 'react';
import type { Pointing } from './text-reading-parts.tsx';

/** Highlights corresponding rows and marks. */
export interface UsedPointing extends Pointing {
  /** The row or mark under the pointer or the focus, or else the pinned one. */
  readonly current: string | undefined;
  readonly hover: (id: string | undefined) => void;
  readonly pick: (id: string | undefined) => void;
}

/** Links rows to their spans: mouse, focus or caret on one highlights the other. A click pins it, Escape releases it. */
export function usePointing(): UsedPointing {
  const [pinned, setPinned] = useState<string>();
  const [hovered, setHovered] = useState<string>();
  useEffect(() => {
    const release = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setPinned(undefined);
    };
    addEventListener('keydown', release);
    return () => removeEventListener('keydown', release);
  }, []);
  const active = useMemo(() => new Set([pinned, hovered].filter((id) => id !== undefined)), [pinned, hovered]);
  return {
    active,
    pinned,
    current: hovered ?? pinned,
    hover: setHovered,
    pick: (id) => setPinned((before) => (before === id ? undefined : id)),
  };
}

/** Returns the span of the row that an event belongs to. */
export function spanOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-span]')?.dataset['span'] : undefined;
}
