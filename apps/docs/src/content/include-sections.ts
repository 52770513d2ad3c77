/**
 * Replaces `<!-- include: README.md behaviours -->` by the section of that file between `<!-- behaviours` and
 * `<!-- /behaviours -->`, so that a page can show a table that a program writes elsewhere.
 */
export function includeSections(markdown: string, source: string, readFile: (path: string) => string): string {
  return markdown.replaceAll(/^<!-- include: (\S+) (\S+) -->$/gm, (_, file: string, name: string) => {
    const text = readFile(file);
    const [, section] = new RegExp(`^<!-- ${name}\\b.*-->\\n([^]*?)^<!-- /${name} -->$`, 'm').exec(text) ?? [];
    if (section === undefined)
      throw new Error(`${source}: ${file} has no section ${name} (expected <!-- ${name} --> … <!-- /${name} -->)`);
    return section.trim();
  });
}
