/**
 * Measures what one more turn costs among 1, 200 and 1,000 tools, all in this one process and in turn, so that what disturbs
 * one disturbs all. Prints the processor time of a turn in each round, in microseconds, as JSON. The one argument says how
 * many rounds.
 */
import { bestOf } from '@haft-tooling/measure';
import type { PlayLoop } from '@haft-tooling/peers/loops/loop-shape';
import { createHaftPlayer } from '@haft-tooling/peers/loops/play-haft';

/** A run of many turns less one of few: the difference is large beside what else disturbs a run. */
const few = 50;
const many = 450;
const runsOfARound = 4;
const warmUpRounds = 12;

const rounds = Number(process.argv[2]);
const players = [1, 200, 1_000].map(createHaftPlayer);
const samples = players.map((): number[] => []);
for (let round = -warmUpRounds; round < rounds; round += 1) {
  // Every round begins with another one, so that nobody always follows the same.
  const first = (round + warmUpRounds) % players.length;
  for (const [at, play] of [...players.entries()].slice(first).concat([...players.entries()].slice(0, first))) {
    const perTurn = await costOfATurn(play);
    if (round >= 0) samples[at]?.push(perTurn);
  }
}
process.stdout.write(JSON.stringify(samples));

async function costOfATurn(play: PlayLoop): Promise<number> {
  const long: number[] = [];
  const short: number[] = [];
  for (let run = 0; run < runsOfARound; run += 1) {
    long.push(await cpuOf(play, many));
    short.push(await cpuOf(play, few));
  }
  return (bestOf(long) - bestOf(short)) / (many - few);
}

async function cpuOf(play: PlayLoop, turns: number): Promise<number> {
  const before = process.cpuUsage();
  await play({ turns, calls: 1 });
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
