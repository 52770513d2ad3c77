import type { ToolKind } from '@haft/core';
import { describeUnknown, isObject, refuseUnknown } from '../option-values.ts';
import { PermissionError, showGiven } from '../permission-error.ts';
import { ruleActions, type LayeredRules, type PermissionRule } from './permission-rule.ts';

const members = [
  'action',
  'key',
  'tool',
  'kind',
  'readOnly',
  'provider',
  'path',
  'access',
  'command',
  'host',
  'reason',
] as const satisfies readonly (keyof PermissionRule)[];
const kinds: readonly ToolKind[] = ['read', 'edit', 'delete', 'move', 'other'];
/** The layers of rules, the one that is heard first in front. */
export const layers: readonly (keyof LayeredRules)[] = ['policy', 'user', 'project', 'default'];

/**
 * Refuses a rule that would fit something else than was meant.
 *
 * @throws PermissionError `INVALID_RULE`, naming the rule, the member and what was expected.
 */
export function checkRule(rule: PermissionRule, place: string): void {
  const refuse = (reason: string): never => {
    throw new PermissionError('INVALID_RULE', `the rule ${place}: ${reason}`);
  };
  if (!isObject(rule)) refuse(`it must be an object such as { action: "deny", tool: "bash" }, not ${showGiven(rule)}`);
  const expect = (name: keyof PermissionRule, isRight: boolean, expected: string): void => {
    if (rule[name] !== undefined && !isRight) refuse(`${name} must be ${expected}, not ${showGiven(rule[name])}`);
  };
  const unknown = Object.keys(rule).find((member) => !(members as readonly string[]).includes(member));
  if (unknown !== undefined) refuse(describeUnknown('member', unknown, members));
  if (!ruleActions.includes(rule.action))
    refuse(`action must be one of ${quote(ruleActions)}, not ${showGiven(rule.action)}`);
  for (const name of ['key', 'reason'] as const) expect(name, typeof rule[name] === 'string', 'a text');
  for (const name of ['tool', 'provider', 'path', 'command', 'host'] as const)
    expect(name, isTextOrTexts(rule[name]), 'a text or a list of texts, and not empty');
  expect(
    'kind',
    isTextOrTexts(rule.kind) && [rule.kind].flat().every((kind) => (kinds as readonly unknown[]).includes(kind)),
    `one or more of ${quote(kinds)}`,
  );
  expect('readOnly', typeof rule.readOnly === 'boolean', 'true or false');
  expect('access', rule.access === 'read' || rule.access === 'write', '"read" or "write"');
  if (rule.access !== undefined && rule.path === undefined) refuse('access needs a path');
  if (rule.action === 'allow' && rule.command !== undefined && rule.host !== undefined)
    refuse('an allowance for a command can name no host: a program may go to others');
}

/**
 * Refuses layers that nobody reads.
 *
 * @throws PermissionError `INVALID_OPTION`.
 */
export function checkLayers(rules: LayeredRules): void {
  refuseUnknown('createPermissionEngine: rules', 'layer', rules, layers);
  for (const name of layers) {
    const layer: unknown = rules[name];
    if (layer === undefined || Array.isArray(layer)) continue;
    if (isObject(layer) && 'action' in (layer as object)) {
      const message = `createPermissionEngine: rules.${name} is one rule and must be a list: wrap it in [ ]`;
      throw new PermissionError('INVALID_OPTION', message);
    }
    throw new PermissionError(
      'INVALID_OPTION',
      `createPermissionEngine: rules.${name} must be a list of rules, not ${showGiven(layer)}`,
    );
  }
}

function isTextOrTexts(value: unknown): boolean {
  const texts = Array.isArray(value) ? value : [value];
  return texts.length > 0 && texts.every((text) => typeof text === 'string' && text.trim() !== '');
}

function quote(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
