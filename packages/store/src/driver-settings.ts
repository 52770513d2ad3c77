import type { WarningListener } from './warning.ts';

/** Settings that every driver receives in addition to its location. */
export interface DriverSettings {
  readonly timeoutMs: number;
  readonly onCorrupt: 'set-aside' | 'fail';
  readonly notify: WarningListener;
}
