import type { ToolResult } from '@haft/core';

/** How a call was read, if not literally: its format, each repair, each coercion. Empty for a valid call. */
export function describeReading(result: ToolResult, envelope: string | undefined): readonly string[] {
  const found = envelope === undefined ? [] : [`written as text (${envelope})`];
  const report = result.arguments;
  if (!report) return found;
  const repairs = countEqual(report.repairs.map((repair) => repair.code));
  const coercions = report.coercions.map((coercion) =>
    coercion.code === 'alias' || coercion.code === 'key_renamed'
      ? `${String(coercion.from)} → ${String(coercion.to)}`
      : `${coercion.code.replaceAll('_', '-')} at ${coercion.path}`,
  );
  return [...found, ...repairs, ...coercions];
}

function countEqual(codes: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].map(([code, count]) => (count === 1 ? code : `${code} ×${count}`));
}
