import type { ReactNode } from 'react';

/** What a page shows while it has nothing to list: why, and how to change that. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
