import { hashContent } from '@haft/sandbox';

const longest = 300;

/** A unique storage key for a name, readable when the name is short. */
export function keyOf(name: string): string {
  // Half of a surrogate pair can't be URI-encoded.
  const encoded = /\p{Surrogate}/u.test(name) ? '' : encodeURIComponent(name);
  return encoded.length <= longest && encoded !== '' ? encoded : `~${hashContent(JSON.stringify(name))}`;
}
