import { useRef, useState } from 'react';
import { visible } from '../data/visible.ts';

interface OpenFileProps {
  /** Text of the button. */
  readonly label: string;
  /** What the file is, such as `File with a recording`. */
  readonly fileLabel: string;
  /** Uses the file. An error is shown beside the name of the file. */
  readonly onOpen: (name: string, text: string) => void | Promise<void>;
}

/** A button that opens a file of lines. */
export function OpenFile({ label, fileLabel, onOpen }: OpenFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState('');
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setProblem('');
    try {
      await onOpen(file.name, await file.text());
    } catch (error) {
      setProblem(`${file.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (input.current !== null) input.current.value = '';
  };
  return (
    <>
      <p>
        <button type="button" className="small" onClick={() => input.current?.click()}>
          {label}
        </button>
        <input
          ref={input}
          className="unseen"
          type="file"
          tabIndex={-1}
          accept=".jsonl,.json,.txt"
          aria-label={fileLabel}
          onChange={(event) => void open(event.target.files?.[0])}
        />
      </p>
      {problem !== '' && (
        <p className="notice bad" role="alert">
          {visible(problem)}
        </p>
      )}
    </>
  );
}
