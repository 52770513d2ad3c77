import type { Random } from './random.ts';

/** Generates the words of a line. Each function takes the allowed nesting depth. */
export interface Words {
  readonly word: (depth: number) => string;
  /** A program that reports when it runs, with a unique word. */
  readonly mark: () => string;
  /** The name of a variable. */
  readonly name: () => string;
  readonly arithmetic: (depth: number) => string;
  readonly assignment: (depth: number) => string;
  readonly array: (depth: number) => string;
  /** A pattern of `case`. */
  readonly pattern: (depth: number) => string;
  /** A word in a position where Bash evaluates a name or arithmetic. */
  readonly evaluated: (depth: number) => string;
  /** A text as one word. */
  readonly quote: (text: string) => string;
}

/** Creates the part of the grammar below commands. `list` generates commands for substitutions. */
export function createWords(random: Random, list: (depth: number) => string): Words {
  let marks = 0;
  const name = (): string => random.pick(['x', 'y', 'z', 'a', 'i']);
  const mark = (): string => {
    marks += 1;
    return `m${marks % 6}${random.chance(0.5) ? ` k${marks}` : ''}`;
  };
  const commands = (depth: number): string => (depth > 0 ? list(depth - 1) : mark());
  const quote = (text: string): string =>
    random.chance(0.7)
      ? `'${text.replaceAll("'", String.raw`'\''`)}'`
      : `"${text.replaceAll(/["$`\\]/g, String.raw`\$&`)}"`;
  const substitution = (depth: number): string =>
    random.pick<() => string>([
      () => `$(${commands(depth)})`,
      () => `$( ${commands(depth)} )`,
      () => `$(${commands(depth)}\n)`,
      () => `\`${mark()}\``,
      () => `\`${commands(Math.max(0, depth - 1)).replaceAll(/[`\\]/g, String.raw`\$&`)}\``,
      () => `$((${arithmetic(depth - 1)}))`,
      () => `$[${arithmetic(depth - 1)}]`,
      () => `$(${random.pick(['< ', '<'])}/dev/null)`,
      () => `$(${mark()} <<E\n${word(depth - 1)}\nE\n)`,
      () => `$(echo ${word(depth - 1)})`,
    ])();
  const subscript = (depth: number): string =>
    random.pick([() => '0', () => 'x', () => '@', () => arithmetic(depth)])();
  const operand = (depth: number): string =>
    depth <= 0
      ? 'b'
      : random.pick([() => 'b', () => word(depth - 1), () => `"${word(depth - 1)}"`, () => `'$(m9)'`, () => '/b'])();
  const parameter = (depth: number): string => {
    if (random.chance(0.4))
      return `$${random.pick(['x', 'y', 'z', 'a', '1', '@', '*', '#', '?', '_', '$', '-', '!', '0', 'HOME', 'PWD', 'IFS'])}`;
    const of = random.chance(0.3) ? `${name()}[${subscript(depth - 1)}]` : random.pick([name(), name(), '1', '@']);
    return random.pick<() => string>([
      () => `\${${of}}`,
      () => `\${#${of}}`,
      () => `\${${of}${random.pick([':-', '-', ':=', '=', ':+', '+', ':?'])}${operand(depth)}}`,
      () => `\${${of}${random.pick(['#', '##', '%', '%%', '^', ',,'])}${operand(depth)}}`,
      () => `\${${of}/${operand(depth)}/${operand(depth)}}`,
      () => `\${${of}:${arithmetic(depth - 1)}}`,
      () => `\${${of}: ${arithmetic(depth - 1)}:${arithmetic(depth - 1)}}`,
      () => `\${!${of}}`,
      () => `\${!${name()}${random.pick(['*', '@', '[@]'])}}`,
      () => `\${${of}@${random.pick(['P', 'Q', 'E', 'A', 'U', 'a', 'K', 'k', 'L', 'u'])}}`,
      () => `\${${of}${random.pick(['//', '/#', '/%'])}${operand(depth)}/${operand(depth)}}`,
      () => `\${${of}${random.pick(['^^', ',', '~~', '~'])}}`,
      () => `\${${random.pick(['@', '*', 'x[@]', 'x[*]'])}:${random.pick(['1', ' -1', '0:1', arithmetic(depth - 1)])}}`,
    ])();
  };
  const piece = (depth: number): string => {
    if (depth <= 0 || random.chance(0.45))
      return random.pick([
        'a',
        'b',
        'c',
        '-x',
        'k=v',
        '0',
        "'a b'",
        '"a b"',
        "'$x'",
        '\\$',
        '\\ ',
        "$'a\\tb'",
        "$'\\''",
        "''",
        '""',
        '~',
        '*',
        '{a,b}',
        '{1..3}',
        '{01..2}',
        '{c..a}',
        '{1..5..2}',
        '{,b}',
        '{a,{b,c}}',
        '{',
        '}',
        '/b*',
        '?',
        '[!b]*',
        '!',
        '~+',
        '~/a',
        "$'\\u61'",
        "$'\\cA'",
        '$"a b"',
        '\\\n',
        '#',
        '=',
        '[a]',
        ',',
        ':',
        '%',
        '$',
        'm5',
      ]);
    return random.pick<() => string>([
      () => parameter(depth),
      () => parameter(depth),
      () => substitution(depth),
      () => `"${inQuotes(depth)}"`,
      () => `"${inQuotes(depth)}"`,
      () => `${random.pick(['<', '<', '>'])}(${commands(depth)})`,
      () => `'a[$(${mark()})]'`,
      () => `'$(${mark()})'`,
      () => `{${word(depth - 1)},${word(depth - 1)}}`,
    ])();
  };
  const inQuotes = (depth: number): string =>
    Array.from({ length: 1 + random.below(2) }, () =>
      random.pick<() => string>([
        () => 'a ',
        () => "'",
        () => '\\"',
        () => '\\$(m9)',
        () => parameter(depth - 1),
        () => substitution(depth - 1),
        () => '\\`',
        () => '{a,b}',
        () => '*',
        () => '\\\n',
        () => '$',
      ])(),
    ).join('');
  const word = (depth: number): string => {
    let text = piece(depth);
    while (random.chance(0.25)) text += piece(depth - 1);
    return text;
  };
  const arithmetic = (depth: number): string => {
    const operand = (): string =>
      random.pick<() => string>([
        () => String(random.below(4)),
        () => name(),
        () => name(),
        () => (depth > 0 ? `${name()}[${arithmetic(depth - 1)}]` : 'i'),
        () => (depth > 0 ? substitution(depth - 1) : '1'),
        () => (depth > 0 ? parameter(depth - 1) : '$x'),
        () => `'a[$(${mark()})]'`,
        () => `"a[$(${mark()})]"`,
        () => `a[$(${mark()})]`,
        () => `(${depth > 0 ? arithmetic(depth - 1) : 'x'})`,
        () => `${name()}++`,
        () => `${name()}=${random.below(3)}`,
      ])();
    let text = operand();
    while (random.chance(0.3))
      text += random.pick(['+', ' - ', '*', '<', ' == ', '?1:', ',', ' && ', '<<']) + operand();
    return text;
  };
  const evaluated = (depth: number): string =>
    random.pick<() => string>([
      () => name(),
      () => `${name()}[0]`,
      () => `'a[$(${mark()})]'`,
      () => `"a[\\$(${mark()})]"`,
      () => `a['$(${mark()})']`,
      () => `'a[\`${mark()}\`]'`,
      () => `'a[b[\\$(${mark()})]]'`,
      () => quote(arithmetic(depth)),
      () => word(depth),
      () => `$'a[\\x24(${mark()})]'`,
      () => `${name()}=$${name()}`,
    ])();
  const value = (depth: number): string =>
    random.pick([
      () => word(depth),
      () => evaluated(depth),
      () => '',
      () => quote(mark()),
      () => `'m4'`,
      () => `'$(${mark()})'`,
    ])();
  const assignment = (depth: number): string =>
    random.pick<() => string>([
      () => `${name()}=${value(depth)}`,
      () => `${name()}=${value(depth)}`,
      () => `${name()}+=${value(depth)}`,
      () => `${name()}[${subscript(depth)}]=${value(depth)}`,
      () => `a['$(${mark()})']=${value(depth)}`,
      () => `a[ x ]=${value(depth)}`,
      () => `${name()}=${random.pick(['m4', 's1', "'m4 a'", 'm', 'a:~:b', '~', '*', '{m4,a}'])}`,
      () => `${random.pick(['IFS', 'PS4', 'PATH', 'RANDOM', 'SECONDS'])}=${value(depth)}`,
    ])();
  const array = (depth: number): string =>
    `${name()}${random.pick(['=', '=', '+='])}(${random.pick([word(depth), `[${arithmetic(depth)}]=${word(depth)}`, `['$(${mark()})']=b`, `a #c\n b`, `${word(depth)} ${value(depth)}`, `m4 a`, `[0]=m4 [1]+=a`, `{m4,a}`])})`;
  const pattern = (depth: number): string =>
    random.pick(['a', '*', "'b'", '"$x"', '[ab]*', 'esac', 'a b', '[!)]', "')'", '\\)', word(Math.min(depth, 1))]);
  return { word, mark, name, arithmetic, assignment, array, pattern, evaluated, quote };
}
