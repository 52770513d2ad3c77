/**
 * Checks whether a text matches a pattern in which `*` matches any characters. Uses two pointers, so that a hostile
 * pattern costs at most pattern length × text length.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    if (at < glob.length && glob[at] === '*') {
      star = at;
      at += 1;
      resume = position;
    } else if (at < glob.length && glob[at] === text[position]) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      position = resume;
    } else {
      return false;
    }
  }
  while (glob[at] === '*') at += 1;
  return at === glob.length;
}
