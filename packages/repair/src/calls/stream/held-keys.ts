import type { KeyFate } from '../settle/fit-arguments.ts';

/** Holds deltas back after a key that may not belong to the arguments, because a delta can't be withdrawn. */
export interface HeldKeys {
  /** Whether nothing is certain at present. */
  readonly isOn: boolean;
  /** Records the next key of the arguments. */
  readonly add: (key: string) => void;
}

/** Creates the state for the keys of one call. */
export function createHeldKeys(fateOf: (key: string) => KeyFate): HeldKeys {
  let first: string | undefined;
  let isChanged = false;
  let isAround = false;
  return {
    get isOn() {
      return isChanged || isAround;
    },
    add: (key) => {
      const fate = fateOf(key);
      first ??= key;
      isChanged ||= fate === 'changed';
      // Only a single key can be a wrapper around all arguments.
      isAround = key === first && fate === 'foreign';
    },
  };
}
