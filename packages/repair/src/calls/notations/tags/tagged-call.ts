import type { Shape } from '../../../json/result/declared-shape.ts';
import type { JsonValue } from '../../../json/result/json-value.ts';
import type { Repair, RepairRisk } from '../../../json/result/repair-result.ts';
import type { WrittenCall } from '../../contract/envelope.ts';
import { readTextValue } from '../text-values.ts';

/** A call whose arguments are being read. */
export class TaggedCall {
  readonly values: Map<string, JsonValue> = new Map();
  readonly repairs: Repair[] = [];
  readonly name: string;
  /** The tag that opens it. */
  readonly opener: string;
  /** The white space before that tag. */
  readonly margin: string;
  /** Whether its values so far are indented as the tags of its arguments are. */
  private isNested = false;
  readonly shape: Shape | undefined;

  constructor(name: string, opener: string, margin: string, shape: Shape | undefined) {
    this.name = name;
    this.opener = opener;
    this.margin = margin;
    this.shape = shape;
  }

  declares(key: string): boolean {
    return this.shape?.hasMember(key) === true;
  }

  /** Returns whether an argument is declared and was not given yet. */
  isDue(key: string): boolean {
    return this.declares(key) && !this.values.has(key);
  }

  note(code: string, start: number, end: number, found: string, risk: RepairRisk, assumed = ''): void {
    this.repairs.push({ code, start, end, found, assumed, risk });
  }

  /** Adds an argument. A repeated argument becomes a list. Returns whether it is the first one with this name. */
  add(key: string, value: JsonValue): boolean {
    const earlier = this.values.get(key);
    if (earlier === undefined) {
      this.values.set(key, value);
      return true;
    }
    const declared = this.shape?.member(key)?.item(0);
    const item = (one: JsonValue): JsonValue =>
      typeof one === 'string' ? readTextValue(one, declared, 'string') : one;
    const list = Array.isArray(earlier) ? (earlier as JsonValue[]) : [item(earlier)];
    list.push(item(value));
    this.values.set(key, list);
    return false;
  }

  /**
   * Removes the margin of the tags around a value from each of its lines, and the further margin of a value that is
   * indented in its tags as these are in the tag of the call, if all values of the call before it are.
   */
  withoutMargin(value: string, margin: string): string {
    if (margin === '' || !value.endsWith(`\n${margin}`)) return value;
    const lines = value.slice(0, -margin.length).split('\n');
    const filled = lines.filter((line) => line.trim() !== '');
    const own = margin + margin.slice(this.margin.length);
    const hasOwn = (line: string): boolean => line.startsWith(own) && !/^\s/.test(line.slice(own.length));
    const mayBeNested = this.isNested || this.values.size === 0;
    this.isNested = mayBeNested && filled.every((line) => line.startsWith(own)) && filled.some(hasOwn);
    const kept = this.isNested ? own : filled.every((line) => line.startsWith(margin)) ? margin : '';
    return lines.map((line) => line.slice(kept.length)).join('\n');
  }

  finish(ending: WrittenCall['ending']): WrittenCall {
    const { name, values, repairs } = this;
    const closed = repairs.some(({ risk }) => risk === 'lossy') ? 'lossy' : repairs.length > 0 ? 'safe' : 'none';
    const risks = { closed, open: 'lossy', cut: 'truncated' } as const;
    return { name, arguments: Object.fromEntries(values), ending, risk: risks[ending], repairs };
  }
}
