import { lineAt } from './line-at.ts';

/** Lines of a file. */
export interface Block {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** One edit as a model might send it, and the expected file; `null` if it must be refused. */
export interface TextCase {
  readonly file: string;
  readonly oldText: string;
  readonly newText: string;
  readonly expected: string | null;
}

/** Creates a case from a scene. Returns undefined if the scene is not suitable. */
export type Mutation = (scene: Scene) => TextCase | undefined;

/** A part of a file to change, and the change. */
export interface Scene {
  readonly lines: readonly string[];
  readonly block: Block;
  /** The block's lines after the intended change, and which of the block's lines was changed (-1: one was inserted). */
  readonly changed: readonly string[];
  readonly changedAt: number;
  readonly random: () => number;
  readonly otherLines: readonly string[];
}

/** The indentation of a line. */
export const indentationOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);
export const isBlank = (line: string): boolean => line.trim() === '';
const join = (lines: readonly string[]): string => lines.join('\n');

/**
 * Returns the file with the block replaced. `before` and `after` mutate the lines around and inside the block in the
 * same way.
 */
function splice(scene: Scene, replacement: readonly string[], map: (line: string) => string = (line) => line): string {
  const { lines, block } = scene;
  return `${join([...lines.slice(0, block.from).map(map), ...replacement, ...lines.slice(block.to).map(map)])}\n`;
}

const whole = (scene: Scene, map: (line: string) => string = (line) => line): string =>
  `${join(scene.lines.map(map))}\n`;

function firstFilled(lines: readonly string[]): string {
  return lines.find((line) => !isBlank(line)) ?? '';
}

function dedent(lines: readonly string[]): readonly string[] | undefined {
  const filled = lines.filter((line) => !isBlank(line));
  const shortest = filled.map(indentationOf).reduce((best, next) => (next.length < best.length ? next : best));
  if (shortest === '' || !filled.every((line) => line.startsWith(shortest))) return undefined;
  return lines.map((line) => (isBlank(line) ? line : line.slice(shortest.length)));
}

/** Formatting slips despite which an edit should succeed, by recipe number. */
export const slips: Readonly<Record<string, Mutation>> = {
  'P01 exact': (scene) => ({
    file: whole(scene),
    oldText: join(scene.block.lines),
    newText: join(scene.changed),
    expected: splice(scene, scene.changed),
  }),
  'P02 trailing blanks in old': (scene) => ({
    file: whole(scene),
    oldText: join(scene.block.lines.map((line, index) => (index % 2 === 0 ? `${line}  ` : line))),
    newText: join(scene.changed),
    expected: splice(scene, scene.changed),
  }),
  'P03 trailing blanks in file': (scene) => {
    const { block, lines, changed, changedAt } = scene;
    const trailing = (line: string): string => `${line}\t `;
    const file = join([...lines.slice(0, block.from), ...block.lines.map(trailing), ...lines.slice(block.to)]);
    // Lines that the model did not change keep their indentation.
    const kept = changed.map((line, index) =>
      block.lines.includes(line) && index !== changedAt ? trailing(line) : line,
    );
    return { file: `${file}\n`, oldText: join(block.lines), newText: join(changed), expected: splice(scene, kept) };
  },
  'P04 dedented': (scene) => {
    const oldLines = dedent(scene.block.lines);
    if (!oldLines) return undefined;
    const depth = firstFilled(scene.block.lines).length - firstFilled(oldLines).length;
    if (!scene.changed.every((line) => isBlank(line) || indentationOf(line).length >= depth)) return undefined;
    const newLines = scene.changed.map((line) => (isBlank(line) ? line : line.slice(depth)));
    return {
      file: whole(scene),
      oldText: join(oldLines),
      newText: join(newLines),
      expected: splice(scene, scene.changed),
    };
  },
  'P05 tabs as four spaces': (scene) => {
    if (!scene.block.lines.some((line) => line.startsWith('\t'))) return undefined;
    const spaces = (line: string): string => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length));
    return {
      file: whole(scene),
      oldText: join(scene.block.lines.map(spaces)),
      newText: join(scene.changed.map(spaces)),
      expected: splice(scene, scene.changed),
    };
  },
  'P05b two spaces as four': (scene) => {
    const double = (line: string): string => line.replace(/^ +/, (blanks) => blanks.repeat(2));
    const levels = new Set(
      scene.block.lines.filter((line) => !isBlank(line)).map((line) => indentationOf(line).length),
    );
    if (
      scene.block.lines.some((line) => line.startsWith('\t') || indentationOf(line).length % 2 === 1) ||
      levels.size < 2
    )
      return undefined;
    return {
      file: whole(scene),
      oldText: join(scene.block.lines.map(double)),
      newText: join(scene.changed.map(double)),
      expected: splice(scene, scene.changed),
    };
  },
  'P06 CRLF file': (scene) => ({
    file: whole(scene).replaceAll('\n', '\r\n'),
    oldText: join(scene.block.lines),
    newText: join(scene.changed),
    expected: splice(scene, scene.changed).replaceAll('\n', '\r\n'),
  }),
  'P07 mixed endings': (scene) => {
    const { lines, block, changed, random } = scene;
    const breaks = lines.map(() => (random() < 0.5 ? '\r\n' : '\n'));
    const file = lines.map((line, index) => line + lineAt(breaks, index)).join('');
    const sameCount = changed.length === block.lines.length;
    // Skips equal lines, because it is unclear which one remains.
    if (!sameCount && new Set(block.lines).size < block.lines.length) return undefined;
    const inBlock = changed.map((line, index) => {
      const own = sameCount ? index : block.lines.indexOf(line);
      // An added line ends like the line above it; the block's last line break is after the replaced text.
      return (
        line +
        (index === changed.length - 1
          ? lineAt(breaks, block.to - 1)
          : lineAt(breaks, block.from + (own === -1 ? index - 1 : own)))
      );
    });
    const head = lines.slice(0, block.from).map((line, index) => line + lineAt(breaks, index));
    const tail = lines.slice(block.to).map((line, index) => line + lineAt(breaks, block.to + index));
    return {
      file,
      oldText: join(block.lines),
      newText: join(changed),
      expected: [...head, ...inBlock, ...tail].join(''),
    };
  },
  'P09 smart quotes in old': (scene) => {
    if (!scene.block.lines.some((line) => /["'-]/.test(line))) return undefined;
    const smart = (line: string): string =>
      line.replaceAll("'", '\u2019').replaceAll('"', '\u201D').replaceAll('-', '\u2013');
    return {
      file: whole(scene),
      oldText: join(scene.block.lines.map(smart)),
      newText: join(scene.changed),
      expected: splice(scene, scene.changed),
    };
  },
  'P10 typographic file': (scene) => {
    if (!scene.block.lines.some((line) => /["']/.test(line))) return undefined;
    const smart = (line: string): string => line.replaceAll("'", '\u2019').replaceAll('"', '\u201C');
    const { block, changed, changedAt } = scene;
    const added = new Set(changed.filter((line) => !block.lines.includes(line)));
    const isAppended =
      changed.length === block.lines.length &&
      changedAt !== -1 &&
      lineAt(changed, changedAt).startsWith(lineAt(block.lines, changedAt));
    const kept = changed.map((line, index) => {
      if (!added.has(line)) return smart(line);
      return isAppended && index === changedAt
        ? smart(lineAt(block.lines, index)) + line.slice(lineAt(block.lines, index).length)
        : line;
    });
    return {
      file: whole(scene, smart),
      oldText: join(block.lines),
      newText: join(changed),
      expected: splice(scene, kept, smart),
    };
  },
  'P11 blank lines around': (scene) => ({
    file: whole(scene),
    oldText: `\n\n${join(scene.block.lines)}\n\n`,
    newText: `\n\n${join(scene.changed)}\n\n`,
    expected: splice(scene, scene.changed),
  }),
  'P11b blank lines around old': (scene) => {
    const oldText = `\n${join(scene.block.lines)}\n\n`;
    // Skips files that contain such blank lines, because the edit may mean them.
    if (whole(scene).includes(oldText)) return undefined;
    return { file: whole(scene), oldText, newText: join(scene.changed), expected: splice(scene, scene.changed) };
  },
  'P12 over-escaped quotes': (scene) => {
    if (
      !scene.block.lines.some((line) => line.includes('"') || line.includes("'")) ||
      join(scene.lines).includes('\\"')
    )
      return undefined;
    const escape = (line: string): string => line.replaceAll('"', '\\"').replaceAll("'", "\\'");
    if (join(scene.block.lines).includes('\\')) return undefined;
    return {
      file: whole(scene),
      oldText: join(scene.block.lines.map(escape)),
      newText: join(scene.changed.map(escape)),
      expected: splice(scene, scene.changed),
    };
  },
  'P13 literal line feeds': (scene) => {
    if (join(scene.block.lines).includes('\\')) return undefined;
    return {
      file: whole(scene),
      oldText: scene.block.lines.join('\\n'),
      newText: scene.changed.join('\\n'),
      expected: splice(scene, scene.changed),
    };
  },
  'P14 pasted line numbers': (scene) => {
    const number = (lines: readonly string[]): string =>
      join(lines.map((line, index) => `${scene.block.from + 1 + index}→${line}`));
    return {
      file: whole(scene),
      oldText: number(scene.block.lines),
      newText: number(scene.changed),
      expected: splice(scene, scene.changed),
    };
  },
  'P14b padded line numbers': (scene) => {
    const number = (lines: readonly string[]): string =>
      join(lines.map((line, index) => `${String(scene.block.from + 1 + index).padStart(6)}\t${line}`));
    return {
      file: whole(scene),
      oldText: number(scene.block.lines),
      newText: join(scene.changed),
      expected: splice(scene, scene.changed),
    };
  },
  'P15 inner blanks': (scene) => {
    const widen = (line: string): string => indentationOf(line) + line.trimStart().replace(/ /, '   ');
    if (!scene.block.lines.some((line) => widen(line) !== line)) return undefined;
    return {
      file: whole(scene),
      oldText: join(scene.block.lines.map(widen)),
      newText: join(scene.changed),
      expected: splice(scene, scene.changed),
    };
  },
  'P16 end without newline': (scene) => {
    const { lines, block, changed } = scene;
    const file = join(lines.slice(0, block.to));
    return {
      file,
      oldText: `${join(block.lines)}\n`,
      newText: `${join(changed)}\n`,
      expected: join([...lines.slice(0, block.from), ...changed]),
    };
  },
  'P17 delete': (scene) => ({
    file: whole(scene),
    oldText: `${join(scene.block.lines)}\n`,
    newText: '',
    expected: splice(scene, []),
  }),
  'P18 final newline in old': (scene) => ({
    file: whole(scene),
    oldText: `${join(scene.block.lines)}  \n`,
    newText: `${join(scene.changed)}\n`,
    expected: splice(scene, scene.changed),
  }),
};

/** Edits that must be refused. */
export const mistakes: Readonly<Record<string, Mutation>> = {
  'N01 interior line changed': (scene) => {
    const { lines } = scene.block;
    const at = 1 + Math.floor(scene.random() * (lines.length - 2));
    const stale = lines.map((line, index) =>
      index === at ? `${indentationOf(line)}return somethingElse(${at});` : line,
    );
    return { file: whole(scene), oldText: join(stale), newText: join(scene.changed), expected: null };
  },
  'N02 number changed': (scene) => {
    const at = scene.block.lines.findIndex((line) => /\d/.test(line));
    if (at === -1) return undefined;
    const stale = scene.block.lines.map((line, index) =>
      index === at ? line.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) : line,
    );
    return { file: whole(scene), oldText: join(stale), newText: join(scene.changed), expected: null };
  },
  'N03 invented interior': (scene) => {
    const { lines } = scene.block;
    const invented = lines.map((line, index) =>
      index === 0 || index === lines.length - 1 ? line : `${indentationOf(line)}invented(${index});`,
    );
    return { file: whole(scene), oldText: join(invented), newText: join(scene.changed), expected: null };
  },
  'N04 block twice': (scene) => {
    const file = join([...scene.lines, ...scene.block.lines]);
    return { file: `${file}\n`, oldText: join(scene.block.lines), newText: join(scene.changed), expected: null };
  },
  'N05 twice but for blanks': (scene) => {
    const file = join([...scene.lines, ...scene.block.lines.map((line) => `${line} `)]);
    return {
      file: `${file}\n`,
      oldText: join(scene.block.lines.map((line) => `${line}   `)),
      newText: join(scene.changed),
      expected: null,
    };
  },
  'N05b twice but for indentation': (scene) => {
    const indent = (line: string): string => (isBlank(line) ? line : `        ${line}`);
    const file = join([...scene.lines, ...scene.block.lines.map(indent)]);
    return {
      file: `${file}\n`,
      oldText: join(scene.block.lines.map((line) => (isBlank(line) ? line : `  ${line}`))),
      newText: join(scene.changed),
      expected: null,
    };
  },
  'N06 text of another file': (scene) => {
    const from = Math.floor(scene.random() * Math.max(1, scene.otherLines.length - 6));
    const foreign = scene.otherLines.slice(from, from + 6);
    const squeeze = (lines: readonly string[]): string => join(lines).replace(/\s+/g, '');
    if (squeeze(foreign).length < 20 || squeeze(scene.lines).includes(squeeze(foreign))) return undefined;
    return { file: whole(scene), oldText: join(foreign), newText: join(scene.changed), expected: null };
  },
  'N07 structure differs': (scene) => {
    const { lines } = scene.block;
    const filled = lines.map((line, index) => ({ line, index })).filter(({ line }) => !isBlank(line));
    if (filled.length < 3) return undefined;
    const moved = filled[1]?.index ?? 0;
    const odd = lines.map((line, index) => (index === moved ? `   ${line}` : line));
    return { file: whole(scene), oldText: join(odd), newText: join(scene.changed), expected: null };
  },
  'G01 letter missing': (scene) => {
    const at = scene.block.lines.findIndex((line) => /[a-z]{5}/.test(line));
    if (at === -1) return undefined;
    const typo = scene.block.lines.map((line, index) =>
      index === at ? line.replace(/([a-z]{2})[a-z]([a-z]{2})/, '$1$2') : line,
    );
    return { file: whole(scene), oldText: join(typo), newText: join(scene.changed), expected: null };
  },
};
