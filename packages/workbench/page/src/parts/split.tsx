import { useEffect, useRef, type ReactNode } from 'react';

interface SplitProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Whether an item is selected. On narrow screens, only the item is shown then. */
  readonly isOpen: boolean;
  /** URL of the list, for the way back on narrow screens. */
  readonly back: string;
}

/** A list beside the selected item. */
export function Split({ list, detail, isOpen, back }: SplitProps) {
  const pane = useRef<HTMLDivElement>(null);
  // A URL may select an item far down.
  useEffect(() => {
    pane.current?.querySelector('.list a[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className={isOpen ? 'split open' : 'split'}>
      <div ref={pane} className="list-pane">
        {list}
      </div>
      <div className="detail-pane">
        {isOpen && (
          <a className="back" href={back}>
            ← Back to the list
          </a>
        )}
        {detail}
      </div>
    </div>
  );
}
