import type { CheckContext, Evaluated, Mistake } from '../keywords/check-context.ts';
import { createEvaluated, mergeEvaluated } from '../keywords/check-context.ts';
import { indexOfChoices } from '../values/choice-index.ts';
import { createEffort } from '../spelling/closest-key.ts';
import { describeChoices, describeExpected, typesOf } from '../issues/describe-expected.ts';
import type { JsonSchema, JsonSchemaObject } from '../json-schema.ts';
import { isDeepEqual, isOfType, isRecord } from '../json-value.ts';
import { checkArray } from '../keywords/array-keywords.ts';
import { checkCombining } from '../keywords/combining-keywords.ts';
import { checkNumber } from '../keywords/number-keywords.ts';
import { checkObject } from '../keywords/object-keywords.ts';
import { checkString } from '../keywords/string-keywords.ts';
import { checkUnevaluated } from '../keywords/unevaluated-keywords.ts';
import type { SchemaDocument, SchemaResource } from '../document/schema-document.ts';
import type { Place } from '../value-path.ts';

const deepest = 400;
const maxSteps = 2_000_000;

/** Checks values against one schema, or nested values against nested schemas. */
export interface Checker {
  /** Whether a value fits. `onMistake` receives every mistake; without it, the walk stops at the first. */
  check(schema: JsonSchema, value: unknown, onMistake?: (mistake: Mistake) => void): boolean;
}

/** Checks one value; see {@link createChecker}. */
export function checkValue(document: SchemaDocument, schema: JsonSchema, value: unknown): boolean {
  return createChecker(document).check(schema, value);
}

/**
 * Creates a checker that walks schema and value together, in bounded time: a walk that is too deep or, over all calls,
 * too long ends in a `limit` mistake. Values must not change while it is in use, because results are cached.
 */
export function createChecker(document: SchemaDocument): Checker {
  const remembered = new Map<JsonSchemaObject, Map<object, boolean>>();
  const scope: SchemaResource[] = [];
  let onMistake: ((mistake: Mistake) => void) | undefined;
  let isCollecting = false;
  let depth = 0;
  let steps = 0;
  let isOverLimit = false;

  const context: CheckContext = {
    document,
    effort: createEffort(),
    get isCollecting() {
      return isCollecting;
    },
    check,
    test(part, partValue, evaluated) {
      const before = isCollecting;
      isCollecting = false;
      const isValid = check(part, partValue, undefined, evaluated);
      isCollecting = before;
      return isValid;
    },
    report(mistake) {
      // After a limit is exceeded, every check fails, and only the limit is reported.
      if (isCollecting && (!isOverLimit || mistake.code === 'limit')) onMistake?.(mistake);
      return false;
    },
    giveUp: stop,
    spend(count) {
      // One step of a check counts as much as several steps of a pattern.
      steps += count / 10;
      return steps <= maxSteps;
    },
  };

  function check(part: JsonSchema, at: unknown, place: Place | undefined, evaluated?: Evaluated): boolean {
    if (part === true || isOverLimit) return part === true;
    if (part === false) return context.report({ place, code: 'never', expected: 'nothing', value: at, say: sayNever });
    steps += 1;
    if (depth >= deepest || steps > maxSteps) return stop(place, at);
    if (document.isPlain || document.tracksEvaluated || typeof at !== 'object' || at === null) {
      return checkNode(part, at, place, evaluated);
    }
    // A recursive schema can check the same value along many paths, so each result is cached.
    let answers = remembered.get(part);
    if (answers === undefined) remembered.set(part, (answers = new Map()));
    const known = answers.get(at);
    if (known === true || (known === false && !isCollecting)) return known;
    const isValid = checkNode(part, at, place, evaluated);
    answers.set(at, isValid);
    return isValid;
  }

  function stop(place: Place | undefined, at: unknown): false {
    isOverLimit = true;
    const wasCollecting = isCollecting;
    isCollecting = onMistake !== undefined;
    context.report({
      place,
      code: 'limit',
      expected: `a value nested at most ${deepest} levels and cheap to check`,
      value: at,
      say: (path) => `${path} is nested too deep or too large to be checked.`,
    });
    isCollecting = wasCollecting;
    return false;
  }

  function checkNode(node: JsonSchemaObject, at: unknown, place: Place | undefined, outer?: Evaluated): boolean {
    const evaluated = document.tracksEvaluated ? createEvaluated() : undefined;
    const resource = document.hasDynamicRefs ? document.resourceOf(node) : undefined;
    if (resource !== undefined) scope.push(resource);
    depth += 1;
    let isValid = checkReferences(node, at, place, evaluated);
    if (isValid || isCollecting) {
      const fits = checkChoice(node, at, place) && checkType(node, at, place);
      isValid = fits && checkRest(node, at, place, evaluated) && isValid;
    }
    depth -= 1;
    if (resource !== undefined) scope.pop();
    if (isValid && outer !== undefined && evaluated !== undefined) mergeEvaluated(outer, evaluated);
    return isValid;
  }

  function checkReferences(
    node: JsonSchemaObject,
    at: unknown,
    place: Place | undefined,
    evaluated?: Evaluated,
  ): boolean {
    let isValid = true;
    if (node.$ref !== undefined) isValid = check(document.target(node, '$ref'), at, place, evaluated);
    if (node['$dynamicRef'] !== undefined) isValid = check(dynamicTarget(node), at, place, evaluated) && isValid;
    return isValid;
  }

  function dynamicTarget(node: JsonSchemaObject): JsonSchema {
    const target = document.target(node, '$dynamicRef');
    const name = isRecord(target) ? target['$dynamicAnchor'] : undefined;
    const fragment = String(node['$dynamicRef']).split('#')[1];
    if (typeof name !== 'string' || name !== fragment) return target;
    const outermost = scope.find((resource) => resource.dynamicAnchors.has(name));
    return outermost?.dynamicAnchors.get(name) ?? target;
  }

  function checkChoice(node: JsonSchemaObject, at: unknown, place: Place | undefined): boolean {
    if (Object.hasOwn(node, 'const') && !isDeepEqual(at, node.const)) {
      return context.report({ place, code: 'const', expected: describeChoices([node.const]), value: at, schema: node });
    }
    if (node.enum !== undefined && !indexOfChoices(node.enum).has(at)) {
      return context.report({ place, code: 'enum', expected: describeChoices(node.enum), value: at, schema: node });
    }
    return true;
  }

  function checkType(node: JsonSchemaObject, at: unknown, place: Place | undefined): boolean {
    const types = typesOf(node);
    if (types.length === 0 || types.some((type) => isOfType(at, type))) return true;
    if (!isCollecting) return false;
    return context.report({ place, code: 'type', expected: describeExpected(document, node), value: at, schema: node });
  }

  function checkRest(node: JsonSchemaObject, at: unknown, place: Place | undefined, evaluated?: Evaluated): boolean {
    let isValid = true;
    if (typeof at === 'string') isValid = checkString(context, node, at, place);
    else if (typeof at === 'number') isValid = checkNumber(context, node, at, place);
    else if (Array.isArray(at)) isValid = checkArray(context, node, at, place, evaluated);
    else if (isRecord(at)) isValid = checkObject(context, node, at, place, evaluated);
    if (!isValid && !isCollecting) return false;
    isValid = checkCombining(context, node, at, place, evaluated) && isValid;
    return evaluated === undefined ? isValid : checkUnevaluated(context, node, at, place, evaluated) && isValid;
  }

  return {
    check(part, value, listener) {
      onMistake = listener;
      isCollecting = listener !== undefined;
      isOverLimit = false;
      return check(part, value, undefined);
    },
  };
}

function sayNever(path: string): string {
  return `${path} must be omitted: no value is allowed there.`;
}
