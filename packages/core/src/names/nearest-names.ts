import { countSlips } from '@haft/schema/spelling';

/**
 * Returns at most `limit` known names that are most similar to an unknown name, best first. Similarity is the edit
 * distance without case and separators, with a bonus for shared words. Omits names with a low similarity. O(known ×
 * length²), for error paths only.
 *
 * @example
 * import { findNearestNames } from '@haft/core';
 * findNearestNames('read-files', ['read_file', 'write_file', 'search']); // => ['read_file']
 */
export function findNearestNames(unknown: string, known: readonly string[], limit = 3): readonly string[] {
  const target = squeeze(unknown.slice(0, 64));
  const targetWords = words(unknown);
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of known) {
    const candidate = squeeze(name);
    const distance = countSlips(target, candidate) / Math.max(target.length, candidate.length, 1);
    const shared = words(name).filter((word) => targetWords.includes(word)).length;
    const score = distance - 0.25 * shared - (candidate.includes(target) || target.includes(candidate) ? 0.2 : 0);
    if (score <= 0.45) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.name);
}

function squeeze(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}
