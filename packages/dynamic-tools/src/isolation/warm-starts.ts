import type { LaunchPlan } from './launch-plan.ts';
import { startPlugin, type ProcessLimits, type RunningPlugin } from './running-plugin.ts';

/** Processes that were started before it is certain that they are needed. */
export interface WarmStarts {
  /** Starts one for a plugin whose files are being written: starting takes about as long as files take to settle. */
  prepare(id: string, plan: LaunchPlan): void;
  /** The one that was prepared for the plugin, if it is what is needed now. */
  take(id: string, plan: LaunchPlan): RunningPlugin | undefined;
  close(): void;
}

/** Milliseconds after which a process that nobody took is ended. */
const keptMs = 5_000;

interface Prepared {
  readonly print: string;
  readonly running: RunningPlugin;
  readonly timer: ReturnType<typeof setTimeout>;
}

export function createWarmStarts(limits: ProcessLimits): WarmStarts {
  const prepared = new Map<string, Prepared>();
  const remove = (id: string): Prepared | undefined => {
    const found = prepared.get(id);
    prepared.delete(id);
    clearTimeout(found?.timer);
    return found;
  };
  return {
    prepare(id, plan) {
      if (prepared.has(id)) return;
      const running = startPlugin(plan, limits);
      const timer = setTimeout(() => remove(id)?.running.kill('closed'), keptMs).unref();
      prepared.set(id, { print: JSON.stringify(plan), running, timer });
      running.send({ t: 'warm' });
    },
    take(id, plan) {
      const found = remove(id);
      if (!found) return undefined;
      if (found.print === JSON.stringify(plan) && found.running.isAlive) return found.running;
      found.running.kill('closed');
      return undefined;
    },
    close() {
      for (const id of prepared.keys()) remove(id)?.running.kill('closed');
    },
  };
}
