import { randomUUID } from 'node:crypto';

import type { Answer, Question } from '../contracts/question.ts';
import { JobsError } from '../jobs-error.ts';
import { isId, type Attempt } from '../ledger/job-row.ts';
import { fromNow, jobSignal, milliseconds, queueSignal, type Ledger } from '../ledger/ledger.ts';

/** A question of a call, without the members of {@link Question} that the ledger adds. */
export type NewQuestion = Omit<Question, 'id' | 'job' | 'askedAt' | 'expiresAt'>;

/** A question to ask for an attempt. */
export interface Asking extends Attempt {
  /** Identifies the call by its exact arguments. */
  readonly fingerprint: string;
  readonly question: NewQuestion;
  readonly expiresMs: number;
}

/**
 * The answer. `waiting`: the job was queued again until the answer arrives. `lost`: the attempt no longer holds its
 * job.
 */
export type Asked = 'waiting' | 'lost' | 'expired' | Pick<Answer, 'action' | 'reason' | 'by'>;

interface QuestionRow {
  readonly id: string;
  readonly action: Answer['action'] | null;
  readonly reason: string | null;
  readonly by: string | null;
  readonly isExpired: boolean;
  readonly remainingMs: number;
}

/** The time until a question expires, counted from the begin of the transaction, as the queue does. */
const remaining = `ceil(extract(epoch from expires_at - now()) * 1000)::float8 as "remainingMs"`;

/**
 * Applies the answer to the question of a job that has not started. Without an answer, asks the question and queues the
 * job again until it is answered. An answer applies once.
 */
export async function askForJob(ledger: Ledger, asking: Asking): Promise<Asked> {
  const { engine, tables, queue, channel } = ledger;
  const { id, attempt, fingerprint, question, expiresMs } = asking;
  return engine.transaction(async (transaction) => {
    const [job] = await transaction.query<{ queue: string; priority: number; tool: string }>(
      `select queue, priority, tool from ${tables.jobs} where id = $1 and attempt = $2 and state = 'leased' for update`,
      [id, attempt],
    );
    if (job === undefined) return 'lost';
    const [found] = await transaction.query<QuestionRow>(
      `select id, action, reason, answered_by as by, expires_at <= clock_timestamp() as "isExpired", ${remaining}
       from ${tables.questions} where job = $1 and fingerprint = $2 and applied_at is null`,
      [id, fingerprint],
    );
    if (found !== undefined && (found.action !== null || found.isExpired)) {
      await transaction.query(`update ${tables.questions} set applied_at = clock_timestamp() where id = $1`, [
        found.id,
      ]);
      if (found.action === null) return 'expired';
      return { action: found.action, by: found.by ?? '', ...(found.reason === null ? {} : { reason: found.reason }) };
    }
    const questionId = found?.id ?? randomUUID();
    let startAfter = found?.remainingMs;
    if (found === undefined) {
      const [asked] = await transaction.query<Pick<QuestionRow, 'remainingMs'>>(
        `insert into ${tables.questions} (id, job, fingerprint, question, expires_at) values ($1, $2, $3, $4, ${fromNow('$5')})
         returning ${remaining}`,
        [questionId, id, fingerprint, JSON.stringify(question), expiresMs],
      );
      startAfter = asked?.remainingMs;
      await transaction.query(
        `insert into ${tables.events} (job, attempt, kind, data) values ($1, $2, 'question', $3)`,
        [id, attempt, JSON.stringify({ question: questionId, title: question.title })],
      );
    }
    // Wakes the job when it was not answered in time. An earlier ticket may be the one that this attempt has consumed.
    await queue.issue(transaction, job.queue, [
      { job: id, tool: job.tool, priority: job.priority, isCalled: true, startAfter },
    ]);
    await transaction.query(`delete from ${tables.holds} where job = $1`, [id]);
    await transaction.query(
      `update ${tables.jobs} set state = 'queued', lease_until = null, waiting_for = $2 where id = $1`,
      [id, `question:${questionId}`],
    );
    await transaction.query('select pg_notify($1, $2)', [channel, `${jobSignal}${id}`]);
    return 'waiting';
  });
}

/** Lists the questions that can be answered, the oldest first. */
export async function listQuestions({ engine, tables }: Ledger): Promise<readonly Question[]> {
  const rows = await engine.query<Pick<Question, 'id' | 'job' | 'askedAt' | 'expiresAt'> & { question: string }>(
    `select q.id, q.job, q.question, ${milliseconds('q.asked_at')} as "askedAt", ${milliseconds('q.expires_at')} as "expiresAt"
     from ${tables.questions} q join ${tables.jobs} j on j.id = q.job and j.state = 'queued'
     where q.action is null and q.applied_at is null and q.expires_at > clock_timestamp() order by q.seq limit 1000`,
  );
  return rows.flatMap(({ question, ...rest }) => {
    const asked = parseQuestion(question);
    return asked === undefined ? [] : [{ ...asked, ...rest }];
  });
}

/** Returns undefined for a damaged question. It keeps its bytes, and expires, because a person can't judge the call. */
function parseQuestion(text: string): NewQuestion | undefined {
  try {
    return JSON.parse(text) as NewQuestion;
  } catch {
    return undefined;
  }
}

/**
 * Records the answer of a person, and lets the job continue.
 *
 * @throws JobsError `NOT_OPEN` if the question does not exist, is answered, has expired, or belongs to a job that is over.
 */
export async function answerQuestion(ledger: Ledger, questionId: string, answer: Answer): Promise<void> {
  const { engine, tables, queue, channel } = ledger;
  const { action, by, reason = null } = answer;
  const notOpen = (): JobsError => {
    const name = JSON.stringify(questionId);
    return new JobsError(
      'NOT_OPEN',
      `answer: the question ${name} is not open (it is answered, has expired, or does not exist)`,
    );
  };
  if (!isId(questionId)) throw notOpen();
  await engine.transaction(async (transaction) => {
    const [job] = await transaction.query<{
      id: string;
      queue: string;
      tool: string;
      priority: number;
      attempt: number;
    }>(
      `update ${tables.questions} q set action = $2, answered_by = $3, reason = $4, answered_at = clock_timestamp()
       from ${tables.jobs} j
       where q.id = $1 and j.id = q.job and j.state = 'queued' and q.action is null and q.applied_at is null
         and q.expires_at > clock_timestamp()
       returning j.id, j.queue, j.tool, j.priority, j.attempt`,
      [questionId, action, by, reason],
    );
    if (job === undefined) throw notOpen();
    await transaction.query(`insert into ${tables.events} (job, attempt, kind, data) values ($1, $2, 'answered', $3)`, [
      job.id,
      job.attempt,
      JSON.stringify({ question: questionId, action, by }),
    ]);
    await queue.issue(transaction, job.queue, [
      { job: job.id, tool: job.tool, priority: job.priority, isCalled: true },
    ]);
    await transaction.query('select pg_notify($1, $2), pg_notify($1, $3)', [
      channel,
      `${jobSignal}${job.id}`,
      `${queueSignal}${job.queue}`,
    ]);
  });
}
