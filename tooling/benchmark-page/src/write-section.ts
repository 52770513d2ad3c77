/**
 * Puts a benchmark's section into the page, replacing the section of the same name. Sections stay in alphabetical
 * order.
 */
export function writeSection(page: string, name: string, body: string): string {
  const sections = new Map(
    [...page.matchAll(/^<!-- bench:(\w+) -->\n(.*?)^<!-- \/bench:\1 -->\n/gms)].map((match) => [
      match[1] ?? '',
      match[2] ?? '',
    ]),
  );
  sections.set(name, `${body.trim()}\n`);
  const introduction = page.split(/^<!-- bench:/m)[0]?.trimEnd() ?? '';
  const blocks = [...sections]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([section, text]) => `<!-- bench:${section} -->\n${text}<!-- /bench:${section} -->\n`);
  return `${introduction}\n\n${blocks.join('\n')}`;
}
