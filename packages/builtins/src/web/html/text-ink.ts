import { isSameColor, pixelsOf, quantitiesOf, readColor, shareOf, simplifySums, type Color } from './css-values.ts';
import { maxUnreadablePixels } from './hides-element.ts';
import type { Declaration } from './read-declarations.ts';

/** The inherited text style of an element, as far as attributes determine it. */
export interface Ink {
  readonly isVisible: boolean;
  readonly fontPixels: number;
  /** The scale factor of all surrounding elements together. */
  readonly scale: number;
  /** The opacity of all surrounding elements together. */
  readonly opacity: number;
  readonly color: Color | Unread;
  /** The background of the nearest element that has one. */
  readonly background: Color | Unread;
  readonly variables: ReadonlyMap<string, string>;
}

/** A colour that no attribute sets, or one that can't be parsed. */
type Unread = 'unset' | 'unknown';

const maxVariables = 100;
const maxValueLength = 1_000;
const black: Color = [0, 0, 0, 1];
const white: Color = [255, 255, 255, 1];

/** The ink of text outside all elements. */
export const plainInk: Ink = {
  isVisible: true,
  fontPixels: 16,
  scale: 1,
  opacity: 1,
  color: 'unset',
  background: 'unset',
  variables: new Map(),
};

/**
 * Returns whether users can read a text: it is visible, large enough, and its colour differs from the background.
 * Without style sheets, the default is black on white.
 */
export function isLegible(
  { isVisible, fontPixels, scale, opacity, color, background }: Ink,
  hasStyleSheets: boolean,
): boolean {
  if (!isVisible || fontPixels * scale <= maxUnreadablePixels || opacity <= 0.1) return false;
  const ink = color === 'unset' && !hasStyleSheets ? black : color;
  const paper = background === 'unset' && !hasStyleSheets ? white : background;
  if (typeof ink === 'string') return true;
  return ink[3] > 0.1 && (typeof paper === 'string' || !isSameColor(ink, paper));
}

/** Returns the ink inside an element. */
export function inkWithin(
  outer: Ink,
  name: string,
  { color: fontColor, text, bgcolor }: Readonly<Record<string, string>>,
  declarations: readonly Declaration[],
): Ink {
  let { isVisible, fontPixels, scale, opacity, color, background } = outer;
  // Browsers use their own colours for links and marked text.
  if (name === 'a') color = 'unknown';
  if (name === 'mark') background = 'unknown';
  if (name === 'font') color = readLegacyColor(fontColor) ?? color;
  if (name === 'body') color = readLegacyColor(text) ?? color;
  background = readLegacyColor(bgcolor) ?? background;
  let [isColored, isFilled, isPainted] = [false, false, false];
  for (const { property, value } of declarations) {
    if (property === 'visibility') {
      if (value === 'visible') isVisible = true;
      else if (/^(?:hidden|collapse)$|var\(/.test(value)) isVisible = false;
    } else if ((property === 'color' && !isFilled) || property === '-webkit-text-fill-color') {
      const found = value === 'inherit' || value === 'currentcolor' ? outer.color : readColor(value);
      // If browsers don't know a value, the previous value stays in effect.
      if (found !== undefined || !isColored) color = found ?? 'unknown';
      isColored = true;
      isFilled ||= property !== 'color';
    } else if (property === 'font-size' || property === 'font') {
      const size = property === 'font' ? sizeInFont(value) : value;
      fontPixels = readFontSize(size, outer.fontPixels) ?? fontPixels;
    } else if (property === 'opacity') opacity = outer.opacity * readShare(value);
    else if (property === 'zoom' || property === 'scale') scale = outer.scale * readShare(value);
    else if (property === 'transform') {
      const shrunk = /\bscale(?:3d|x|y)?\(([^()]*)\)/.exec(value)?.[1];
      if (shrunk !== undefined) scale = outer.scale * readShare(shrunk);
    } else if (property === 'background' || property === 'background-color') {
      const found = colorIn(value);
      // A transparent background shows the background behind it.
      if (found ? found[3] > 0.9 : !isPainted && !/^(?:none|inherit|initial|unset)$/.test(value))
        background = found ?? 'unknown';
      isPainted = true;
    }
  }
  return { isVisible, fontPixels, scale, opacity, color, background, variables: outer.variables };
}

/** Returns the smallest factor below one in a value, or 1 if it contains no such factor. */
function readShare(value: string): number {
  return Math.min(1, ...quantitiesOf(simplifySums(value)).map((one) => Math.abs(shareOf(one))));
}

/** Adds the custom properties of the declarations to those of an ink, and resolves references to them. */
export function applyVariables(
  outer: Ink,
  declarations: readonly Declaration[],
): { readonly ink: Ink; readonly declarations: readonly Declaration[] } {
  const own = declarations.filter(({ property }) => property.startsWith('--'));
  if (own.length === 0 && !declarations.some(({ value }) => value.includes('var(')))
    return { ink: outer, declarations };
  const variables = new Map(outer.variables);
  for (const { property, value } of own)
    if (variables.size < maxVariables && value.length <= maxValueLength) variables.set(property, value);
  const fill = (value: string, rounds: number): string => {
    if (rounds === 0 || value.length > maxValueLength || !value.includes('var(')) return value;
    const filled = value.replace(
      /\bvar\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
      (whole, name: string, instead?: string) => variables.get(name) ?? instead?.trim() ?? whole,
    );
    return filled === value ? value : fill(filled, rounds - 1);
  };
  return {
    ink: { ...outer, variables },
    declarations: declarations.map(({ property, value }) => ({ property, value: fill(value, 4).trim() })),
  };
}

/** Returns the colour in the shorthand `background`. */
function colorIn(value: string): Color | undefined {
  for (const [word] of value.matchAll(/#[\da-f]+|(?:rgb|hsl)a?\([^()]*\)|(?<![\w#-])[a-z]+(?![\w(-])/g)) {
    const color = readColor(word);
    if (color) return color;
  }
  return undefined;
}

function readLegacyColor(given: string | undefined): Color | undefined {
  const value = given?.trim().toLowerCase();
  return value === undefined ? undefined : (readColor(value) ?? readColor(`#${value}`));
}

/**
 * Returns a length in pixels. For a function with several lengths, returns the largest. Returns undefined if there is
 * no length.
 */
function readFontSize(value: string, outer: number): number | undefined {
  const sizes = quantitiesOf(value).map((one) => {
    if (one.unit === 'em' || one.unit === '%') return (one.amount * outer) / (one.unit === 'em' ? 1 : 100);
    return pixelsOf(one) ?? one.amount * 10;
  });
  const isTimesZero = /\*\s*0(?![\d.])|(?<![\d.])0\s*\*/.test(value);
  return sizes.length === 0 ? undefined : isTimesZero ? 0 : Math.max(...sizes);
}

/** Returns the size in the shorthand `font`: the first length that is not a weight. */
function sizeInFont(value: string): string {
  return (
    value
      .split('/')[0]!
      .split(' ')
      .find((word) => /^[+-]?(?:0+(?:\.0+)?$|[\d.]+(?:e[+-]?\d+)?[a-z%]|calc\()/.test(word)) ?? ''
  );
}
