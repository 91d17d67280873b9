import './strip.css';
import { type KeyboardEvent, useRef } from 'react';
import { countText } from '../../../core/story/words.ts';
import { useApp, useCurrentFormat, useDocument } from '../../../kit/app-context.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssColorOf } from '../../../kit/format-color.ts';
import { BLOCK_MATRICES, type BlockMatrix, blockMatrixShape } from '../../../language/decoder.ts';
import { blockWeights } from '../../../language/stored/recipe.ts';
import { baseOf } from '../../../state/index.ts';
import { withTab } from '../address.ts';
import { type LanguageSubject, sourceOf } from '../subject.ts';
import { keyOf, type StoredBytes } from './use-stored-bytes.ts';

/** Bytes of a weight in f16. */
const F16 = 2;

/** The rows of a layer: matrices next to each other, by their bytes. */
const ROWS: readonly (readonly BlockMatrix[])[] = [['q', 'k', 'v', 'o'], ['gate'], ['up'], ['down']];

interface StripProps {
  readonly subject: LanguageSubject;
  readonly stored: StoredBytes;
}

/**
 * All matrices that a token reads, to scale: the area of each is its bytes in f16, filled as far as A stores it. A click puts
 * one into the sentence, Enter opens it.
 */
export function Strip({ subject: { model, pruning }, stored }: StripProps) {
  const { session, document } = useApp();
  const format = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format ?? null);
  const chosen = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'model' && base.model === model.id && base.matrix !== undefined
      ? `${base.layer ?? 0} ${base.matrix}`
      : null;
  });
  const list = useRef<HTMLDivElement>(null);
  const { shape } = model;
  const bytesOf = (name: BlockMatrix): number => {
    const [rows, cols] = blockMatrixShape(shape, name);
    return F16 * rows * cols;
  };
  const widest = Math.max(...BLOCK_MATRICES.map(bytesOf)); // bounded: the matrices of a block
  const dense = F16 * blockWeights(shape);
  const head = F16 * shape.vocabulary * shape.hidden;
  const layers = Array.from({ length: shape.layers }, (_, layer) => layer);
  const first = chosen ?? `0 ${BLOCK_MATRICES[0]}`;
  const choose = (layer: number, name: BlockMatrix): void => {
    const source = sourceOf(model, pruning, { layer, matrix: name });
    void session.restore({ ...document.getState(), source, window: null, step: 0 });
  };
  const open = (layer: number, name: BlockMatrix): void => {
    // Watch shows it as soon as it is there.
    session.follow('stage');
    choose(layer, name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = event.target instanceof HTMLElement ? event.target.dataset.matrix : undefined;
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const [layerText, name] = at.split(' ') as [string, BlockMatrix];
    const layer = Number(layerText);
    const i = BLOCK_MATRICES.indexOf(name);
    const to = {
      ArrowLeft: [layer - 1, i],
      ArrowRight: [layer + 1, i],
      ArrowUp: [layer, i - 1],
      ArrowDown: [layer, i + 1],
    }[event.key];
    if (event.key === 'Enter') open(layer, name);
    else if (to) {
      const [l, m] = [Math.min(shape.layers - 1, Math.max(0, to[0])), Math.min(6, Math.max(0, to[1]))];
      list.current?.querySelector<HTMLElement>(`[data-matrix='${l} ${BLOCK_MATRICES[m]}']`)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section className="strip-of-model" aria-label="What a token reads">
      <StripHead
        matrices={layers.length * BLOCK_MATRICES.length}
        dense={dense}
        total={stored.total}
        against={against}
      />
      {stored.problem !== null && <p className="strip-problem">{stored.problem}</p>}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its options have the focus */}
      <div ref={list} className="strip-layers" role="listbox" aria-label="Matrices" onKeyDown={onKeyDown}>
        {layers.map((layer) => (
          <div key={layer} className="strip-layer" role="group" aria-label={`layer ${layer}`}>
            {ROWS.map((row) => (
              <div key={row[0]} className="strip-row" role="presentation">
                {row.map((name) => (
                  <MatrixButton
                    key={name}
                    layer={layer}
                    name={name}
                    whole={bytesOf(name)}
                    widest={widest}
                    bytes={stored.byMatrix.get(keyOf({ layer, name }))?.bytes ?? null}
                    isChosen={`${layer} ${name}` === chosen}
                    isFirst={`${layer} ${name}` === first}
                    format={format.id}
                    onChoose={choose}
                    onOpen={open}
                  />
                ))}
              </div>
            ))}
            <p className="strip-about" aria-hidden="true">
              <span data-chosen={chosen?.startsWith(`${layer} `) || undefined}>layer {layer}</span>
              <span className="number">{layerText(stored, layer)}</span>
            </p>
          </div>
        ))}
        <div className="strip-layer strip-layer--head" style={{ flexGrow: head / widest }} role="presentation">
          <div className="strip-embedding" style={{ background: cssColorOf(against ?? format.id) }}>
            <span>embedding = head</span>
          </div>
          <p className="strip-about">
            <span>
              {Math.round(head / 1000)}
              {'\u202f'}kB, kept dense
            </span>
          </p>
        </div>
      </div>
    </section>
  );
}

interface StripHeadProps {
  readonly matrices: number;
  /** bytes of all of them: in f16, and as A stores them; null while they are counted */
  readonly dense: number;
  readonly total: number | null;
  /** id of B; null for A alone */
  readonly against: string | null;
}

/** What area, filling and colours mean. */
function StripHead({ matrices, dense, total, against }: StripHeadProps) {
  const { document } = useApp();
  const format = useCurrentFormat();
  const sum = total === null ? '' : `: ${megabytes(total)} of ${megabytes(dense)} MB`;
  return (
    <div className="strip-head">
      <h3>
        What a token reads{' '}
        <span className="section-caption">
          {matrices} matrices, area is bytes in f16, filled is what {format.title} stores
          {sum}
        </span>
      </h3>
      <span className="strip-legend">
        <span>
          <Swatch format={format.id} /> {format.title}
        </span>
        {against !== null && (
          <span>
            <Swatch format={against} /> {against}
          </span>
        )}
        <button
          type="button"
          className="text-button"
          onClick={() => document.setState(withTab(document.getState(), 'quality'))}
        >
          density per layer
        </button>
      </span>
    </div>
  );
}

interface MatrixButtonProps {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** bytes in f16: its own, and of the largest of a block */
  readonly whole: number;
  readonly widest: number;
  /** null while nothing is known */
  readonly bytes: number | null;
  readonly isChosen: boolean;
  /** the one that Tab comes to */
  readonly isFirst: boolean;
  readonly format: string;
  readonly onChoose: (layer: number, name: BlockMatrix) => void;
  readonly onOpen: (layer: number, name: BlockMatrix) => void;
}

/** One matrix, as wide as its bytes in f16 and filled as far as it is stored. */
function MatrixButton(props: MatrixButtonProps) {
  const { layer, name, whole, widest, bytes, isChosen, isFirst, format, onChoose, onOpen } = props;
  const share = bytes === null ? 0 : bytes / whole;
  const about = bytes === null ? 'not counted' : `${countText(bytes)} of ${countText(whole)} bytes`;
  return (
    <button
      type="button"
      role="option"
      className="strip-matrix"
      aria-selected={isChosen}
      aria-label={`layer ${layer}, ${name}, ${about}`}
      title={`layer ${layer} › ${name}: ${about}`}
      data-matrix={`${layer} ${name}`}
      data-over={share > 1 || undefined}
      data-counted={bytes !== null || undefined}
      tabIndex={isFirst ? 0 : -1}
      style={{ inlineSize: `${(100 * whole) / widest}%` }}
      onClick={() => (isChosen ? onOpen(layer, name) : onChoose(layer, name))}
      onDoubleClick={() => onOpen(layer, name)}
    >
      <i aria-hidden="true" style={{ inlineSize: `${100 * Math.min(1, share)}%`, background: cssColorOf(format) }} />
      {whole > widest / 8 && <span className="strip-name">{name}</span>}
      {isChosen && whole > widest / 2 && <span className="strip-open">open</span>}
    </button>
  );
}

function layerText({ byMatrix }: StoredBytes, layer: number): string {
  let sum = 0;
  for (const name of BLOCK_MATRICES) {
    const bytes = byMatrix.get(keyOf({ layer, name }))?.bytes ?? null;
    if (bytes === null) return '';
    sum += bytes;
  }
  return `${Math.round(sum / 1000)}\u202fkB`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
