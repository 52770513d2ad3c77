/** A Markdown page in the parts that the site needs. */
export interface PageParts {
  /** The text of the first heading. */
  readonly title: string;
  /** The first paragraph as plain text, cut at the end of a sentence. */
  readonly description: string;
  /** Everything after the first heading. */
  readonly body: string;
}

/** Maximum length in characters: about what search engines show. */
const maxDescription = 200;

/** Takes the first heading off a page. Throws if the page does not begin with one. */
export function splitTitle(markdown: string, source: string): PageParts {
  const [, title, body] = /^# (.+)\n([^]*)$/.exec(markdown) ?? [];
  if (title === undefined || body === undefined)
    throw new Error(`${source}: the first line is not a heading (expected "# Title")`);
  const paragraph = body
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .find((each) => /^[A-Z*`[]/.test(each) && !each.startsWith('```'));
  return { title: plainText(title), description: shorten(plainText(paragraph ?? title)), body };
}

function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function shorten(text: string): string {
  if (text.length <= maxDescription) return text;
  const end = text.lastIndexOf('. ', maxDescription);
  if (end > 0) return text.slice(0, end + 1);
  return `${text.slice(0, text.lastIndexOf(' ', maxDescription - 1))}…`;
}
