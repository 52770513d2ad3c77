const looks: Readonly<Record<string, string>> = {
  ok: 'good',
  ready: 'good',
  live: 'good',
  done: 'good',
  finished: 'good',
  started: 'busy',
  leased: 'busy',
  asking: 'warn',
  waiting: 'warn',
  unknown: 'bad',
  changed: 'busy',
  running: 'busy',
  starting: 'busy',
  restarting: 'busy',
  outdated: 'warn',
  unapproved: 'warn',
  missing: 'warn',
  cancelled: 'warn',
  aborted: 'warn',
  limit: 'warn',
  undone: 'warn',
  unfinished: 'warn',
  unanswered: 'warn',
  error: 'bad',
  denied: 'bad',
  lost: 'bad',
  closed: 'bad',
  failed: 'bad',
};

/** A state as a coloured word. */
export function StateChip({ state }: { readonly state: string }) {
  return <span className={`chip ${looks[state] ?? ''}`}>{state}</span>;
}
