import { isObject, textOf, type FormField, type FormNode } from './form-node.ts';

/** The user's entries so far, in the shape of the form. */
export type Draft = string | DraftGroup | DraftList | DraftUnion;

/** Entries of a group, by key. */
export interface DraftGroup {
  readonly entries: ReadonlyMap<string, Draft>;
}

/** Entries of a list. */
export interface DraftList {
  readonly items: readonly Draft[];
}

/** The value of a union: the index of the chosen option (-1 if none is chosen), and its draft. */
export interface DraftUnion {
  readonly chosen: number;
  readonly draft: Draft;
}

/** Returns the draft to begin with: a value, and the defaults of the schema unless `hasDefaults` is false. */
export function draftOf(node: FormNode, value: unknown, hasDefaults = true): Draft {
  if (node.kind === 'group') {
    const given = isObject(value) ? value : {};
    const entries = node.fields.map(
      (field) => [field.key, draftOfField(field, own(given, field.key), hasDefaults)] as const,
    );
    return { entries: new Map(entries) };
  }
  if (node.kind === 'list') return { items: Array.isArray(value) ? value.map((item) => draftOf(node.item, item)) : [] };
  if (node.kind === 'union') {
    if (value === undefined || value === null) return { chosen: -1, draft: '' };
    const chosen = Math.max(
      0,
      node.options.findIndex((option) => fits(option.node, value)),
    );
    return { chosen, draft: draftOf(node.options[chosen]!.node, value) };
  }
  if (value === undefined || value === null) return '';
  return node.input === 'lines' && Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value);
}

function draftOfField({ node, isRequired, initial }: FormField, value: unknown, hasDefaults: boolean): Draft {
  const given = value === undefined && hasDefaults ? initial : value;
  // A required constant, such as the kind of one shape of a union, need not be entered.
  if (given === undefined && isRequired && node.kind === 'input' && node.choices.length === 1) return node.choices[0]!;
  // An optional object stays empty, so that it is left out.
  return draftOf(node, given, hasDefaults && (isRequired || given !== undefined));
}

/** Returns the value of a draft, or undefined if it is empty and not required. */
export function valueOf(node: FormNode, draft: Draft, isRequired: boolean): unknown {
  if (typeof draft === 'string') {
    if (node.kind !== 'input' || (draft === '' && !isRequired)) return undefined;
    return node.read(draft);
  }
  if ('entries' in draft) return node.kind === 'group' ? objectOf(node.fields, draft, isRequired) : undefined;
  if ('items' in draft) {
    if (node.kind !== 'list' || (draft.items.length === 0 && !isRequired)) return undefined;
    return draft.items.map((item) => valueOf(node.item, item, true));
  }
  const option = node.kind === 'union' ? node.options[draft.chosen] : undefined;
  return option && valueOf(option.node, draft.draft, true);
}

function objectOf(fields: readonly FormField[], { entries }: DraftGroup, isRequired: boolean): unknown {
  const given = fields.flatMap(({ key, node, isRequired: isNeeded }): readonly (readonly [string, unknown])[] => {
    const value = valueOf(node, entries.get(key) ?? '', isNeeded && (isRequired || !isEmpty(entries)));
    return value === undefined ? [] : [[key, value]];
  });
  if (given.length === 0 && !isRequired) return undefined;
  const result: Record<string, unknown> = {};
  // A property may be called `__proto__`.
  for (const [key, value] of given)
    Object.defineProperty(result, key, { value, enumerable: true, writable: true, configurable: true });
  return result;
}

function isEmpty(entries: ReadonlyMap<string, Draft>): boolean {
  return [...entries.values()].every(isEmptyDraft);
}

function isEmptyDraft(draft: Draft): boolean {
  if (typeof draft === 'string') return draft === '';
  if ('entries' in draft) return isEmpty(draft.entries);
  return 'items' in draft ? draft.items.length === 0 : draft.chosen === -1;
}

function fits(node: FormNode, value: unknown): boolean {
  if (node.kind === 'group')
    return isObject(value) && node.fields.every(({ key, isRequired }) => !isRequired || key in value);
  if (node.kind === 'list') return Array.isArray(value);
  if (node.kind === 'union') return node.options.some((option) => fits(option.node, value));
  if (node.input === 'choice') return node.choices.includes(textOf(value));
  if (node.input === 'lines') return Array.isArray(value);
  return node.input === 'json' || (node.input === 'number' ? typeof value === 'number' : typeof value === 'string');
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
