import { Problem } from '../parts/problem.tsx';

/** Why the program did not take an action; nothing for an empty text. */
export function Refusal({ text }: { readonly text: string }) {
  return text === '' ? null : <Problem text={text} />;
}
