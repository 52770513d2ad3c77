import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readEffects } from '../fixtures/crash-tools.ts';
import { createDirectory, isPostgresMissing, ServerPlaces } from '../fixtures/databases.ts';
import { startProgram } from '../fixtures/run-program.ts';

interface Ended {
  readonly result: { readonly ok: boolean; readonly content: readonly object[]; readonly structured: Ran };
  readonly info: { readonly id: string; readonly attempt: number; readonly lost: number };
  readonly kinds: readonly string[];
  readonly children: readonly { readonly tool: string; readonly state: string; readonly key: string }[];
}

interface Ran {
  readonly stopReason: string;
  readonly text: string;
  readonly turns: number;
  readonly usage: object;
}

let directory: string;
let removeDirectory: () => Promise<void>;
beforeEach(async () => {
  [directory, removeDirectory] = await createDirectory();
});
afterEach(() => removeDirectory());

/** Runs the program until it ends by itself. Returns its output, and how often it was killed. */
async function run(
  url: string,
  schema: string,
  dieAt: string,
  limits = {},
): Promise<Ended & { readonly kills: number }> {
  for (let kills = 0; ; kills += 1) {
    const program = startProgram('agent-program.ts', [url, schema, directory, dieAt, JSON.stringify(limits)]);
    const end = await program.ended;
    if (end === 'SIGKILL') continue;
    expect(end).toBe(0);
    return { ...(JSON.parse(/^result (.*)$/m.exec(program.output())?.[1] ?? '{}') as Ended), kills };
  }
}

/** The requests that the models received, in order. */
function requests(): readonly string[] {
  return readFileSync(join(directory, 'requests'), 'utf8').trim().split('\n');
}

const calm = ['main 1', 'main 2', 'main 3', 'helper 1', 'helper 2', 'main 4'];

/** Checks a run that had no limits. */
function expectWholeRun({ result, kinds, children, info }: Ended): void {
  expect(result).toMatchObject({
    ok: true,
    content: [{ type: 'text', text: 'Done.' }],
    structured: { stopReason: 'finished', text: 'Done.', turns: 4, usage: { totalTokens: 40, costUsd: 1 } },
  });
  expect(kinds.filter((kind) => kind === 'turn')).toHaveLength(4);
  // Each call is one job, and had its effect once.
  expect(children.map(({ tool, state }) => `${tool} ${state}`).sort()).toEqual([
    'agent_helper done',
    'agent_main done',
    'look done',
    'pay_recoverable done',
    'pay_recoverable done',
    'pay_recoverable done',
  ]);
  expect(new Set(readEffects(directory)).size).toBe(readEffects(directory).length);
  expect(children.find(({ tool }) => tool === 'agent_helper')?.key).toBe(`${info.id}/3/call_0_2`);
}

/** The transitions of a call at which a worker is killed, by database. */
const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const all = ['none', 'leased', 'started', 'effect', 'finished'];

const places = new ServerPlaces();
afterAll(() => places.remove());
const databases = [
  ['PGlite', async () => ({ url: `file:${directory}/jobs`, schema: 'haft_jobs' }), isLong ? all : ['effect']],
  ...(isPostgresMissing ? [] : [['PostgreSQL', () => places.next(), isLong ? all : ['started', 'finished']] as const]),
] as const;

// A process can't end itself by a signal on Windows.
const describeKilled = describe.skipIf(process.platform === 'win32');
describeKilled.each(databases)('a run of an agent on %s', { timeout: 180_000 }, (name, place, transitions) => {
  it.each(transitions)(
    'continues when its worker is killed at "%s" of a call, without asking the model again',
    async (dieAt) => {
      const { url, schema } = await place();
      const ended = await run(url, schema, dieAt);
      expect(ended.kills).toBe(dieAt === 'none' ? 0 : 1);
      expectWholeRun(ended);
      expect(requests()).toEqual(calm);
      expect(ended.kinds).not.toContain('asked-again');
    },
  );

  // What happens inside an answer does not depend on the database, and each worker takes seconds to open an embedded one.
  if (name === 'PGlite' && !isLong && !isPostgresMissing) return;

  it('asks the model again when its worker is killed in the middle of an answer, and records that', async () => {
    const { url, schema } = await place();
    const ended = await run(url, schema, 'asked');
    expect(ended.kills).toBe(1);
    expectWholeRun(ended);
    expect(requests()).toEqual(calm.toSpliced(1, 0, 'main 2'));
    expect(ended.kinds.filter((kind) => kind === 'asked-again')).toHaveLength(1);
    // A complete turn shows that the run makes progress.
    expect(ended.info).toMatchObject({ attempt: 2, lost: 0 });
  });

  it('continues when a worker is killed in a turn of a sub-agent', async () => {
    const { url, schema } = await place();
    const ended = await run(url, schema, 'helper');
    expect(ended.kills).toBe(1);
    expectWholeRun(ended);
    expect(requests()).toEqual(calm.toSpliced(4, 0, 'helper 2'));
  });

  it('keeps its limits across workers', async () => {
    const { url, schema } = await place();
    const ended = await run(url, schema, 'asked', { costUsd: 0.5 });
    expect(ended.kills).toBe(1);
    // Two turns with tools, one by each worker, and one for the answer.
    expect(ended.result.structured).toMatchObject({ stopReason: 'limit', turns: 3 });
    expect(requests()).toEqual(['main 1', 'main 2', 'main 2', 'main 3']);
    expect([...readEffects(directory)]).toHaveLength(3);
  });
});
