import { parsePattern, type ParsedPattern } from '@haft/schema/patterns';

/**
 * Parses a regular expression that the engine accepts. Returns undefined if its text is misleading: octal escapes,
 * names or properties without their flag or group, and groups that change flags.
 */
export function readPattern(source: string, flags: string): ParsedPattern | undefined {
  const groups = new RegExp(`${source}|`, flags).exec('')!.length - 1;
  for (const [, digits = ''] of source.matchAll(/\\(\d+)/g))
    if (digits.startsWith('0') ? digits.length > 1 : Number(digits) > groups) return undefined;
  if (!flags.includes('u') && /\\[pPu]\{(?![\w=]*\})/.test(source)) return undefined;
  if (/\\k/.test(source) && !/\(\?<[^=!]/.test(source)) return undefined;
  const pattern = parsePattern(source);
  return pattern.hasModifier ? undefined : pattern;
}
