import type { CallRun } from './call-run.ts';
import type { Rejection } from './rejection.ts';

/** How a step ends: the call goes on, or it goes no further. */
export type StepOutcome = Rejection | undefined;

/** What a step returns when it goes on by calling `resume` itself, later. */
export const later: unique symbol = Symbol('later');

/** Goes on with a call after a step that answered {@link later}. */
export type Resume = (run: CallRun, outcome: StepOutcome) => void;

/** One stretch of the road of a call. Only promises are waited for. */
export type Step = (run: CallRun, resume: Resume) => StepOutcome | Promise<StepOutcome> | typeof later;
