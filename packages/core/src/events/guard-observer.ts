import type { Logger } from '../contracts/session.ts';
import { describeCause } from '../describe-cause.ts';
import { isThenable } from '../is-thenable.ts';
import { tellListener } from '../tell-listener.ts';
import type { ToolObserver } from './tool-event.ts';

/** Makes an observer that never fails: the first failure of the one it stands for is told the operator, the rest are not. */
export function guardObserver(observer: ToolObserver, logger: Logger | undefined): ToolObserver {
  let isTold = false;
  const fail = (cause: unknown): void => {
    if (isTold) return;
    isTold = true;
    const tell = (reason: string): void =>
      logger?.error('an observer of tool calls fails; it is told of further events, and this is said once', { reason });
    tellListener(tell, describeCause(cause));
  };
  return (event) => {
    try {
      const answer: unknown = observer(event);
      if (isThenable(answer)) new Promise((resolve) => resolve(answer)).catch(fail);
    } catch (cause) {
      fail(cause);
    }
  };
}
