/** A git setting. */
export interface GitSetting {
  /** Section and name in lower case without the subsection, for example `filter.clean`. */
  readonly key: string;
  readonly value: string;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/**
 * Parses a git config file. Never fails: a line that git would reject is skipped, because the lines around it may still
 * take effect.
 */
export function parseGitConfig(text: string): readonly GitSetting[] {
  const settings: GitSetting[] = [];
  let section = '';
  for (let rest = text.replace(/^\uFEFF/, ''); rest !== '';) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\\n]|\\.)*")?\s*\]/.exec(rest);
    if (header) {
      section = header[1]!.split('.', 1)[0]!.toLowerCase();
      rest = rest.slice(header[0].length);
      continue;
    }
    const name = /^[^\S\n]*([a-z][\w-]*)[^\S\n]*/i.exec(rest);
    if (!name) {
      const end = rest.indexOf('\n');
      rest = end === -1 ? '' : rest.slice(end + 1);
      continue;
    }
    rest = rest.slice(name[0].length);
    const { value, length } = rest.startsWith('=') ? readValue(rest.slice(1)) : { value: 'true', length: -1 };
    settings.push({ key: `${section}.${name[1]!.toLowerCase()}`, value });
    rest = rest.slice(length + 1);
  }
  return settings;
}

function readValue(text: string): { readonly value: string; readonly length: number } {
  let value = '';
  let blanks = '';
  let isQuoted = false;
  let at = 0;
  for (; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '\n' && !isQuoted) break;
    if (!isQuoted && (character === '#' || character === ';')) {
      const end = text.indexOf('\n', at);
      return { value, length: end === -1 ? text.length : end };
    }
    if (!isQuoted && /\s/.test(character)) {
      if (value !== '') blanks += character;
      continue;
    }
    value += blanks;
    blanks = '';
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\\') {
      at += text.startsWith('\r\n', at + 1) ? 2 : 1;
      const escaped = text[at] ?? '';
      value += escaped === '\n' ? '' : (escapes[escaped] ?? escaped);
    } else value += character;
  }
  return { value, length: at };
}
