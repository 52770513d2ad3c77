/** The front matter of a document, and the rest. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const longest = 16_384;

/** Reads the YAML between two lines of `---`. Returns a string that describes the error if it is invalid. */
export async function readFrontMatter(text: string): Promise<FrontMatter | string> {
  const opened = /^---[ \t]*\r?\n/.exec(text);
  if (!opened) return 'it does not begin with a line of ---';
  const closed = /^---[ \t]*(?:\r?\n|$)/m.exec(text.slice(opened[0].length, opened[0].length + longest));
  if (!closed) return 'its front matter has no end';
  const start = opened[0].length;
  const source = text.slice(start, start + closed.index);
  // Loaded only when there are skills.
  const { parseDocument } = await import('yaml');
  // Aliases can expand a small text to a huge value, and skills don't need them.
  const document = parseDocument(source, { prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) return `its front matter is not YAML: ${document.errors[0]!.message.slice(0, 200)}`;
  try {
    const fields: unknown = document.toJS({ maxAliasCount: 0 });
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      return 'its front matter names no fields';
    return {
      fields: fields as Readonly<Record<string, unknown>>,
      body: text.slice(start + closed.index + closed[0].length),
    };
  } catch {
    return 'its front matter has references';
  }
}
