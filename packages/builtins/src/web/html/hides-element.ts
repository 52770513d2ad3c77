import { degreesOf, pixelsOf, quantitiesOf, readColor, shareOf, simplifySums, type Quantity } from './css-values.ts';
import type { Declaration } from './read-declarations.ts';

/** Maximum size in pixels that is too small to show readable text. */
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

/** Properties that hide an element and its content on their own. */
const hiding: Readonly<Record<string, Predicate>> = {
  display: isOneOf('none'),
  'content-visibility': isOneOf('hidden'),
  opacity: isTransparent,
  filter: (value) => functionsOf(value).some(([name, given]) => isFilteredAway(name, given)),
  mask: isBlank,
  'mask-image': isBlank,
  rotate: (value) => /^[xy]\b/.test(value) && quantitiesOf(value).some(isEdgeOn),
  'letter-spacing': (value) =>
    quantitiesOf(value).some((one) => (one.unit === 'em' ? one.amount <= -0.4 : (pixelsOf(one) ?? 0) <= -12)),
  zoom: (value) => value !== '0' && isShrunk(value),
  scale: isShrunk,
  transform: (value) => functionsOf(value).some(([name, given]) => isTransformedAway(name, given)),
  clip: (value) => functionsOf(value).some(([name, given]) => name === 'rect' && isTiny(given)),
  'clip-path': (value) => functionsOf(value).some(([name, given]) => isClippedAway(name, given)),
};
const sides = ['left', 'right', 'top', 'bottom'];
const edges = ['margin', 'padding', 'inset'].flatMap((name) => [`${name}-inline`, `${name}-block`]);
/** Properties that move text off the screen. */
const moving: ReadonlySet<string> = new Set([
  ...sides.flatMap((side) => [side, `margin-${side}`, `padding-${side}`]),
  ...edges.flatMap((edge) => [edge, `${edge}-start`, `${edge}-end`]),
  'margin',
  'inset',
  'translate',
  'text-indent',
  'word-spacing',
]);

/** Properties that hide the content of an element if its overflow is hidden. */
const narrowing: ReadonlySet<string> = new Set(
  ['height', 'width', 'block-size', 'inline-size'].flatMap((name) => [name, `max-${name}`]).concat('line-height'),
);

/** Returns whether declarations hide an element with its content, regardless of the declarations of its children. */
export function hidesElement(element: string, declarations: readonly Declaration[]): boolean {
  let [color, paper]: (string | undefined)[] = [];
  let isIndented = false;
  let isNarrow = false;
  let isClipped = false;
  let isTurned = false;
  let isBackHidden = false;
  for (const { property, value: given } of declarations) {
    const value = simplifySums(given);
    const name = property.replace(/^-(?:webkit|moz|ms|o)-/, '');
    if (moving.has(name) ? isOff(value) : Object.hasOwn(hiding, name) && hiding[name]!(value)) return true;
    if (name === 'color') color = value;
    if (name === 'background' || name === 'background-color') paper = value;
    isIndented ||=
      name === 'text-indent' && quantitiesOf(value).some(({ amount, unit }) => unit === '%' && amount >= 100);
    isNarrow ||= narrowing.has(name) && isTiny(value);
    isClipped ||= /^overflow(?:-[xy]|-block|-inline)?$/.test(name) && /hidden|clip|scroll|auto/.test(value);
    isClipped ||= name === 'contain' && /strict|content|paint/.test(value);
    isTurned ||= name === 'transform' && /rotate[xy]?\(\s*-?180deg|rotate[xy]?\(\s*-?0?\.5turn/.test(value);
    isBackHidden ||= name === 'backface-visibility' && value === 'hidden';
  }
  if (color !== undefined && color === paper && !/^(?:inherit|initial|unset|revert|currentcolor)|var\(/.test(color))
    return true;
  const hasBox = element === 'img' || element === 'marquee';
  return (isNarrow && (isClipped || hasBox)) || (isIndented && isClipped) || (isTurned && isBackHidden);
}

/** Returns whether a value contains numbers and all of them satisfy a condition. */
function allOf(value: string, is: (quantity: Quantity) => boolean): boolean {
  const quantities = quantitiesOf(value);
  return quantities.length > 0 && quantities.every(is);
}

function functionsOf(value: string): readonly (readonly [name: string, given: string])[] {
  return [...value.matchAll(/([a-z\d-]+)\(([^()]*)/g)].map(([, name = '', given = '']) => [name, given] as const);
}

/**
 * An offset of half the page width is often used for centering. More than the full width moves an element off the
 * screen.
 */
function isOffScreen(one: Quantity): boolean {
  const length = pixelsOf(one);
  if (length !== undefined) return one.unit !== '' && (length <= -800 || length >= 3_000);
  if (one.unit === '%') return one.amount <= -100 || one.amount >= 300;
  return /^[sld]?v(?:w|h|min|max|i|b)$/.test(one.unit) && (one.amount <= -100 || one.amount >= 100);
}

function isTransformedAway(name: string, given: string): boolean {
  if (name.startsWith('translate')) return isOff(given);
  if (name.startsWith('scale')) return isShrunk(given);
  if (/^(?:rotate[xy]|rotate3d|skew[xy]?)$/.test(name))
    return (name !== 'rotate3d' || quantitiesOf(given)[2]?.amount === 0) && quantitiesOf(given).some(isEdgeOn);
  const [first, second, third, fourth] = quantitiesOf(given);
  if (name === 'matrix3d') {
    const [a = 0, b = 0, , , c = 0, d = 0] = quantitiesOf(given).map(({ amount }) => amount);
    return Math.abs(a * d - b * c) <= 0.01;
  }
  if (name !== 'matrix' || !first || !second || !third || !fourth) return false;
  return Math.abs(first.amount * fourth.amount - second.amount * third.amount) <= 0.01;
}

/** Returns whether a rotation by this angle shows only the edge of an element. */
function isEdgeOn(one: Quantity): boolean {
  const angle = degreesOf(one);
  return angle !== undefined && Math.abs((Math.abs(angle) % 180) - 90) < 2;
}

function isFilteredAway(name: string, given: string): boolean {
  if (name === 'opacity' || name === 'contrast') return isTransparent(given);
  return name === 'blur' && quantitiesOf(given).some((one) => (pixelsOf(one) ?? 0) >= 8);
}

/** Returns whether all colours of a mask are transparent. */
function isBlank(value: string): boolean {
  const words = [...value.matchAll(/#[\da-f]+|(?:rgb|hsl)a?\([^()]*\)|(?<![\w#-])[a-z]+(?![\w(-])/g)];
  const colors = words.map(([word]) => readColor(word)).filter((color) => color !== undefined);
  return colors.length > 0 && colors.every(([, , , alpha]) => alpha <= maxUnreadableOpacity);
}

function isClippedAway(name: string, given: string): boolean {
  const quantities = quantitiesOf(given);
  if (name === 'inset')
    return quantities.some(({ amount, unit }) => unit === '%' && amount >= 50) || quantities.some(isOffScreen);
  if (name === 'circle' || name === 'ellipse') return isTiny(given.split('at')[0]!);
  if (name === 'rect') return isTiny(given);
  if (name === 'xywh')
    return quantities.slice(2, 4).some((one) => (pixelsOf(one) ?? one.amount) <= maxUnreadablePixels);
  return name === 'polygon' && allOf(given, ({ amount }) => amount <= 0 || amount === quantities[0]!.amount);
}
