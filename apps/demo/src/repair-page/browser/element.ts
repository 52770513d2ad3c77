/** What an element is made with, besides its children. */
export interface ElementParts {
  readonly class?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Makes an element. Strings become text and nothing else, whatever stands in them. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  parts: ElementParts = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (parts.class !== undefined) made.className = parts.class;
  for (const [name, value] of Object.entries(parts.attributes ?? {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * The element of the document with this id.
 * @throws when there is none of this kind: the document and its scripts belong together.
 */
export function elementById<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the document has no ${kind.name} #${id}`);
  return found;
}
