import type { CallableTool } from '@haft/repair';
import { useEffect, useMemo, useRef, useState } from 'react';
import { readSchema, readTools, type Declared } from './model/declarations.ts';
import { readText, type Reading } from './model/read-text.ts';
import type { TextState } from './model/text-state.ts';

/** The data that the page shows of a text. */
export interface ShownReading {
  /** The text that was read. */
  readonly text: string;
  readonly reading?: Reading;
  /** Why the text can't be read with these declarations. */
  readonly problem?: string;
}

/** A reading, and problems of the declared tools and schema. */
export interface TextReading {
  readonly shown: ShownReading;
  readonly toolsProblem: string;
  readonly schemaProblem: string;
}

/** Texts up to this length are read on every key; longer ones when typing pauses. */
const readAtOnce = 20_000;

/** Reads the first characters of a text in this page. Nothing is sent to the program. */
export function useReading(
  { text, tools, schema, stopped }: TextState,
  length: number,
  ofProgram: readonly CallableTool[],
): TextReading {
  const declaredTools = useLastValid(useMemo(() => readTools(tools), [tools]));
  const declaredSchema = useLastValid(useMemo(() => readSchema(schema), [schema]));
  const callable = tools === '' ? ofProgram : (declaredTools.value ?? ofProgram);
  const shownText = text.slice(0, length);
  const isShort = shownText.length <= readAtOnce;
  const answer = (): ShownReading => {
    try {
      const reading = readText({ text: shownText, stopped, schema: declaredSchema.value, tools: callable });
      return { text: shownText, reading };
    } catch (error) {
      // Thrown for declarations only, such as JSON that is not a schema. The text itself never throws.
      return { text: shownText, problem: error instanceof Error ? error.message : String(error) };
    }
  };
  const inputs = [shownText, stopped, declaredSchema.value, callable] as const;
  const atOnce = useMemo(() => (isShort ? answer() : undefined), inputs);
  const [later, setLater] = useState<ShownReading>({ text: '' });
  const lastMs = useRef(0);
  useEffect(() => {
    if (isShort) return undefined;
    const timer = setTimeout(
      () => {
        const next = answer();
        lastMs.current = next.reading?.milliseconds ?? 0;
        setLater(next);
      },
      // Waits so long that reading takes at most a third of the time, however slow the machine.
      Math.min(Math.max(150, lastMs.current * 2), 2_000),
    );
    return () => clearTimeout(timer);
  }, inputs);
  return { shown: atOnce ?? later, toolsProblem: declaredTools.problem, schemaProblem: declaredSchema.problem };
}

/** Keeps the last valid value of a field while its text is not valid. */
function useLastValid<Value>(declared: Declared<Value>): {
  readonly value: Value | undefined;
  readonly problem: string;
} {
  const last = useRef<Value | undefined>(undefined);
  if (declared.ok) last.current = declared.value;
  return {
    value: last.current,
    problem: declared.ok ? '' : `${declared.problem} Until then, the last valid value is used.`,
  };
}
