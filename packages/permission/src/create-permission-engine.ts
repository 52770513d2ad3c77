import { homedir } from 'node:os';
import type { Denial, PermissionDecision, PermissionEngine, PermissionRequest } from '@haft/core';
import { confine } from '@haft/sandbox';
import { createGrants, identifyCall, type Grant } from './asking/grants.ts';
import type { AskPerson, PermissionQuestion } from './asking/permission-question.ts';
import { createQuestionDesk } from './asking/question-desk.ts';
import { checkMode, checkOptions } from './check-options.ts';
import { findOthers, findTargets, hasFiles, type Targets } from './paths/find-targets.ts';
import { compileProtectedPaths, defaultProtectedGlobs, defaultWriteProtectedGlobs } from './paths/protected-paths.ts';
import { findProtection, type Protection } from './protection.ts';
import { expandCommands } from './shell/expand-commands.ts';
import { compileRules, isBelow, type CompiledRule } from './rules/compile-rules.ts';
import { commandOf, type LayeredRules, type PermissionRule, type RuleAction } from './rules/permission-rule.ts';

/**
 * `ask`: rules and defaults decide, a person where they say so. `read-only`: tools that are not read-only are refused.
 * `allow`: what would be asked is allowed; what is protected, destructive or denied by a rule stays refused.
 */
export type PermissionMode = 'ask' | 'read-only' | 'allow';

/** What holds where no rule fits. */
export interface PermissionDefaults {
  /** Read-only tools that touch only files inside the roots. Default `allow`. */
  readonly readInside?: RuleAction;
  /** Read-only tools that touch files elsewhere. Default `ask`. */
  readonly readOutside?: RuleAction;
  /** Everything else. Default `ask`. */
  readonly other?: RuleAction;
}

/** How a request was decided, for logs. */
export interface DecisionRecord {
  readonly tool: string;
  readonly title: string;
  readonly sessionId: string;
  readonly action: 'allow' | 'deny';
  readonly by: 'protected' | 'mode' | 'rule' | 'default' | 'grant' | 'person' | 'nobody';
  readonly ruleKey?: string;
}

/** What {@link createPermissionEngine} takes; everything has a default. */
export interface PermissionEngineOptions {
  /** The first rule that fits decides; with layers, the project's come before the user's. */
  readonly rules?: readonly PermissionRule[] | LayeredRules;
  readonly defaults?: PermissionDefaults;
  /** Puts a question to a person. Without it nobody can be asked, and what would be asked is denied. */
  readonly ask?: AskPerson;
  /** Default `ask`. */
  readonly mode?: PermissionMode;
  /** Absolute folders that count as inside, and that relative path globs start from. Default: the working directory of each call. */
  readonly roots?: readonly string[];
  /** Files nobody may touch through a tool, as globs over absolute paths. Default: {@link defaultProtectedGlobs}. */
  readonly protectedGlobs?: readonly string[];
  /** Files nobody may write through a tool. Default: {@link defaultWriteProtectedGlobs}. */
  readonly writeProtectedGlobs?: readonly string[];
  /** Hears every decision; what it throws is dropped. */
  readonly onDecision?: (record: DecisionRecord) => void;
}

/** An engine with what a program needs to steer it. */
export interface RuleEngine extends PermissionEngine {
  readonly mode: PermissionMode;
  /** Holds from the next request on. Throws {@link PermissionError} `INVALID_OPTION` for what is no mode. */
  setMode(mode: PermissionMode): void;
  /** What persons allowed for the rest of their sessions. */
  grants(): readonly Grant[];
  /** Takes one back; false when there is none of this key. */
  revoke(key: string): boolean;
  forgetSession(sessionId: string): void;
}

const goAround = "Don't try the same thing another way.";

/**
 * Makes an engine that decides in this order: what is protected or destructive is refused, whatever else is said; then
 * the mode; then the rules, the first that fits; then the defaults; and where these say `ask`, what a person allowed
 * before, and the person. Nobody to ask means no.
 *
 * It is policy, not isolation: it judges what a call says it will do. What a process does once it runs is for the
 * sandbox and the system to limit.
 *
 * @throws PermissionError `INVALID_OPTION` for an option that is misspelt, unknown or of the wrong form, `INVALID_RULE` for
 * a rule that can't be used; both name what was expected.
 */
export function createPermissionEngine(options: PermissionEngineOptions = {}): RuleEngine {
  checkOptions(options);
  const rules = compileRules(options.rules ?? []);
  const protection: Protection = {
    secrets: compileProtectedPaths('protectedGlobs', options.protectedGlobs ?? defaultProtectedGlobs),
    writes: compileProtectedPaths('writeProtectedGlobs', options.writeProtectedGlobs ?? defaultWriteProtectedGlobs),
    home: homedir(),
  };
  const { readInside = 'allow', readOutside = 'ask', other = 'ask' } = options.defaults ?? {};
  const grants = createGrants();
  const desk = options.ask && createQuestionDesk(options.ask);
  let mode: PermissionMode = options.mode ?? 'ask';

  const tell = (
    request: PermissionRequest,
    action: 'allow' | 'deny',
    by: DecisionRecord['by'],
    ruleKey?: string,
  ): void => {
    if (!options.onDecision) return;
    try {
      options.onDecision({
        tool: request.tool,
        title: request.title,
        sessionId: request.sessionId,
        action,
        by,
        ...(ruleKey === undefined ? {} : { ruleKey }),
      });
    } catch {
      // A log that fails changes no decision.
    }
  };
  const allow = (request: PermissionRequest, by: DecisionRecord['by'], ruleKey?: string): PermissionDecision => {
    tell(request, 'allow', by, ruleKey);
    return { action: 'allow' };
  };
  const deny = (request: PermissionRequest, by: DecisionRecord['by'], denial: Denial): PermissionDecision => {
    tell(request, 'deny', by, denial.ruleKey);
    return { action: 'deny', denial };
  };

  const decide = (
    request: PermissionRequest,
    targets: Targets,
    roots: readonly string[],
  ): PermissionDecision | Promise<PermissionDecision> => {
    const protectedBy = findProtection(request, targets, protection);
    if (protectedBy) return deny(request, 'protected', { source: 'protected', ...protectedBy });
    if (mode === 'read-only' && !request.traits.readOnly) {
      const hint = 'Go on with tools that only read, and tell the person what you would have changed.';
      return deny(request, 'mode', {
        source: 'mode',
        reason: `${request.tool} may change something, and only reading is allowed now`,
        hint,
      });
    }
    const rule = rules.find((candidate) => candidate.fits({ request, targets, roots }));
    const action = rule?.action ?? byDefault(request, targets, roots);
    const by = rule ? 'rule' : 'default';
    if (action === 'deny') return deny(request, by, refusal(request, rule));
    if (mode === 'allow' || (action === 'allow' && isReadable(request))) return allow(request, by, rule?.key);
    return askPerson(request, targets, rule);
  };

  const byDefault = (request: PermissionRequest, targets: Targets, roots: readonly string[]): RuleAction => {
    const { traits } = request;
    if (traits.pure && targets.files.length === 0) return 'allow';
    const onlyReadsFiles =
      traits.readOnly &&
      targets.files.length > 0 &&
      targets.others.length === 0 &&
      targets.files.every(({ access }) => access === 'read');
    if (!onlyReadsFiles) return other;
    const isInside = targets.files.every(({ real }) => real !== undefined && roots.some((root) => isBelow(root, real)));
    return isInside ? readInside : readOutside;
  };

  const askPerson = async (
    request: PermissionRequest,
    targets: Targets,
    rule: CompiledRule | undefined,
  ): Promise<PermissionDecision> => {
    const key = identifyCall(request, targets);
    if (grants.covers(key, request, targets)) return allow(request, 'grant', rule?.key);
    if (!desk) {
      const hint = 'Go on without it, and tell the person what you would have done.';
      const reason = `${request.tool} needs a person's permission, and nobody can be asked`;
      return deny(request, 'nobody', { source: 'nobody-to-ask', reason, hint, ...(rule ? { ruleKey: rule.key } : {}) });
    }
    const settled = (): { readonly action: 'allow' } | undefined =>
      grants.covers(key, request, targets) ? { action: 'allow' } : undefined;
    const answer = await desk.ask(key, describeQuestion(request, targets, rule), request.signal, settled);
    if (answer?.action === 'allow') {
      grants.remember(key, request, targets, answer.scope ?? 'once');
      return allow(request, 'person', rule?.key);
    }
    if (!answer)
      return deny(request, 'nobody', {
        source: 'nobody-to-ask',
        reason: 'the call was cancelled before anybody answered',
      });
    const said = answer.reason === undefined || answer.reason === '' ? '' : `: ${answer.reason}`;
    return deny(request, 'person', {
      source: 'person',
      reason: `the person said no to ${request.title}${said}`,
      hint: `${goAround} Ask the person what to do instead, or go on without it.`,
    });
  };

  const realRoots = createRootResolver(options.roots);
  return {
    ask(request) {
      const { footprint } = request;
      if (!hasFiles(footprint)) return decide(request, { files: [], others: findOthers(footprint) }, []);
      return (async () => decide(request, await findTargets(footprint), await realRoots(request.cwd)))();
    },
    get mode() {
      return mode;
    },
    setMode(next) {
      checkMode('setMode', next);
      mode = next;
    },
    grants: () => grants.list(),
    revoke: (key) => grants.revoke(key),
    forgetSession: (sessionId) => grants.forgetSession(sessionId),
  };
}

/** Whether rules could see all of a command; one that they could not is for a person to judge. */
function isReadable(request: PermissionRequest): boolean {
  const command = commandOf(request);
  return command === undefined || expandCommands(command).isWhole;
}

function refusal(request: PermissionRequest, rule: CompiledRule | undefined): Denial {
  const reason = rule?.reason ?? `${request.title} is not allowed here`;
  return {
    source: 'rule',
    reason,
    hint: `${goAround} Ask the person, or go on without it.`,
    ruleKey: rule?.key ?? 'default',
  };
}

function describeQuestion(
  request: PermissionRequest,
  targets: Targets,
  rule: CompiledRule | undefined,
): PermissionQuestion {
  const command = commandOf(request);
  const paths = (access: 'read' | 'write'): readonly string[] =>
    targets.files
      .filter((file) => file.access === access)
      .map(({ real, named, isTree }) => `${real ?? named}${isTree ? '/' : ''}`);
  return {
    tool: request.tool,
    provider: request.provider,
    kind: request.kind,
    title: request.title,
    arguments: request.arguments,
    ...(command === undefined ? {} : { command }),
    reads: paths('read'),
    writes: paths('write'),
    cwd: request.cwd,
    sessionId: request.sessionId,
    reason: rule ? (rule.reason ?? `the rule ${rule.key} wants it asked`) : 'no rule allows it',
    ...(rule ? { ruleKey: rule.key } : {}),
  };
}

/** Where the roots really lie; a root that is moved while the program runs is found again. */
function createRootResolver(roots: readonly string[] | undefined): (cwd: string) => Promise<readonly string[]> {
  return async (cwd) => {
    const resolved: string[] = [];
    for (const root of roots ?? [cwd]) {
      const place = await confine('unrestricted', root);
      if (place.ok) resolved.push(place.path);
    }
    return resolved;
  };
}
