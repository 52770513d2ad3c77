/**
 * Hooks that run before and after calls and turns.
 *
 * @packageDocumentation
 */
export { answerInTime } from './hooks/hook-answer-in-time.ts';
export { createHookPipeline } from './hooks/create-hook-pipeline.ts';
export {
  hookNames,
  hookTimes,
  type HookDenial,
  type HookedAnswer,
  type HookedCall,
  type HookedResult,
  type HookedTurn,
  type HookName,
  type Hooks,
  type HookSet,
} from './hooks/hook-set.ts';
export type { AfterTurn, BeforeTurn, TurnInfo, TurnOutcome } from './contracts/conversation/turn-hooks.ts';
