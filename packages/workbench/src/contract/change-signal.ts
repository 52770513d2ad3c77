/** Listeners that are called after every change. */
export interface ChangeSignal {
  /** Calls all listeners. */
  readonly notify: () => void;
  /** Adds a listener. Returns a function that removes it. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Creates a signal without listeners. Notifying it then costs one comparison. */
export function createChangeSignal(): ChangeSignal {
  const listeners = new Set<() => void>();
  return {
    notify() {
      if (listeners.size === 0) return;
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
