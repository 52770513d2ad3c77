/**
 * Measures the cost of one additional turn with 1, 200 and 1,000 tools. All run alternately in this process, so that
 * noise affects all of them alike. Prints the processor time of a turn per round, in microseconds, as JSON. The
 * argument is the number of rounds.
 */
import { bestOf, inRounds } from '@haft-tooling/measure';
import type { PlayLoop } from '@haft-tooling/peers/loops/loop-shape';
import { createHaftPlayer } from '@haft-tooling/peers/loops/play-haft';

/** Numbers of turns whose difference is large compared with the noise. */
const few = 50;
const many = 450;
const runsOfARound = 4;
const warmUpRounds = 12;

const players = new Map([1, 200, 1_000].map((tools) => [`${tools}`, createHaftPlayer(tools)]));
const samples = await inRounds(
  [...players.keys()],
  Number(process.argv[2]),
  (tools) => costOfATurn(players.get(tools)!),
  warmUpRounds,
);
process.stdout.write(JSON.stringify(Object.values(samples)));

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
