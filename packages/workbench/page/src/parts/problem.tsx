/** Why data is missing, or that it is loading. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? (
    <p className="notice quiet">Loading…</p>
  ) : (
    <p className="notice bad" role="alert">
      {text}
    </p>
  );
}
