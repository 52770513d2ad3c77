import type { PermissionMode, RuleEngine } from '../options/permission-options.ts';

/** What an engine does, besides telling its mode. */
export type EngineFunctions = Omit<RuleEngine, 'mode'>;

/**
 * An engine of functions that need no `this`. A class, since V8 keeps an object literal with a getter as a slow dictionary,
 * and every call of every tool reads `ask`.
 */
export class SteeredEngine implements RuleEngine {
  readonly ask: RuleEngine['ask'];
  readonly setMode: RuleEngine['setMode'];
  readonly grants: RuleEngine['grants'];
  readonly revoke: RuleEngine['revoke'];
  readonly forgetSession: RuleEngine['forgetSession'];
  readonly #modeOf: () => PermissionMode;

  constructor(functions: EngineFunctions, modeOf: () => PermissionMode) {
    this.ask = functions.ask;
    this.setMode = functions.setMode;
    this.grants = functions.grants;
    this.revoke = functions.revoke;
    this.forgetSession = functions.forgetSession;
    this.#modeOf = modeOf;
  }

  get mode(): PermissionMode {
    return this.#modeOf();
  }
}
