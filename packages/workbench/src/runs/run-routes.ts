import type { RunEdit, RunList } from '../contract/run-data.ts';
import { refuse, respondJson } from '../http/respond.ts';
import { found, get, post, type Route, type RouteBody } from '../http/route.ts';
import { describeRun } from './describe-run.ts';
import type { RunStore } from './open-runs.ts';
import { parseRecording } from './recording.ts';
import { replayRecording } from './replay-recording.ts';

/** Creates the routes of the page Runs. */
export function createRunRoutes(runs: RunStore | undefined): readonly Route[] {
  return [
    get('runs', async () =>
      respondJson({ isConnected: runs !== undefined, runs: (await runs?.list()) ?? [] } satisfies RunList),
    ),
    get('run-search/*', async (text) => respondJson((await runs?.search(text)) ?? [])),
    get('runs/*', async (id) => {
      const read = await runs?.read(id);
      if (read === undefined) return refuse(404, 'the recording does not exist');
      return answering(() =>
        found(describeRun(id, read.savedAt, parseRecording(read.text), runs?.replay !== undefined), ''),
      );
    }),
    post('runs', async (_, { text }) => {
      if (runs === undefined) return refuse(404, 'the program keeps no runs');
      if (typeof text !== 'string') return refuse(400, 'text: missing (expected the text of a recording)');
      return answering(async () => respondJson({ id: await runs.add(text) }));
    }),
    post('runs/*', async (id, body) => {
      const replay = runs?.replay;
      const read = await runs?.read(id);
      if (replay === undefined) return refuse(404, "the program can't replay runs (pass replay to openRuns)");
      if (read === undefined) return refuse(404, 'the recording does not exist');
      const edit = body['edit'] === undefined ? undefined : readEdit(body['edit'] as RouteBody);
      if (edit === null) return refuse(400, 'edit: expected { turn, what, call, value }');
      return answering(async () => respondJson(await replayRecording(replay, parseRecording(read.text), edit)));
    }),
  ];
}

async function answering(answer: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (cause) {
    return refuse(400, cause instanceof Error ? cause.message : String(cause));
  }
}

const subjects = ['prompt', 'text', 'arguments', 'result'] as const;

function readEdit({ turn, what, call = 0, value }: RouteBody): RunEdit | null {
  const subject = subjects.find((one) => one === what);
  if (subject === undefined || typeof turn !== 'number' || typeof call !== 'number' || typeof value !== 'string')
    return null;
  return { turn, what: subject, call, value };
}
