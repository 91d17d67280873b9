// The table of starters on the start page: the picture and the bytes of each.

import type { KeyboardEvent, SVGProps } from 'react';
import { largest } from '../../../../src/core/number/statistics.ts';
import { baselineFormat } from '../../../../src/formats/catalog.ts';
import { bytes } from '../../../../src/kit/words/quantity.ts';
import { type Starter, STARTERS } from '../../own/starters.ts';
import { LARGE_MATRIX, SMALL_MATRIX, type StarterMark, type StarterFigure, type MarkTone } from './starter-figure.ts';
import figures from './starter-figures.json';

/** The size of a starter's picture, px. */
const WIDTH = 120;
const HEIGHT = 56;

const TONE_STYLES: Readonly<Record<MarkTone, SVGProps<SVGPathElement>>> = {
  empty: { fill: 'var(--cell)' },
  line: { stroke: 'var(--indices)', strokeWidth: 0.75, opacity: 0.55 },
  padding: { stroke: 'var(--padding)', strokeWidth: 0.75 },
  'values-1': { fill: 'var(--values)', opacity: 0.5 },
  'values-2': { fill: 'var(--values)', opacity: 0.75 },
  'values-3': { fill: 'var(--values)' },
  index: { fill: 'var(--indices)' },
  run: { stroke: 'var(--indices)', strokeWidth: 1.25 },
  metadata: { fill: 'var(--metadata)' },
  outline: { stroke: 'var(--text)' },
};

/** A picture of the arrays in which a starter (the module of a well-known format) stores the small matrix. */
function StarterPicture({ marks }: { readonly marks: readonly StarterMark[] }) {
  return (
    <svg className="max-w-full" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {marks.map(({ tone, path }) => (
        <path key={tone} d={path} fill="none" {...TONE_STYLES[tone]} />
      ))}
    </svg>
  );
}

const FIGURES = figures as unknown as Readonly<Record<string, StarterFigure>>;
/** Bytes of the small matrix with every cell as f16. */
const DENSE_BYTES = SMALL_MATRIX.rows * SMALL_MATRIX.cols * 2;

interface StarterTableProps {
  readonly chosen: Starter;
  readonly onChoose: (starter: Starter) => void;
  readonly onBegin: (starter: Starter) => void;
}

/** The nine starters, each with a picture and the bytes of the small matrix, and the bytes of the larger matrix. */
export function StarterTable({ chosen, onChoose, onBegin }: StarterTableProps) {
  const max = largest(Object.values(FIGURES).map((figure) => figure.bytes));
  return (
    <section
      className="@container min-w-0 p-6 max-lg:px-3 max-lg:pt-4 max-lg:pb-8"
      aria-labelledby="own-starters-title"
    >
      <header className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="own-starters-title" className="text-15">
          Nine starters <span className="text-muted font-normal ms-2">all laws satisfied</span>
        </h2>
        <p className="flex flex-wrap gap-4 text-muted text-12" aria-hidden="true">
          {(['values', 'indices', 'metadata', 'padding'] as const).map((tone) => (
            <span key={tone}>
              <i className={`swatch bytes--${tone}`} /> {tone}
            </span>
          ))}
        </p>
      </header>
      <p className="starter-row grid items-end pt-3 pb-2 text-12 text-muted @max-[34rem]:hidden" aria-hidden="true">
        <span />
        <span>stores</span>
        <span>
          {SMALL_MATRIX.rows} × {SMALL_MATRIX.cols}, dense {DENSE_BYTES} B
        </span>
        <span className="text-end">
          skewed rows
          <br />
          {LARGE_MATRIX.rows} × {LARGE_MATRIX.cols}
        </span>
        <span className="text-end max-xl:hidden">lines</span>
      </p>
      <ul>
        {STARTERS.map((starter) => (
          <StarterRow
            key={starter.id}
            {...{ starter, max }}
            isChosen={starter === chosen}
            onChoose={() => onChoose(starter)}
            onBegin={() => onBegin(starter)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Moves the focus to the next or previous starter for an arrow key. */
function goToNext(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons: readonly Element[] = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
  const next = buttons[buttons.indexOf(event.currentTarget) + step];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

interface StarterRowProps {
  readonly starter: Starter;
  readonly max: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onBegin: () => void;
}

function StarterRow({ starter: { id, title, gist, text }, max, isChosen, onChoose, onBegin }: StarterRowProps) {
  const { marks, bits, bytes: smallBytes, larger } = FIGURES[id];
  const parts = Object.entries(bits).filter(([, count]) => count > 0);
  return (
    <li
      className="border-t border-hairline data-chosen:bg-sunken data-chosen:[box-shadow:-0.75rem_0_var(--sunken),0.75rem_0_var(--sunken)]"
      data-chosen={isChosen || undefined}
      onPointerEnter={onChoose}
    >
      <button
        className="starter-row grid items-center min-h-18 py-2 cursor-pointer"
        type="button"
        onClick={onBegin}
        onFocus={onChoose}
        onKeyDown={goToNext}
        aria-label={`Start from ${title}: ${gist}`}
      >
        <StarterPicture marks={marks} />
        <span className="grid gap-0.5">
          <b className="text-15">{title}</b>
          <span>{gist}</span>
        </span>
        <span className="@max-[34rem]:col-2 flex flex-wrap items-center gap-y-1 gap-x-2">
          <span className="flex min-w-0.5 h-3" style={{ inlineSize: `${(60 * smallBytes) / max}%` }}>
            {parts.map(([tone, share]) => (
              <i key={tone} className={`bytes--${tone}`} style={{ flexGrow: share }} />
            ))}
          </span>
          <span className="figure">{smallBytes} B</span>
        </span>
        <span className="number text-muted whitespace-nowrap text-end @max-[34rem]:hidden">
          {larger === null ? 'not supported' : bytes(larger)}
          {larger !== null && <span className="font-sans block">{timesBaseline(id, larger)}</span>}
        </span>
        <span className="number text-muted whitespace-nowrap text-end max-xl:hidden">
          {text.trimEnd().split('\n').length}
        </span>
      </button>
    </li>
  );
}

/** The bytes of the larger matrix in a starter's format over its bytes in the baseline format, in words. */
function timesBaseline(id: string, larger: number): string {
  const baseline = FIGURES[baselineFormat.id]?.larger;
  if (id === baselineFormat.id || !baseline) return 'the measure';
  return `${(larger / baseline).toFixed(2)} of ${baselineFormat.title}`;
}
