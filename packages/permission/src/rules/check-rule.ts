import {
  booleanKind,
  arrayOf,
  stringKind,
  checkOptions,
  custom,
  described,
  either,
  isRecord,
  objectOf,
  oneOf,
  required,
  type OptionKind,
  type OptionTable,
} from '@haft/core/options';
import { PermissionError } from '../permission-error.ts';
import { ruleActions, type LayeredRules, type PermissionRule } from './permission-rule.ts';

const notBlank = custom<string>('a string', (value) => typeof value === 'string' && value.trim() !== '');
const oneOrMore = described(
  'a non-empty string or array of strings',
  either(notBlank, nonEmptyList(arrayOf(notBlank))),
);
const kind = oneOf('read', 'edit', 'delete', 'move', 'other');

const members: OptionTable<PermissionRule> = {
  action: required(oneOf(...ruleActions)),
  key: stringKind,
  tool: oneOrMore,
  kind: described(`one or more of ${kind.expected}`, either(kind, nonEmptyList(arrayOf(kind)))),
  readOnly: booleanKind,
  provider: oneOrMore,
  path: oneOrMore,
  access: oneOf('read', 'write'),
  command: oneOrMore,
  host: oneOrMore,
  reason: stringKind,
};

function nonEmptyList<Value>({ expected, findFault }: OptionKind<readonly Value[]>): OptionKind<readonly Value[]> {
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return {
    expected,
    findFault: (value, path) =>
      isEmpty(value)
        ? { path, problem: `is not valid (expected ${expected}, got an empty list)` }
        : findFault(value, path),
  };
}

/**
 * Rejects a rule that would match something other than intended.
 *
 * @throws PermissionError `INVALID_RULE`, naming the rule, the member and what was expected.
 */
export function checkRule(rule: PermissionRule, place: string): void {
  const fail = (message: string): PermissionError => new PermissionError('INVALID_RULE', message);
  const owner = `the rule ${place}`;
  checkOptions(owner, rule, members, '{ action: "deny", tool: "bash" }', fail);
  if (rule.access !== undefined && rule.path === undefined) throw fail(`${owner}: access requires a path`);
  if (rule.action === 'allow' && rule.command !== undefined && rule.host !== undefined)
    throw fail(`${owner}: a rule that allows a command can't name a host, because the program may reach others`);
}

/** Each rule is checked when it is compiled. A single rule instead of an array would be mistaken for options. */
const ruleList: OptionKind<readonly PermissionRule[]> = {
  expected: 'a list of rules',
  findFault: (value, path) =>
    isRecord(value) && 'action' in value
      ? { path, problem: 'is a single rule (expected an array: wrap it in [ ])' }
      : custom('a list of rules', Array.isArray).findFault(value, path),
};
const layers = objectOf<LayeredRules>(
  { policy: ruleList, user: ruleList, project: ruleList, default: ruleList },
  '{ policy, user, project, default }',
);

const listOrLayers = described('an array of rules, or { policy, user, project, default }', ruleList);

/** The rules of an engine: an array, or layers of arrays. */
export const rulesKind: OptionKind<readonly PermissionRule[] | LayeredRules> = {
  expected: listOrLayers.expected,
  findFault(value, path) {
    if (!isRecord(value)) return listOrLayers.findFault(value, path);
    return ('action' in value ? ruleList : layers).findFault(value, path);
  },
};
