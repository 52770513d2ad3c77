/** A token of a printed value, with its kind for colouring. */
export interface PrintedPiece {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  readonly text: string;
}

/** A value, printed up to a limit. */
export interface PrintedValue {
  readonly pieces: readonly PrintedPiece[];
  readonly isWhole: boolean;
}

/** Prints a JSON value over several lines, up to about this many characters: indentation alone can be quadratic. */
export function printValue(value: unknown, room: number): PrintedValue {
  const pieces: PrintedPiece[] = [];
  let left = room;
  let isWhole = true;
  const add = (kind: PrintedPiece['kind'], text: string): void => {
    isWhole &&= text.length <= left;
    if (left <= 0) return;
    pieces.push({ kind, text: text.length > left ? `${text.slice(0, left)}…` : text });
    left -= text.length;
  };
  const print = (one: unknown, indent: string): void => {
    if (typeof one === 'string') return add('string', JSON.stringify(one));
    if (typeof one === 'number') return add('number', JSON.stringify(one));
    if (typeof one !== 'object' || one === null) return add('word', String(one));
    const [opener, closer] = Array.isArray(one) ? '[]' : '{}';
    const keys = Object.keys(one);
    if (keys.length === 0) return add('mark', `${opener}${closer}`);
    const inner = `${indent}  `;
    add('mark', `${opener}\n`);
    for (const [index, key] of keys.entries()) {
      add('mark', inner);
      if (left <= 0) return;
      if (!Array.isArray(one)) {
        add('key', JSON.stringify(key));
        add('mark', ': ');
      }
      print((one as Readonly<Record<string, unknown>>)[key], inner);
      add('mark', index === keys.length - 1 ? '\n' : ',\n');
    }
    add('mark', `${indent}${closer}`);
  };
  print(value, '');
  return { pieces, isWhole };
}
