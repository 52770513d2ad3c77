/** Returns the middle value; for an even number of values, the mean of the middle two. Throws if the list is empty. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('the list of measurements is empty');
  return (upper + lower) / 2;
}

/** Returns the smallest value: the result with the least interference. Throws if the list is empty. */
export function bestOf(values: readonly number[]): number {
  if (values.length === 0) throw new Error('the list of measurements is empty');
  return Math.min(...values);
}

/** Returns the value that this share of the list does not exceed, such as 0.95. Throws if the list is empty. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('the list of measurements is empty');
  return value;
}

/** Rounds to four significant digits, one more than pages show. */
export function round(value: number): number {
  return Number(value.toPrecision(4));
}
