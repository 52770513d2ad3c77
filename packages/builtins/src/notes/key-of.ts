import { hashContent } from '@haft/sandbox';

const longest = 300;

/** A key of anything that names something: readable where it is short, and never two things under one key. */
export function keyOf(name: string): string {
  // Half a surrogate pair can't be encoded; JSON spells it out.
  const encoded = /\p{Surrogate}/u.test(name) ? '' : encodeURIComponent(name);
  return encoded.length <= longest && encoded !== '' ? encoded : `~${hashContent(JSON.stringify(name))}`;
}
