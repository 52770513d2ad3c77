import type {
  DecisionRecord,
  PermissionMode,
  PermissionEngineOptions,
  RuleEngine,
} from '../options/permission-options.ts';
import { homedir } from 'node:os';
import type { Denial, Footprint, PermissionDecision, PermissionRequest, ResolvedFile } from '@haft/core';
import { onlyReads } from '@haft/core/define';
import { createGrants, type AskedCall } from '../asking/grants.ts';
import { identifyCall } from '../asking/identify-call.ts';
import { describeQuestion } from '../asking/describe-question.ts';
import { createPromptQueue } from '../asking/prompt-queue.ts';
import { coversFound, createRunningCalls, readBy, type RunningCall } from '../asking/running-calls.ts';
import { checkMode, checkOptions } from '../options/check-options.ts';
import { judgeCommands, type CommandJudgement } from '../judgement/command-judgement.ts';
import { reportDecision } from './report-decision.ts';
import { findOthers, findTargets, hasFiles, type Targets } from '../paths/find-targets.ts';
import { namesFile, suspectFiles } from '../paths/suspected-paths.ts';
import { compileProtectedPaths, defaultProtectedGlobs, defaultWriteProtectedGlobs } from '../paths/protected-paths.ts';
import { createRootResolver } from '../paths/real-roots.ts';
import { oncePerName } from '../once-per-name.ts';
import { findProtection, type Protection } from '../judgement/judge-protection.ts';
import { noDetourHint, noUserToAsk, onlyReading, refusal } from './refusals.ts';
import { compileRules, isBelow, type CompiledRule, type RuleSubject } from '../rules/compile-rules.ts';
import { findCommandLines, mayStartProcess, namesCommand, type CommandLines } from '../rules/command-lines-of-call.ts';
import type { RuleAction } from '../rules/permission-rule.ts';
import { SteeredEngine, type EngineFunctions } from './steered-engine.ts';

/** A request with all the facts that the decision needs. */
interface Inquiry extends RuleSubject {
  /** The running call that found these files; undefined when the question is about the call itself. */
  readonly run: RunningCall | undefined;
  /** What the call's command line would do, if it has one. */
  readonly judged: CommandJudgement | undefined;
  /** True if the call runs something that command rules cannot fully see. */
  readonly isUnseen: boolean;
}

const namesTarget = oncePerName((name) => namesCommand(name) || namesFile(name));

type Allowance = Extract<PermissionDecision, { readonly action: 'allow' }>;

const noFiles: readonly never[] = Object.freeze([]);
const allowWithoutFiles: Allowance = Object.freeze({ action: 'allow', resolved: noFiles });

/**
 * Creates an engine that decides in this order: refuse what is protected or destructive, then the mode, the rules and
 * the defaults. Where these say `ask`, an earlier grant decides, and then the user. If no user can be asked, the call
 * is denied.
 *
 * The engine is policy, not isolation: it judges what a call declares. Limiting the process that runs is up to the
 * sandbox and the system.
 *
 * @throws PermissionError `INVALID_OPTION` for a misspelt, unknown or malformed option, `INVALID_RULE` for an unusable
 * rule; both name what was expected.
 */
export function createPermissionEngine(options: PermissionEngineOptions = {}): RuleEngine {
  checkOptions(options);
  const rules = compileRules(options.rules ?? []);
  const protection: Protection = {
    secrets: compileProtectedPaths('protectedGlobs', options.protectedGlobs ?? defaultProtectedGlobs),
    writes: compileProtectedPaths('writeProtectedGlobs', options.writeProtectedGlobs ?? defaultWriteProtectedGlobs),
    home: homedir(),
  };
  const { readInside = 'allow', readOutside = 'ask', other = 'ask', readUndeclared = other } = options.defaults ?? {};
  const grants = createGrants(options.grantStore, options.now ?? Date.now);
  const running = createRunningCalls();
  const prompts = options.ask && createPromptQueue(options.ask);
  let mode: PermissionMode = options.mode ?? 'ask';

  const allow = ({ request, targets, run }: Inquiry, by: DecisionRecord['by'], rule?: CompiledRule): Allowance => {
    if (options.onDecision)
      reportDecision(options.onDecision, request, run ? 'found' : 'call', { action: 'allow', by, ruleKey: rule?.key });
    // The permission of a call that named no files covers no file.
    if (run === undefined && targets.files.length > 0)
      running.begin(request, targets).hasConsent = by === 'grant' || by === 'person';
    return targets.files.length === 0 ? allowWithoutFiles : { action: 'allow', resolved: resolvedOf(targets) };
  };
  const deny = ({ request, run }: Inquiry, by: DecisionRecord['by'], denial: Denial): PermissionDecision => {
    const { ruleKey } = denial;
    const reason = `${by} ${ruleKey ?? ''}`;
    if (!run?.logged.has(reason))
      reportDecision(options.onDecision, request, run ? 'found' : 'call', { action: 'deny', by, ruleKey });
    run?.logged.add(reason);
    return { action: 'deny', denial };
  };

  const decide = (inquiry: Inquiry): PermissionDecision | Promise<PermissionDecision> => {
    const { request, targets, suspected, run } = inquiry;
    const protectedBy =
      findProtection(targets.files, protection) ??
      findProtection(suspected, protection, request.tool) ??
      inquiry.judged?.finding;
    if (protectedBy) return deny(inquiry, 'protected', { source: 'protected', ...protectedBy });
    if (mode === 'read-only' && !isReading(request, targets)) return deny(inquiry, 'mode', onlyReading(request));
    const rule = rules.find(inquiry);
    if (rule?.action === 'deny') return deny(inquiry, 'rule', refusal(request, rule));
    if (run && coversFound(run, targets)) {
      // The call's own permission covers the files that it finds, unless a rule asks about one of them.
      if (rule?.action !== 'ask' || mode === 'allow' || run.hasConsent)
        return { action: 'allow', resolved: resolvedOf(targets) };
      run.question ??= askUser(inquiry, rule);
      return run.question;
    }
    const action = rule?.action ?? byDefault(inquiry);
    const by = rule ? 'rule' : 'default';
    if (action === 'deny') return deny(inquiry, by, refusal(request, rule));
    // A rule that names the command covers its uncertainties; the mode `allow` does not.
    const { judged, isUnseen } = inquiry;
    const isMeant = action === 'allow' && rule?.namesCommand === true;
    const needsLook = isUnseen || request.traits.needsApproval === true;
    const isSeen = !needsLook || (action === 'allow' && rule?.namesTool === true);
    const isClear =
      judged === undefined ||
      (judged.risks.length === 0 &&
        (isMeant || (judged.uncertainties.length === 0 && judged.irreversibleEffects.length === 0)));
    if (isSeen && isClear && (mode === 'allow' || action === 'allow')) return allow(inquiry, by, rule);
    return askUser(inquiry, rule);
  };

  const byDefault = ({ request, targets: { files: named, others }, suspected, roots }: Inquiry): RuleAction => {
    const { pure, openWorld } = request.traits;
    const files = [...named, ...suspected];
    if (!onlyReads(request)) return other;
    if (pure && files.length === 0) return 'allow';
    if (files.some(({ access }) => access === 'write')) return other;
    const reachesOut = openWorld === true;
    if (reachesOut || named.length === 0 || others.length > 0) {
      const isUndeclared = !reachesOut && files.length === 0 && others.every(({ key }) => key === '*');
      if (mode !== 'read-only') return isUndeclared ? readUndeclared : other;
      // In the mode `read-only`, a tool that declares itself read-only may run without files, unless it could send data
      // to the open world.
      const whatever = options.defaults?.other ?? (reachesOut ? 'ask' : 'allow');
      if (files.length === 0 || whatever !== 'allow') return whatever;
    }
    const isInside = files.every(({ real }) => real !== undefined && roots.some((root) => isBelow(root, real)));
    return isInside ? readInside : readOutside;
  };

  const askUser = async (inquiry: Inquiry, rule: CompiledRule | undefined): Promise<PermissionDecision> => {
    const { request, targets, run } = inquiry;
    const unseen = inquiry.isUnseen ? [`command rules can't check what ${request.tool} runs`] : [];
    if (request.traits.needsApproval === true) unseen.push(`${request.tool} is declared to need approval`);
    const { risks = [], uncertainties: open = [], irreversibleEffects = [] } = inquiry.judged ?? {};
    const uncertainties = [...risks, ...irreversibleEffects, ...open, ...unseen];
    const folders = run && coversFound(run, targets) ? run.folders : [];
    const identity = identifyCall(request, folders.length > 0 ? asTrees(folders) : targets);
    const call: AskedCall = { request, identity, isRisky: risks.length > 0 };
    await grants.ready();
    if (grants.covers(call)) return consent(inquiry, 'grant', rule);
    const ruleKey = rule ? { ruleKey: rule.key } : {};
    if (!prompts) {
      const isUnclear = risks.length + open.length > 0;
      return deny(inquiry, 'no-approver', { ...noUserToAsk(request, uncertainties, isUnclear), ...ruleKey });
    }
    const question = describeQuestion(request, targets, rule, uncertainties, folders.map(withSlash));
    const answer = await prompts.ask({
      key: identity.text,
      question,
      request,
      isReading: isReading(request, targets),
      settled: () => (grants.covers(call) ? { action: 'allow' } : undefined),
      take: (given) => grants.remember(call, given),
    });
    if (answer?.action === 'allow') return consent(inquiry, 'person', rule);
    if (!answer) {
      const reason = 'the call was cancelled before the user answered';
      return deny(inquiry, 'no-approver', { source: 'no-approver', reason });
    }
    const said = answer.reason === undefined || answer.reason === '' ? '' : `: ${answer.reason}`;
    return deny(inquiry, 'person', {
      source: 'person',
      reason: `the user denied ${request.title}${said}`,
      hint: `${noDetourHint} Ask the user what to do instead, or continue without it.`,
    });
  };

  /** The user's consent to a found file also applies to the rest of that call. */
  const consent = (inquiry: Inquiry, by: 'grant' | 'person', rule: CompiledRule | undefined): Allowance => {
    const { run, targets } = inquiry;
    if (run) {
      run.folders.push(...readBy(targets).filter((path) => !run.folders.some((folder) => isBelow(folder, path))));
      run.hasConsent = true;
    }
    return allow(inquiry, by, rule);
  };

  const realRoots = createRootResolver(options.roots);

  /** Resolves the files of a call and judges its command lines first. */
  const resolveAndDecide = async (
    request: PermissionRequest,
    footprint: Footprint,
    suspects: Footprint,
    { lines, isUnseen }: CommandLines,
  ): Promise<PermissionDecision> => {
    const targets = await findTargets(footprint);
    const { files: suspected } = hasFiles(suspects) ? await findTargets(suspects) : { files: noFiles };
    const judged = lines.length === 0 ? undefined : await judgeCommands(lines, request.cwd, protection);
    // Only files can be inside or outside the roots.
    const roots = targets.files.length + suspected.length === 0 ? noFiles : await realRoots(request.cwd);
    const subject = { request, targets, suspected, roots };
    const denied = judged && rules.suspect(subject);
    const seen = denied ? withRisk(judged, `it may run a command that the rule ${denied.key} denies`) : judged;
    return decide({ ...subject, run: running.find(request), judged: seen, isUnseen });
  };

  const functions: EngineFunctions = {
    ask(request) {
      const { footprint } = request;
      if (!hasFiles(footprint) && !mayHideTargets(request)) return decide(withoutFiles(request, footprint, false));
      const { lines, isUnseen } = findCommandLines(request);
      const suspects = suspectFiles(request);
      if (!hasFiles(footprint) && !hasFiles(suspects) && lines.length === 0)
        return decide(withoutFiles(request, footprint, isUnseen));
      return resolveAndDecide(request, footprint, suspects, { lines, isUnseen });
    },
    setMode(next) {
      checkMode('setMode', next);
      mode = next;
    },
    grants: () => grants.list(),
    revoke: (key) => grants.revoke(key),
    forgetSession: (sessionId) => grants.forgetSession(sessionId),
  };
  return new SteeredEngine(functions, () => mode);
}

/** Returns whether the arguments may hold command lines or files that the footprint does not name. */
function mayHideTargets(request: PermissionRequest): boolean {
  return mayStartProcess(request) || request.argumentNames.some(namesTarget);
}

function withoutFiles(request: PermissionRequest, footprint: Footprint, isUnseen: boolean): Inquiry {
  const targets = { files: noFiles, others: findOthers(footprint) };
  return { request, targets, suspected: noFiles, roots: noFiles, run: undefined, judged: undefined, isUnseen };
}

function withRisk(judged: CommandJudgement, risk: string): CommandJudgement {
  return { ...judged, risks: [...judged.risks, risk] };
}

/** Returns whether the tool and its files show that a call only reads. */
function isReading(request: PermissionRequest, { files }: Targets): boolean {
  return onlyReads(request) && files.every(({ access }) => access === 'read');
}

/** Returns the files that the tool may use: exactly the resolved paths that were judged. */
function resolvedOf({ files }: Targets): readonly ResolvedFile[] {
  return files.length === 0 ? noFiles : files.map(({ key, real }) => ({ key, path: real }));
}

function withSlash(folder: string): string {
  return folder.endsWith('/') ? folder : `${folder}/`;
}

function asTrees(folders: readonly string[]): Targets {
  return {
    files: folders.map((real) => ({ access: 'read', key: `file:${real}`, named: real, real, isTree: true })),
    others: [],
  };
}
