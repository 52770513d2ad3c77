import type { PermissionMode, RuleEngine } from '../options/permission-options.ts';

/** The methods of an engine, without the `mode` accessor. */
export type EngineFunctions = Omit<RuleEngine, 'mode'>;

/**
 * An engine whose functions need no `this`. This is a class because V8 stores an object literal with a getter as a slow
 * dictionary, and every tool call reads `ask`.
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
