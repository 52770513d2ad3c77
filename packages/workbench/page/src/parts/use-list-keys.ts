import { useLayoutEffect } from 'react';

/** Moves through a list with j and k or the arrow keys, unless the user is typing. */
export function useListKeys(urls: readonly string[]): void {
  // Before the browser shows the list: a key always moves through the one on the screen.
  useLayoutEffect(() => {
    const move = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey || urls.length === 0) return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0) return;
      const now = urls.indexOf(location.hash.split('?')[0]!);
      const next = urls[now === -1 ? 0 : Math.min(Math.max(now + step, 0), urls.length - 1)];
      if (next === undefined) return;
      event.preventDefault();
      location.hash = next;
      document.querySelector(`a[href="${CSS.escape(next)}"]`)?.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', move);
    return () => removeEventListener('keydown', move);
  }, [urls]);
}

/** Returns whether a key press belongs to an input field. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
