import { useEffect, useState } from 'react';

/** Returns whether a value has stayed the same for some time, in milliseconds. */
export function useIsSettled(value: unknown, ms: number): boolean {
  const [settled, setSettled] = useState<unknown>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled === value;
}
