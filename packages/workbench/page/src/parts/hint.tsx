import type { ReactNode } from 'react';

/** What to do next, in the empty pane beside a list. */
export function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <div className="hint">
      <p>{children}</p>
      <p className="quiet">
        <kbd>j</kbd> and <kbd>k</kbd> move through the list, <kbd>/</kbd> jumps to a page or a tool.
      </p>
    </div>
  );
}
