/** A stored result of a call. */
export interface RecordedResult {
  readonly name?: string;
  readonly ok?: boolean;
  readonly content?: unknown;
  readonly error?: { readonly code?: string; readonly message?: string; readonly hint?: string };
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly arguments?: { readonly value?: unknown };
}

/** A message of a request. */
export interface RecordedMessage {
  readonly role: string;
  readonly content?: unknown;
}

/** An event of a model. */
export interface RecordedEvent {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: string;
  readonly reason?: string;
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly totalTokens?: number;
    readonly costUsd?: number;
  };
}

/** A line of a recording of `recordRun`. Only members that the page shows are typed. */
export interface RecordedLine {
  readonly type: string;
  readonly runId?: string;
  readonly model?: { readonly name?: string; readonly vendor?: string };
  readonly options?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly RecordedMessage[];
  readonly tools?: readonly unknown[];
  readonly event?: RecordedEvent;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments?: unknown }[];
  readonly results?: readonly RecordedResult[];
  readonly outcome?: { readonly stopReason?: string; readonly text?: string; readonly error?: string };
}

/**
 * Parses a recording. A last line that was cut off by a crash is dropped.
 *
 * @throws Error with the number of the line that is not valid.
 */
export function parseRecording(text: string): readonly RecordedLine[] {
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  const lines = texts.flatMap((line, at): readonly RecordedLine[] => {
    const parsed = parseLine(line);
    if (parsed !== undefined) return [parsed];
    if (at > 0 && at === texts.length - 1) return [];
    throw new Error(`line ${at + 1}: not a line of a recording (expected a JSON object with "type")`);
  });
  if (lines[0]?.type !== 'run') throw new Error('line 1: not the start of a recording (expected { "type": "run", … })');
  return lines;
}

function parseLine(text: string): RecordedLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && typeof (value as RecordedLine).type === 'string'
      ? (value as RecordedLine)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A request to the model with the lines that belong to it. */
export interface RecordedStep {
  /** Number of the turn. A failed request and its repetition belong to the same turn. */
  readonly turn: number;
  readonly request: RecordedLine;
  /** Index of the request in the recording. */
  readonly at: number;
  readonly lines: readonly RecordedLine[];
}

/** Groups the lines of a recording by request. */
export function listSteps(lines: readonly RecordedLine[]): readonly RecordedStep[] {
  const starts = lines.flatMap(({ type }, at) => (type === 'request' ? [at] : []));
  let turn = 1;
  return starts.map((at, index) => {
    const step = { turn, request: lines[at]!, at, lines: lines.slice(at + 1, starts[index + 1] ?? lines.length) };
    if (!step.lines.some(({ type }) => type === 'model-broken')) turn += 1;
    return step;
  });
}
