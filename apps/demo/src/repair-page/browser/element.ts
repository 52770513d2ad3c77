/** Attributes of a new element, besides its children. */
export interface ElementParts {
  readonly class?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Creates an element. Strings always become text, never markup. */
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
 * Returns the element with this id.
 * @throws if it is missing or of another kind: the document and its scripts belong together.
 */
export function elementById<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the document has no ${kind.name} #${id}`);
  return found;
}
