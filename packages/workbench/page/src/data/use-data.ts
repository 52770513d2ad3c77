import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { SectionName } from '../../../src/contract/page-data.ts';
import { connectionState, onChanges, onConnectionState, type ConnectionState } from './changes.ts';
import { read } from './request.ts';

/** Data of the program, kept up to date. */
export interface Loaded<Value> {
  /** The latest data. Kept while newer data is loading or could not be loaded. */
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/** Reads data from a path of the program, and reads it again whenever its section changes. */
export function useData<Value>(path: string, section: SectionName): Loaded<Value> {
  const [state, setState] = useState<{ readonly path: string; readonly value?: Value; readonly problem?: string }>({
    path,
  });
  const load = useCallback(() => {
    read<Value>(path).then(
      (value) => setState({ path, value }),
      (error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error);
        setState((before) => (before.path === path ? { ...before, problem } : { path, problem }));
      },
    );
  }, [path]);
  useEffect(() => {
    let isLoading = false;
    let isDue = false;
    // One request at a time. A change during the request causes another one afterwards.
    const run = (): void => {
      if (isLoading) {
        isDue = true;
        return;
      }
      isLoading = true;
      read<Value>(path)
        .then(
          (value) => setState({ path, value }),
          (error: unknown) => {
            const problem = error instanceof Error ? error.message : String(error);
            setState((before) => (before.path === path ? { ...before, problem } : { path, problem }));
          },
        )
        .finally(() => {
          isLoading = false;
          if (isDue) {
            isDue = false;
            run();
          }
        });
    };
    run();
    return onChanges((sections) => {
      if (sections.includes(section)) run();
    });
  }, [path, section]);
  const isCurrent = state.path === path;
  return { value: isCurrent ? state.value : undefined, problem: isCurrent ? state.problem : undefined, reload: load };
}

/** Returns the state of the connection. */
export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(onConnectionState, connectionState);
}
