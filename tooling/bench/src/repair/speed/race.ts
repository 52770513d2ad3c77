import type { Guarded } from '@haft-tooling/measure';
import { openGuarded } from '@haft-tooling/measure';
import type { Lap, LapTime } from './speed-process.ts';

/** The best lap of a contender over one text. */
export interface RaceTime {
  /** In microseconds of processor time; infinite when it did not come back in time. */
  readonly cpuMicroseconds: number;
  /** Million UTF-16 units a second; 0 when it did not come back in time. */
  readonly speed: number;
  /** A value came back. */
  readonly read: boolean;
}

/** How long laps are, and how often they are run. */
export interface RaceOptions {
  readonly rounds: number;
  /** How long a contender reads in one lap, in milliseconds; at least once, however long that takes. */
  readonly lapMs: number;
  /** How long a lap may take before the contender is taken out. */
  readonly limitMs: number;
}

/** One size of a text, with the time of every contender. */
export interface Race {
  readonly size: number;
  readonly times: ReadonlyMap<string, RaceTime>;
}

interface Entry {
  readonly name: string;
  readonly process: Guarded;
}

/** Races contenders over a text of several sizes, in processes of their own and in interleaved laps. */
export async function race(
  contenders: readonly string[],
  text: string,
  sizes: readonly number[],
  options: RaceOptions,
): Promise<readonly Race[]> {
  const module = new URL('speed-process.ts', import.meta.url);
  const entries: Entry[] = [];
  try {
    for (const name of contenders) {
      entries.push({ name, process: await openGuarded({ module, args: [name], questionMs: options.limitMs }) });
    }
    const races: Race[] = [];
    for (const size of sizes) races.push({ size, times: await runLaps(entries, text, size, options) });
    return races;
  } finally {
    for (const { process } of entries) process.close();
  }
}

async function runLaps(
  entries: readonly Entry[],
  text: string,
  size: number,
  { rounds, lapMs }: RaceOptions,
): Promise<Race['times']> {
  const best = new Map<string, RaceTime>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, process } of entries) {
      const known = best.get(name);
      if (known?.speed === 0) continue;
      // The first lap is for the engine to settle; what follows is better or as good.
      const lap: Lap = { id: `${text}/${size}/${round}`, text, size, ms: round === 0 ? lapMs * 6 : lapMs };
      const time = await process.ask<LapTime>(lap);
      if (time === undefined) best.set(name, { cpuMicroseconds: Number.POSITIVE_INFINITY, speed: 0, read: false });
      else if (known === undefined || time.cpuMicroseconds < known.cpuMicroseconds) {
        best.set(name, {
          cpuMicroseconds: time.cpuMicroseconds,
          speed: time.units / time.cpuMicroseconds,
          read: time.read,
        });
      }
    }
  }
  return best;
}
