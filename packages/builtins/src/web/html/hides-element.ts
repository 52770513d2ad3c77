import { pixelsOf, quantitiesOf, shareOf, type Quantity } from './css-values.ts';
import type { Declaration } from './read-declarations.ts';

/** Sizes up to this many pixels show nothing that could be read. */
export const maxUnreadablePixels = 2;
const maxUnreadableOpacity = 0.1;
const maxUnreadableScale = 0.1;

type Predicate = (value: string) => boolean;

const hasVariable = (value: string): boolean => /\b(?:var|env|attr|if)\(/.test(value);
const isOneOf =
  (...words: readonly string[]): Predicate =>
  (value) =>
    words.includes(value) || hasVariable(value);
const isTransparent: Predicate = (value) =>
  hasVariable(value) || (value !== '' && allOf(value, (one) => shareOf(one) <= maxUnreadableOpacity));
const isOff: Predicate = (value) => quantitiesOf(value).some(isOffScreen);
const isShrunk: Predicate = (value) => quantitiesOf(value).some((one) => Math.abs(shareOf(one)) <= maxUnreadableScale);
const isTiny: Predicate = (value) =>
  allOf(value, (one) => {
    const size = pixelsOf(one);
    return size === undefined ? one.amount <= 0.2 : size <= maxUnreadablePixels;
  });

/** Properties that hide an element with all that is in it, by themselves. */
const hiding: Readonly<Record<string, Predicate>> = {
  display: isOneOf('none'),
  'content-visibility': isOneOf('hidden'),
  opacity: isTransparent,
  filter: (value) => functionsOf(value).some(([name, given]) => name === 'opacity' && isTransparent(given)),
  zoom: (value) => value !== '0' && isShrunk(value),
  scale: isShrunk,
  transform: (value) => functionsOf(value).some(([name, given]) => isTransformedAway(name, given)),
  clip: (value) => functionsOf(value).some(([name, given]) => name === 'rect' && isTiny(given)),
  'clip-path': (value) => functionsOf(value).some(([name, given]) => isClippedAway(name, given)),
};
const sides = ['left', 'right', 'top', 'bottom'];
const edges = ['margin-inline', 'margin-block', 'inset-inline', 'inset-block'];
/** Properties that move text off the screen. */
const moving: ReadonlySet<string> = new Set([
  ...sides.flatMap((side) => [side, `margin-${side}`]),
  ...edges.flatMap((edge) => [edge, `${edge}-start`, `${edge}-end`]),
  'margin',
  'inset',
  'translate',
  'text-indent',
  'letter-spacing',
  'word-spacing',
]);

/** Properties that hide what is in an element if that may not overflow. */
const narrowing: ReadonlySet<string> = new Set(
  ['height', 'width', 'block-size', 'inline-size'].flatMap((name) => [name, `max-${name}`]).concat('line-height'),
);

/** Whether declarations hide an element with all that is in it, whatever is said of the elements in it. */
export function hidesElement(declarations: readonly Declaration[]): boolean {
  let isNarrow = false;
  let isClipped = false;
  let isTurned = false;
  let isBackHidden = false;
  for (const { property, value } of declarations) {
    const name = property.replace(/^-(?:webkit|moz|ms|o)-/, '');
    if (moving.has(name) ? isOff(value) : Object.hasOwn(hiding, name) && hiding[name]!(value)) return true;
    isNarrow ||= narrowing.has(name) && isTiny(value);
    isClipped ||= /^overflow(?:-[xy]|-block|-inline)?$/.test(name) && /hidden|clip|scroll|auto/.test(value);
    isTurned ||= name === 'transform' && /rotate[xy]?\(\s*-?180deg|rotate[xy]?\(\s*-?0?\.5turn/.test(value);
    isBackHidden ||= name === 'backface-visibility' && value === 'hidden';
  }
  return (isNarrow && isClipped) || (isTurned && isBackHidden);
}

/** Whether all numbers in a value are such; there has to be one. */
function allOf(value: string, is: (quantity: Quantity) => boolean): boolean {
  const quantities = quantitiesOf(value);
  return quantities.length > 0 && quantities.every(is);
}

function functionsOf(value: string): readonly (readonly [name: string, given: string])[] {
  return [...value.matchAll(/([a-z\d-]+)\(([^()]*)/g)].map(([, name = '', given = '']) => [name, given] as const);
}

/** Half of the width of a page is a usual way to the middle; more than all of it leads out. */
function isOffScreen(one: Quantity): boolean {
  const length = pixelsOf(one);
  if (length !== undefined) return one.unit !== '' && (length <= -800 || length >= 3_000);
  if (one.unit === '%') return one.amount <= -100 || one.amount >= 300;
  return /^[sld]?v(?:w|h|min|max|i|b)$/.test(one.unit) && (one.amount <= -100 || one.amount >= 100);
}

function isTransformedAway(name: string, given: string): boolean {
  if (name.startsWith('translate')) return isOff(given);
  if (name.startsWith('scale')) return isShrunk(given);
  const [first, second, third, fourth] = quantitiesOf(given);
  if (name === 'matrix') return Math.abs(first!.amount * fourth!.amount - second!.amount * third!.amount) <= 0.01;
  return /^rotate[xy]$/.test(name) && first !== undefined && /^-?(?:90|270)deg$|^-?0?\.[27]5turn$/.test(given.trim());
}

function isClippedAway(name: string, given: string): boolean {
  const quantities = quantitiesOf(given);
  if (name === 'inset')
    return quantities.some(({ amount, unit }) => unit === '%' && amount >= 50) || quantities.some(isOffScreen);
  if (name === 'circle' || name === 'ellipse') return isTiny(given.split('at')[0]!);
  return name === 'polygon' && allOf(given, ({ amount }) => amount === quantities[0]!.amount);
}
