import { useApp, useCurrentFormat, useDocument, useFirstOpening, useSession } from '../../../kit/app-context.ts';
import type { WorkedExample } from '../../../core/format.ts';
import { baseOf, type FormatParams } from '../../../state/index.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { MatrixView, useOpenMatrix } from '../../../kit/matrix/MatrixView.tsx';
import { ParamForm } from '../../../kit/forms/ParamForm.tsx';
import { PruneControl } from './PruneControl.tsx';
import { SaveMenu } from './SaveMenu.tsx';
import { Statistics } from './Statistics.tsx';
import { Section, SectionHead } from '../../../kit/controls/Section.tsx';
import { Select } from '../../../kit/controls/Select.tsx';

/** The matrix: its source, its picture, its figures, and the format's parameters. */
export function MatrixPanel() {
  const summary = useSession((s) => s.summary);
  const waiting = useFirstOpening();
  const matrix = useOpenMatrix();
  return (
    <>
      <Section label="Matrix">
        <SourceHead />
        <MatrixView of={matrix} />
        {summary && <Statistics summary={summary} />}
        {summary && <SaveMenu />}
      </Section>
      <Prune />
      {!waiting && <FormatParams />}
    </>
  );
}

function SourceHead() {
  const { catalog, session } = useApp();
  const { openChooser } = useShell();
  const source = useDocument((doc) => baseOf(doc.source));
  const name = useSession((s) => s.summary?.name ?? null);
  const listed = source.kind === 'example' && catalog.examples.some((e) => e.id === source.id);
  return (
    <>
      <SectionHead
        id="matrix-title"
        title="Matrix"
        action={
          <>
            {'tensor' in source && (
              <button
                type="button"
                className="text-button"
                aria-haspopup="dialog"
                onClick={() => void session.browseTensors()}
              >
                tensors
              </button>
            )}
            <button type="button" className="text-button" aria-haspopup="dialog" onClick={openChooser}>
              change
            </button>
          </>
        }
      />
      <Select
        aria-label="Matrix on the stage"
        value={listed && source.kind === 'example' ? source.id : ''}
        options={[
          ...(listed ? [] : [{ value: '', label: name ?? 'none yet' }]),
          ...catalog.examples.map(({ id, title }) => ({ value: id, label: title })),
          { value: OTHER, label: 'generate or open another …' },
        ]}
        onChange={(id) => {
          if (id === OTHER) openChooser();
          else if (id !== '') void session.openExample(id);
        }}
      />
    </>
  );
}

const OTHER = ' other';

function Prune() {
  const { catalog, session } = useApp();
  const source = useDocument((doc) => doc.source);
  const base = baseOf(source);
  const hasInputs = base.kind === 'example' && catalog.examples.some((e) => e.id === base.id && e.inputs !== undefined);
  const density = useSession((s) => s.summary?.density ?? null);
  const busy = useSession((s) => s.opening !== null);
  const previewing = useSession((s) => s.previewing);
  if (density === null) return null;
  return (
    <section className="prune" aria-label="Pruning">
      <PruneControl
        pruning={source.kind === 'pruned' ? source.pruning : null}
        density={density}
        busy={busy}
        hasInputs={hasInputs}
        onChange={(pruning) => void session.prune(pruning)}
        previewing={previewing}
        onPreview={(pruning) => session.previewPruning(pruning)}
      />
    </section>
  );
}

/** A description of the format, its publication, and examples to follow by hand. */
function About() {
  const { catalog, session } = useApp();
  const format = useCurrentFormat();
  const source = useDocument((doc) => doc.source);
  const examples = (format.examples ?? []).filter((worked) => catalog.examples.some(({ id }) => id === worked.id));
  const open = async (worked: WorkedExample<FormatParams>): Promise<void> => {
    await session.openExample(worked.id);
    for (const [name, value] of Object.entries(worked.params)) {
      if (value !== undefined) session.setParam(format.id, name, value);
    }
  };
  return (
    <div className="format-about">
      <p>{format.summary}</p>
      {format.source && (
        <p>
          <a href={format.source.url} target="_blank" rel="noreferrer">
            {format.source.title}
          </a>
          , {format.source.authors}, {format.source.year}
        </p>
      )}
      {examples.length > 0 && (
        <ul aria-label="Worked examples">
          {examples.map((worked) => (
            <li key={worked.id}>
              <button
                type="button"
                className="text-button"
                aria-pressed={source.kind === 'example' && source.id === worked.id}
                onClick={() => void open(worked)}
              >
                {worked.title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FormatParams() {
  const { session } = useApp();
  const format = useCurrentFormat();
  const params = useDocument((doc) => doc.params[doc.format]);
  const summary = useSession((s) => s.summary);
  if (Object.keys(format.params).length === 0) return null;
  return (
    <section className="format-params" aria-labelledby="params-title">
      <h2 id="params-title">{format.title}</h2>
      <ParamForm
        format={format}
        params={params ?? {}}
        shape={summary}
        onChange={(name, value) => session.setParam(format.id, name, value)}
      />
      <About />
    </section>
  );
}
