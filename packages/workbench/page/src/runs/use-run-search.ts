import { useEffect, useState } from 'react';
import { read } from '../data/request.ts';

const none: ReadonlySet<string> = new Set();
const pauseMs = 200;
const minLength = 3;

/** Searches the whole text of all recordings. Returns the IDs of the runs that hold the text, and the search. */
export function useRunSearch(): readonly [found: ReadonlySet<string>, search: (text: string) => void] {
  const [text, setText] = useState('');
  const [found, setFound] = useState(none);
  useEffect(() => {
    setFound(none);
    if (text.length < minLength) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      read<readonly string[]>(`run-search/${encodeURIComponent(text)}`).then(
        (ids) => isCurrent && setFound(new Set(ids)),
        () => undefined,
      );
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return [found, setText];
}
