/** The reason that the model reads of a denial. */
export function ReasonInput({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <input
      value={value}
      placeholder="Reason for the model (optional)"
      aria-label="Reason for the model (optional)"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
