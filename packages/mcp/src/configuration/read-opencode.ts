import { isRecord } from '@haft/core/options';
import {
  listOf,
  mapStrings,
  unknownMembers,
  type ImportedContents,
  type ImportedEntry,
  type JsonRecord,
} from './imported-entry.ts';
import { explainMembers, explainReference } from './unsupported-setting.ts';

/** Reads the servers of opencode, and which of their tools it turns off. */
export function readOpencode(servers: JsonRecord, configuration: JsonRecord): ImportedContents {
  const rules = readToolRules(configuration);
  const applied = new Set<ToolRule>();
  const entries = Object.entries(servers).map(([name, given]): ImportedEntry => {
    if (!isRecord(given)) return { name, entry: given, unsupported: [] };
    const { command: line, environment, ...rest } = given;
    const [command, ...args] = listOf(line);
    const filters = applyToolRules(name, rules, applied);
    const entry = {
      ...rest,
      ...(command === undefined ? {} : { command, args }),
      ...(environment === undefined ? {} : { env: environment }),
      ...filters,
    };
    const files = JSON.stringify(given).includes('{file:') ? [explainReference('{file:…}')] : [];
    return {
      name,
      entry: mapStrings(entry, (text) => text.replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, '${$1}')),
      unsupported: [...explainMembers(unknownMembers(rest)), ...files],
      ...(filters === undefined ? { disabled: 'a rule in "tools" or "permission" turns off all of its tools' } : {}),
    };
  });
  // Other patterns may match tools that only a connection shows.
  const names = Object.keys(servers);
  const left = rules.filter(
    (rule) => !applied.has(rule) && !rule.isOn && names.some((name) => mayMatch(rule.pattern, `${name}_`)),
  );
  const unsupported = left.map(({ pattern }) => ({
    member: pattern,
    reason: 'which tools the pattern matches is not known before the server is connected',
    hint: 'List the tools in "tools" by their whole names.',
  }));
  return { format: 'opencode', entries, inputs: [], unsupported };
}

/** A rule for tools, whose names begin with that of their server. */
interface ToolRule {
  readonly pattern: string;
  readonly isOn: boolean;
}

function readToolRules({ tools, permission }: JsonRecord): readonly ToolRule[] {
  return [
    ...Object.entries(isRecord(tools) ? tools : {}).map(([pattern, is]) => ({ pattern, isOn: is !== false })),
    ...Object.entries(isRecord(permission) ? permission : {}).map(([pattern, is]) => ({
      pattern,
      isOn: is !== 'deny',
    })),
  ];
}

/** Converts the rules for one server to filters of its tools. Returns undefined if they turn off all of its tools. */
function applyToolRules(server: string, rules: readonly ToolRule[], applied: Set<ToolRule>): JsonRecord | undefined {
  const prefix = `${server}_`;
  const single = rules.filter(({ pattern }) => pattern.startsWith(prefix) && !pattern.includes('*'));
  const names = (isOn: boolean): readonly string[] =>
    single.filter((rule) => rule.isOn === isOn).map(({ pattern }) => pattern.slice(prefix.length));
  const whole = rules.filter(({ pattern }) => pattern === `${prefix}*` || pattern === `${server}*` || pattern === '*');
  for (const rule of [...single, ...whole]) applied.add(rule);
  const excluded = names(false);
  // If several rules match a tool, the last one applies. A rule that turns a single tool on comes after the rule for
  // the whole server.
  const isOff = whole.at(-1)?.isOn === false;
  if (isOff && names(true).length === 0) return undefined;
  return {
    ...(isOff ? { includeTools: names(true) } : {}),
    ...(excluded.length > 0 ? { excludeTools: excluded } : {}),
  };
}

/** Whether a pattern with `*` may match a text that begins in this way. */
function mayMatch(pattern: string, prefix: string): boolean {
  const fixed = pattern.split('*', 1)[0] ?? '';
  return pattern.includes('*') && (fixed.startsWith(prefix) || prefix.startsWith(fixed));
}
