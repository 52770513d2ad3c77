import type { WarningListener } from './warning.ts';

/** Settings that every driver receives besides its location. */
export interface DriverSettings {
  readonly timeoutMs: number;
  readonly onCorrupt: 'set-aside' | 'fail';
  readonly notify: WarningListener;
}
