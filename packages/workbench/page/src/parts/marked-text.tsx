import type { TextFinding } from '../../../src/contract/page-data.ts';
import { visible } from './code-block.tsx';

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly look: string;
  readonly title: string;
}

/** A text with its calls, repairs and refused calls marked. */
export function MarkedText({ text, findings }: { readonly text: string; readonly findings: readonly TextFinding[] }) {
  const marks = marksOf(findings);
  const cuts = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .sort((a, b) => a - b);
  return (
    <pre className="marked" tabIndex={0} aria-label="The text with its calls marked">
      {cuts.slice(0, -1).map((start, index) => {
        const end = cuts[index + 1]!;
        const over = marks.filter((mark) => mark.start <= start && mark.end >= end);
        const words = visible(text.slice(start, end));
        if (over.length === 0) return <span key={start}>{words}</span>;
        const title = over.map((mark) => mark.title).join('\n');
        return (
          <mark key={start} className={over.map(({ look }) => look).join(' ')} title={title}>
            {words}
          </mark>
        );
      })}
    </pre>
  );
}

function marksOf(findings: readonly TextFinding[]): readonly Mark[] {
  return findings.flatMap((finding) => [
    {
      start: finding.start,
      end: finding.end,
      look: finding.kind,
      title: finding.kind === 'call' ? `call of ${finding.name} (${finding.form})` : `refused: ${finding.form}`,
    },
    ...finding.repairs.map((repair) => ({
      start: repair.start,
      end: repair.end,
      look: 'repair',
      title: repair.message,
    })),
  ]);
}
