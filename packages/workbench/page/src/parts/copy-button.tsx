import { useEffect, useState } from 'react';

interface CopyButtonProps {
  /** The text, or a function that makes it when it is copied. */
  readonly text: string | (() => string);
  readonly label?: string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state === 'ready') return undefined;
    const timer = setTimeout(() => setState('ready'), 1_500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
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
