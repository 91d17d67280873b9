import { counted, countText } from '../../core/text/words.ts';
import { Fragment, useId, useMemo, useState } from 'react';
import type { Watch } from '../../engine/bridge/service.ts';
import type { MatrixPreview } from '../../engine/matrix/preview.ts';
import type { TensorChoice } from '../../state/index.ts';
import type { TensorInfo } from '../../engine/matrix/matrix-types.ts';
import { bytes, percent, shape } from '../../kit/words/quantity.ts';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { Field } from '../../kit/controls/Field.tsx';
import { type Job, useJob } from '../../kit/use-job.ts';
import { JobProgress } from '../../kit/controls/JobProgress.tsx';
import { largest } from '../../core/number/statistics.ts';
import { Button } from '../../kit/controls/Button.tsx';
import { classes } from '../../kit/primitives/classes.ts';
import { Problem } from '../../kit/primitives/Text.tsx';

/** Size of the histogram, in units of its drawing. */
const WIDTH = 320;
const HEIGHT = 64;

/** The preview of a tensor, or its progress or error. */
function TensorPreview({ preview: { job, error, data, cancel } }: { readonly preview: Job<MatrixPreview> }) {
  if (job) return <JobProgress job={job} onCancel={cancel} />;
  if (error !== null) return <Problem>{error}</Problem>;
  return data && <TensorFacts {...data} />;
}

/** What a preview found in a tensor: its shape, zeros, N:M patterns, and magnitudes. */
export function TensorFacts({ rows, cols, zeroShare, histogram, patterns }: MatrixPreview) {
  return (
    <section className="grid gap-3" aria-label="What is inside">
      <dl className="facts">
        <dt>rows × cols</dt>
        <dd>{shape(rows, cols)}</dd>
        <dt>zeros</dt>
        <dd>{shareOrAll(zeroShare)}</dd>
        {patterns.map(({ kept, group, share }) => (
          <Fragment key={`${kept}:${group}`}>
            <dt>
              groups within {kept}:{group}
            </dt>
            <dd>{shareOrAll(share)}</dd>
          </Fragment>
        ))}
      </dl>
      <Histogram {...histogram} />
    </section>
  );
}

/** A share of cells or groups as text: 'all' only if it is exactly 1. */
function shareOrAll(share: number): string {
  if (share === 1) return 'all';
  return share > 0.9995 ? `>${percent(0.999)}` : percent(share);
}

/** A histogram of magnitudes, with a bar for each power of two. */
function Histogram({ firstExponent, counts }: { readonly firstExponent: number; readonly counts: readonly number[] }) {
  if (counts.length === 0) return null;
  const max = largest(counts);
  const step = WIDTH / counts.length;
  const last = firstExponent + counts.length;
  const fullestExponent = firstExponent + counts.indexOf(max);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="w-full h-16 fill-accent"
        role="img"
        aria-label={`Magnitudes from 2 to the ${firstExponent} to 2 to the ${last}, most from 2 to the ${fullestExponent}`}
      >
        {counts.map((n, i) => {
          const height = n === 0 ? 0 : Math.max(1, (HEIGHT * n) / max);
          return (
            <rect
              key={firstExponent + i}
              x={i * step}
              y={HEIGHT - height}
              width={Math.max(1, step - 1)}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption className="text-quiet flex justify-between text-12">
        <span>
          |value| 2<sup>{firstExponent}</sup>
        </span>
        <span>
          2<sup>{last}</sup>
        </span>
      </figcaption>
    </figure>
  );
}

/** Maximum number of tensors in the list; a search finds the others. */
const MAX_LISTED = 300;

interface TensorBrowserProps {
  readonly choice: TensorChoice;
  readonly onPreview: (tensor: string, watch: Watch) => Promise<MatrixPreview>;
  readonly onOpen: (tensor: string) => void;
  readonly onClose: () => void;
}

/** The dialog in which the user finds a tensor of a file by name, previews it and opens it. */
export function TensorBrowser({ choice, onPreview, onOpen, onClose }: TensorBrowserProps) {
  const id = useId();
  const [query, setQuery] = useState('');
  const [chosenName, setChosenName] = useState<string | null>(null);
  const { tensors } = choice;
  const matches = useMemo(() => findTensors(tensors, query), [tensors, query]);
  const tensor = tensors.find(({ name }) => name === chosenName) ?? null;

  // Another file may have a tensor of the same name, so `id` ties a preview to this dialog.
  const preview = useJob<MatrixPreview>(
    chosenName === null ? null : ['Reading the tensor', id, chosenName],
    (watch) => onPreview(chosenName ?? '', watch),
    { manual: true, cancelWhenUnmounted: true },
  );

  return (
    <Dialog title="Choose a tensor" onClose={onClose}>
      <div className="dialog-body grid gap-3">
        <Field label={`Search ${counted(tensors.length, 'tensor')}`}>
          {(control) => (
            <input
              {...control}
              className="input"
              type="search"
              autoComplete="off"
              spellCheck={false}
              placeholder="layers.0 down_proj"
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
          )}
        </Field>
        <fieldset
          className="max-h-60 overscroll-contain border border-hairline overflow-auto rounded-md p-0"
          aria-label="Tensors"
        >
          {matches.slice(0, MAX_LISTED).map((t) => (
            <label
              key={t.name}
              className={classes(
                'grid grid-cols-[auto_1fr] items-baseline gap-x-2 px-3 py-2 border-hairline not-first:border-t hover:bg-sunken has-checked:bg-sunken has-checked:shadow-[inset_2px_0_var(--accent)]',
                t.refused === null ? 'cursor-pointer' : 'text-muted',
              )}
            >
              <input
                className="row-span-2"
                type="radio"
                name={`${id}-tensor`}
                checked={t.name === chosenName}
                disabled={t.refused !== null}
                onChange={() => setChosenName(t.name)}
              />
              <span className="wrap-anywhere">{t.name}</span>
              <span className="text-muted text-12 number col-2">{factsOf(t)}</span>
              {t.refused !== null && <span className="text-muted text-12 col-2">{t.refused}</span>}
            </label>
          ))}
        </fieldset>
        <p className="text-quiet" role="status">
          {matches.length > MAX_LISTED
            ? `${countText(matches.length)} found, the first ${MAX_LISTED} are shown.`
            : `${countText(matches.length)} found.`}
        </p>
        <TensorPreview preview={preview} />
        {/* Stays visible below a long list. */}
        <div className="flex justify-end gap-2 sticky bg-ground border-t border-hairline bottom-0 -mb-5 py-3">
          <Button disabled={tensor === null || preview.job !== null} onClick={preview.start}>
            Look inside
          </Button>
          <Button kind="solid" disabled={tensor === null} onClick={() => tensor && onOpen(tensor.name)}>
            Open
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The tensors whose names contain every word of the query, in any case. */
function findTensors(tensors: readonly TensorInfo[], query: string): readonly TensorInfo[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0
    ? tensors
    : tensors.filter(({ name }) => words.every((w) => name.toLowerCase().includes(w)));
}

/** Shape, type and bytes of a tensor: '4096 × 11008 · F16 · 90.2 MB' */
export function factsOf({ shape, dtype, bytes: size }: TensorInfo): string {
  return [shape.map(countText).join(' × '), dtype, size > 0 ? bytes(size) : '']
    .filter((text) => text !== '')
    .join(' · ');
}
