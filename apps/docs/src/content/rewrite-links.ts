import { posix } from 'node:path';

import { mapProse } from './map-prose.ts';

/** What the links of a page are resolved against. */
export interface LinkTargets {
  /** Addresses on the site, by the path of the Markdown file or of its folder. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Returns whether a path of the repository is a file, a folder or missing. */
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** Web address of the repository. */
  readonly repository: string;
  /** Called with the repository path of each picture that a page shows. Returns its address on the site. */
  picture(path: string): string;
}

/**
 * Turns the relative links of a Markdown file into addresses: of the site if it has the page, otherwise of the
 * repository. Throws if a link leads to no file.
 */
export function rewriteLinks(markdown: string, source: string, targets: LinkTargets): string {
  const rewrite = (bang: string, target: string): string => {
    if (/^(?:[a-z][\w+.-]*:|#|\/)/i.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const file = posix.join(posix.dirname(source), decodeURI(path)).replace(/\/$/, '');
    const kind = targets.kindOf(file);
    if (kind === undefined)
      throw new Error(`${source}: the link ${target} leads to no file (expected a path in the repository)`);
    if (bang !== '') return targets.picture(file);
    const address = targets.addresses.get(file);
    const hash = anchor === undefined ? '' : `#${anchor}`;
    if (address !== undefined) return `${address}${hash}`;
    return `${targets.repository}/${kind === 'file' ? 'blob' : 'tree'}/main/${file}${hash}`;
  };
  const rewriteInline = (prose: string): string =>
    prose.replaceAll(inlineLink, (_, bang: string, text: string, target: string) => {
      return `${bang}[${rewriteInline(text)}](${rewrite(bang, target)})`;
    });
  return mapProse(markdown, (prose) =>
    rewriteInline(prose).replaceAll(
      /^(\[[^\]]+\]:\s+)(\S+)$/gm,
      (_, label: string, target: string) => `${label}${rewrite('', target)}`,
    ),
  );
}

/** A link or a picture, whose text may hold brackets and a picture. */
const inlineLink = /(!?)\[((?:[^[\]]|\[[^\]]*\]\([^)]*\)|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;
