import type { Repair, RepairRisk } from './repair-result.ts';

/** Maximum length of the texts in a repair. */
export const preview = 60;

/** Creates the report of a repair between two offsets of a text. */
export function createRepair(
  text: string,
  code: string,
  risk: RepairRisk,
  start: number,
  end: number,
  assumed = '',
): Repair {
  const found = text.slice(start, Math.min(end, start + preview));
  return { code, start, end, found, assumed: assumed.length > preview ? assumed.slice(0, preview) : assumed, risk };
}
