/**
 * The process of one contender in a race. Reads each text repeatedly for one lap and reports the time of one reading.
 */
import { loadReader } from '@haft-tooling/peers/damaged-json/readers';
import { serveQuestions } from '@haft-tooling/measure';
import { speedTexts } from '@haft-tooling/corpora/damaged-json';

/** A request to read one text for a lap. */
export interface Lap {
  readonly id: string;
  readonly text: string;
  readonly size: number;
  readonly ms: number;
}

/** The outcome of a lap. */
export interface LapTime {
  /** Processor time of one reading, in microseconds. */
  readonly cpuMicroseconds: number;
  readonly units: number;
  /** Whether the reader returned a value. */
  readonly read: boolean;
}

const read = await loadReader(process.argv[2]);
const texts = new Map<string, string>();

serveQuestions(async ({ text, size, ms }: Lap): Promise<LapTime> => {
  const key = `${text}/${size}`;
  const written = texts.get(key) ?? speedTexts.find((one) => one.name === text)?.make(size) ?? '';
  texts.set(key, written);
  let readings = 0;
  let isRead = false;
  const cpu = process.cpuUsage();
  const start = performance.now();
  do {
    isRead = await succeeds(written);
    readings += 1;
  } while (performance.now() - start < ms);
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMicroseconds: (user + system) / readings, units: written.length, read: isRead };
});

async function succeeds(text: string): Promise<boolean> {
  try {
    return (await read(text)) !== undefined;
  } catch {
    return false;
  }
}
