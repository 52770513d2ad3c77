import { useEffect, useState } from 'react';

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), 1_500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const words = { ready: label, copied: 'Copied', failed: 'Not allowed' };
  return (
    <button type="button" className="small" onClick={copy} aria-live="polite">
      {words[state]}
    </button>
  );
}
