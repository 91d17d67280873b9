import type { BenchReport } from '../../../core/report.ts';
import { isUntimedSoftware } from '../../../kit/report/report-view.ts';

/** Notes shown at once; the rest are a click away. */
const SHOWN = 3;

interface RunNotesProps {
  readonly reports: readonly BenchReport[];
  /** the report on show, whose notes come first */
  readonly report: BenchReport;
}

/** What a reader of a run should know. */
export function RunNotes({ reports, report }: RunNotesProps) {
  // The sentence above says it already.
  const said = isUntimedSoftware(report) ? /^software adapter/i : /^$/;
  const notes = [...new Set([report, ...reports].flatMap((r) => r.notes))].filter((note) => !said.test(note));
  const shown = notes.length > SHOWN + 1 ? notes.slice(0, SHOWN) : notes;
  const more = notes.slice(shown.length);
  return (
    <>
      <NoteList notes={shown} />
      {more.length > 0 && (
        <details className="disclosure">
          <summary>{more.length} more notes</summary>
          <NoteList notes={more} />
        </details>
      )}
    </>
  );
}

function NoteList({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="matrix-notes bench-notes" aria-label="Notes on this run">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
