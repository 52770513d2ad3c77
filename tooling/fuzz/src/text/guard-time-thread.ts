/** The thread that measures how much processor time passes without a tick. */
import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { ticks, maxCpuMs, file } = workerData as {
  readonly ticks: Int32Array;
  readonly maxCpuMs: number;
  readonly file: string;
};
const pause = new Int32Array(new SharedArrayBuffer(4));
const lookEveryMs = Math.min(1_000, maxCpuMs / 4);

/** Measures all threads of the process. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

let seen = Atomics.load(ticks, 0);
let since = cpuMs();
for (;;) {
  Atomics.wait(pause, 0, 0, lookEveryMs);
  const now = Atomics.load(ticks, 0);
  if (now !== seen) {
    seen = now;
    since = cpuMs();
  } else if (cpuMs() - since > maxCpuMs) {
    writeFileSync(file, `${Math.round(cpuMs() - since)} ms of the processor's time`);
    process.kill(process.pid, 'SIGKILL');
  }
}
