// The strip: the matrices of a model by layer and kind, which the user selects, with the choices for the selected ones.

import './strip.css';
import type { MouseEvent } from 'react';
import { useCurrentFormat, useDocument } from '../../../../src/kit/app-context.ts';
import { AddressLink } from '../../../../src/kit/browser/AddressLink.tsx';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { cssColorOf, cssTextColorOf } from '../../../../src/kit/format-color.ts';
import { useTitleOf } from '../../../../src/kit/report/report-labels.ts';
import { blockMatrices, type BlockMatrix, blockMatrixShape } from '../../decoders/decoder.ts';
import { isImported } from '../../theory/imported.ts';
import { blockWeights } from '../../decoders/stored/recipe.ts';
import { baseOf } from '../../../../src/state/index.ts';
import type { LanguageModelChoice } from '../model-choice.ts';
import { allMatrices, isSameMatrix, type MatrixAt, choiceText } from '../../overrides/matrix-overrides.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { OverridesPanel } from './OverridesPanel.tsx';
import { isSelected, NOTHING_SELECTED } from './selection.ts';
import { useSelection } from './use-selection.ts';
import { matrixKey, type StoredBytes } from './use-stored-bytes.ts';
import { countText } from '../../../../src/core/text/words.ts';
import { Swatch } from '../../../../src/kit/controls/Swatch.tsx';
import { withTab } from '../address.ts';

/** Bytes of a weight in f16. */
const F16_BYTES = 2;

/** The rows in which the matrices of a layer are drawn, side by side, as wide as their bytes. */
const DRAWN_ROWS: readonly (readonly BlockMatrix[])[] = [['q', 'k', 'v', 'o'], ['gate'], ['up'], ['down']];

/** With more layers than this, layers wrap into several lines. */
const MANY_LAYERS = 8;

interface StripProps {
  readonly modelChoice: LanguageModelChoice;
  readonly storedBytes: StoredBytes;
  /** the matrices whose pruning, value type or format differs from the model's */
  readonly modelOverrides: ModelOverrides;
}

/**
 * All matrices that a token reads, to scale: the area of each is its bytes in f16, filled by its stored bytes. A click
 * selects a matrix and makes it the page's matrix (`pageMatrix`); a click on that one, or Enter, opens it in Watch. With
 * Shift or Ctrl several are selected, to change their pruning or format. Clicks on an imported model only select.
 */
export function Strip({ modelChoice, storedBytes, modelOverrides }: StripProps) {
  const { model } = modelChoice;
  const titleOf = useTitleOf();
  const format = useCurrentFormat();
  const formatB = useDocument((doc) => doc.formatB?.format ?? null);
  /** layer and name of the page's matrix, '3 up'; null if it is not of this model */
  const pageMatrix = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'model' && base.model === model.id && base.matrix !== undefined
      ? `${base.layer ?? 0} ${base.matrix}`
      : null;
  });
  const { shape } = model;
  const names = blockMatrices(shape);
  const maxF16Bytes = Math.max(...names.map((name) => f16BytesOf(shape, name))); // bounded: a block has at most seven matrices
  const denseBytes = F16_BYTES * blockWeights(shape);
  const headBytes = F16_BYTES * shape.vocabulary * shape.hidden;
  const layers = Array.from({ length: shape.layers }, (_, layer) => layer);
  /** the matrix that Tab reaches */
  const tabStop = pageMatrix ?? `0 ${names[0]}`;
  const shapeMatrices = allMatrices(shape);
  const rows = DRAWN_ROWS.map((row) => row.filter((name) => names.includes(name))).filter((row) => row.length > 0);
  const { list, selection, select, isAdding, onAdding, press, selectGroup, open, onKeyDown } = useSelection(
    modelChoice,
    modelOverrides,
    pageMatrix,
  );
  const selected = selection.matrices.length === 1 ? selection.matrices[0] : null;
  return (
    <div className="grid gap-3">
      <StripHead
        matrices={shapeMatrices.length}
        dense={denseBytes}
        total={storedBytes.total}
        formatB={formatB}
        otherFormats={[...new Set(modelOverrides.overrides.flatMap((override) => override.format ?? []))].filter(
          (id) => id !== format.id && id !== formatB,
        )}
        isMixed={modelOverrides.words !== null}
      />
      {storedBytes.problem !== null && <p className="text-danger text-12">{storedBytes.problem}</p>}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its options have the focus */}
      <div
        ref={list}
        className="flex max-sm:grid max-sm:grid-cols-[1fr_1fr] items-start gap-x-8 gap-y-5 max-[75rem]:gap-4 data-many:grid data-many:grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] data-many:gap-x-5 data-many:gap-y-4"
        data-many={layers.length > MANY_LAYERS || undefined}
        role="listbox"
        aria-label="Matrices"
        aria-multiselectable="true"
        onKeyDown={onKeyDown}
      >
        {layers.map((layer) => (
          <div key={layer} className="flex-1 grid gap-0.5 min-w-0" role="group" aria-label={`layer ${layer}`}>
            {rows.map((row) => (
              <div key={row[0]} className="flex gap-0.5" role="presentation">
                {row.map((name) => {
                  const matrixAt = { layer, name };
                  const override = modelOverrides.overrides.find((entry) => isSameMatrix(entry, matrixAt));
                  return (
                    <MatrixButton
                      key={name}
                      position={matrixAt}
                      f16Bytes={f16BytesOf(shape, name)}
                      maxF16Bytes={maxF16Bytes}
                      bytes={storedBytes.byMatrix.get(matrixKey(matrixAt))?.bytes ?? null}
                      isPageMatrix={`${layer} ${name}` === pageMatrix}
                      isSelected={isSelected(selection, matrixAt)}
                      isTabStop={`${layer} ${name}` === tabStop}
                      format={override?.format ?? format.id}
                      overrideText={override ? choiceText(override, titleOf) : null}
                      onPress={press}
                      onOpen={(matrix) => open(matrix.layer, matrix.name)}
                    />
                  );
                })}
              </div>
            ))}
            <p className="flex justify-between text-muted text-12 mt-1" role="presentation">
              <button
                type="button"
                className="cursor-pointer hover:text-ink hover:underline data-chosen:text-ink data-chosen:font-semibold"
                tabIndex={-1}
                aria-hidden="true"
                data-chosen={pageMatrix?.startsWith(`${layer} `) || undefined}
                title={`Select layer ${layer}`}
                onClick={(event) => selectGroup(inLayer(shapeMatrices, layer), event)}
              >
                layer {layer}
              </button>
              <span className="number" aria-hidden="true">
                {layerText(storedBytes, layer, names)}
              </span>
            </p>
          </div>
        ))}
        <HeadMatrix tied={shape.tied} bytes={headBytes} maxF16Bytes={maxF16Bytes} format={formatB ?? format.id} />
      </div>
      <StripGroups
        groups={[
          { title: 'all', matrices: shapeMatrices },
          ...names.map((name) => ({ title: name, matrices: shapeMatrices.filter((matrix) => matrix.name === name) })),
          ...layers.map((layer) => ({ title: `layer ${layer}`, matrices: inLayer(shapeMatrices, layer) })),
        ]}
        isSelectedWhole={(group) => group.every((matrix) => isSelected(selection, matrix))}
        onSelect={selectGroup}
      />
      {/* A second click opens a matrix, except in an imported model: there the button of `onOpen` does. */}
      {selection.matrices.length > 0 && (
        <OverridesPanel
          modelChoice={modelChoice}
          modelOverrides={modelOverrides}
          matrices={selection.matrices}
          {...{ isAdding, onAdding }}
          onOpen={isImported(model.id) && selected ? () => open(selected.layer, selected.name) : undefined}
          onClose={() => select(NOTHING_SELECTED)}
        />
      )}
    </div>
  );
}

interface HeadMatrixProps {
  /** whether the head is also the embedding */
  readonly tied: boolean;
  /** bytes in f16: its own, and the bytes of the largest matrix of a block */
  readonly bytes: number;
  readonly maxF16Bytes: number;
  /** id of the format whose colour the head has */
  readonly format: string;
}

/** The matrix after all layers (lm_head), which stays dense. */
export function HeadMatrix({ tied, bytes, maxF16Bytes, format }: HeadMatrixProps) {
  return (
    <div className="flex-1 grid gap-0.5 min-w-0" style={{ flexGrow: bytes / maxF16Bytes }} role="presentation">
      <div
        className="h-[1.4375rem] rounded-[2px] px-1.5 leading-[1.4375rem] text-12 whitespace-nowrap overflow-hidden text-on-strong"
        style={{ background: cssTextColorOf(format) }}
      >
        <span>{tied ? 'embedding = head' : 'head'}</span>
      </div>
      <p className="flex justify-between text-muted text-12 mt-1">
        <span>
          {Math.round(bytes / 1000)}
          {'\u202f'}kB, kept dense
        </span>
      </p>
    </div>
  );
}

/** Bytes of a matrix of a block in f16. */
function f16BytesOf(shape: Parameters<typeof blockMatrixShape>[0], name: BlockMatrix): number {
  const [rows, cols] = blockMatrixShape(shape, name);
  return F16_BYTES * rows * cols;
}

/** The matrices of one layer. */
function inLayer(matrices: readonly MatrixAt[], layer: number): readonly MatrixAt[] {
  return matrices.filter((matrix) => matrix.layer === layer);
}

/** The stored bytes of a layer; '' until all of its matrices are counted. */
export function layerText({ byMatrix }: StoredBytes, layer: number, names: readonly BlockMatrix[]): string {
  let sum = 0;
  for (const name of names) {
    const bytes = byMatrix.get(matrixKey({ layer, name }))?.bytes ?? null;
    if (bytes === null) return '';
    sum += bytes;
  }
  return `${Math.round(sum / 1000)}\u202fkB`;
}

interface MatrixButtonProps {
  readonly position: MatrixAt;
  /** bytes in f16: its own, and the bytes of the largest matrix of a block */
  readonly f16Bytes: number;
  readonly maxF16Bytes: number;
  /** bytes as stored; null while unknown */
  readonly bytes: number | null;
  /** whether the selection bar names this matrix */
  readonly isPageMatrix: boolean;
  readonly isSelected: boolean;
  /** whether Tab reaches this matrix */
  readonly isTabStop: boolean;
  /** id of its format */
  readonly format: string;
  /** in words, how its pruning, value type or format differ from the model's; null if they do not */
  readonly overrideText: string | null;
  readonly onPress: (matrix: MatrixAt, event: MouseEvent) => void;
  readonly onOpen: (matrix: MatrixAt) => void;
}

/** One matrix, as wide as its bytes in f16, filled by its stored bytes. */
export function MatrixButton(props: MatrixButtonProps) {
  const {
    position,
    f16Bytes,
    maxF16Bytes,
    bytes,
    isPageMatrix,
    isSelected,
    isTabStop,
    format,
    overrideText,
    onPress,
    onOpen,
  } = props;
  const { layer, name } = position;
  /** stored bytes as a share of f16: more than 1 if the format takes more */
  const share = bytes === null ? 0 : bytes / f16Bytes;
  const storedText = bytes === null ? 'not counted' : `${countText(bytes)} of ${countText(f16Bytes)} bytes`;
  const description = overrideText === null ? storedText : `${storedText}; ${overrideText}`;
  return (
    <button
      type="button"
      role="option"
      className="strip-matrix min-w-[6px] h-[1.4375rem] max-sm:h-7 rounded-[2px] bg-cell text-start relative cursor-pointer overflow-hidden"
      aria-selected={isSelected}
      aria-current={isPageMatrix || undefined}
      aria-label={`layer ${layer}, ${name}, ${description}`}
      title={`layer ${layer} › ${name}: ${description}`}
      data-matrix={`${layer} ${name}`}
      data-over={share > 1 || undefined}
      data-chosen={isPageMatrix || undefined}
      data-overridden={overrideText !== null || undefined}
      tabIndex={isTabStop ? 0 : -1}
      style={{ inlineSize: `${(100 * f16Bytes) / maxF16Bytes}%` }}
      onClick={(event) => onPress(position, event)}
      onDoubleClick={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.shiftKey) onOpen(position);
      }}
    >
      <i
        className="absolute inset-y-0 left-0 [transition:inline-size_var(--quick)]"
        aria-hidden="true"
        style={{ inlineSize: `${100 * Math.min(1, share)}%`, background: cssColorOf(format) }}
      />
      {f16Bytes > maxF16Bytes / 8 && (
        <span
          className={`relative px-1.5 text-12 leading-[1.4375rem] ${bytes === null ? 'text-muted' : 'text-on-strong'}`}
        >
          {name}
        </span>
      )}
      {isPageMatrix && f16Bytes > maxF16Bytes / 2 && (
        <span className="absolute right-0 px-1.5 text-muted text-12 leading-[1.4375rem]">open</span>
      )}
    </button>
  );
}

interface StripGroupsProps {
  readonly groups: readonly { readonly title: string; readonly matrices: readonly MatrixAt[] }[];
  /** whether all matrices of a group are selected */
  readonly isSelectedWhole: (group: readonly MatrixAt[]) => boolean;
  readonly onSelect: (group: readonly MatrixAt[], event: MouseEvent) => void;
}

/** Buttons for kinds and layers: each selects all its matrices, with Shift or Ctrl in addition to the selection. */
function StripGroups({ groups, isSelectedWhole, onSelect }: StripGroupsProps) {
  return (
    <p
      className="underlined flex flex-wrap items-baseline gap-x-3 text-muted text-12"
      role="group"
      aria-label="Select matrices"
    >
      <span>select</span>
      {groups.map(({ title, matrices }) => (
        <TextButton
          key={title}
          className="min-h-6 aria-pressed:font-semibold"
          aria-pressed={isSelectedWhole(matrices)}
          onClick={(event) => onSelect(matrices, event)}
        >
          {title}
        </TextButton>
      ))}
    </p>
  );
}

interface StripHeadProps {
  readonly matrices: number;
  /** bytes of all of them: in f16, and as the page's format, A, stores them; null until counted */
  readonly dense: number;
  readonly total: number | null;
  /** id of B, the format that A is compared with; null for A alone */
  readonly formatB: string | null;
  /** ids of other formats in use */
  readonly otherFormats: readonly string[];
  /** whether matrices differ in pruning, value type or format */
  readonly isMixed: boolean;
}

/** The caption of the strip, and the legend of its colours. */
function StripHead({ matrices, dense, total, formatB, otherFormats, isMixed }: StripHeadProps) {
  const format = useCurrentFormat();
  const titleOf = useTitleOf();
  return (
    <div className="strip-head flex flex-wrap items-baseline justify-between gap-y-1 gap-x-4">
      <p className="text-muted text-12">
        {captionOf(matrices, isMixed ? 'is stored' : `${format.title} stores`, total, dense)}
      </p>
      <span className="underlined flex items-baseline gap-4 text-muted text-12">
        <span className="inline-flex items-center gap-1">
          <Swatch format={format.id} /> {format.title}
        </span>
        {formatB !== null && (
          <span className="inline-flex items-center gap-1">
            <Swatch format={formatB} /> {titleOf(formatB)}
          </span>
        )}
        {otherFormats.map((id) => (
          <span key={id} className="inline-flex items-center gap-1">
            <Swatch format={id} /> {titleOf(id)}
          </span>
        ))}
        {/* The tab Quality shows what pruning costs. */}
        <AddressLink className="text-button" to={(doc) => withTab(doc, 'quality')}>
          left per layer
        </AddressLink>
      </span>
    </div>
  );
}

/** The caption: number of matrices, what area and filling mean (`filled`: 'MACKO stores'), bytes stored and in f16. */
export function captionOf(matrices: number, filled: string, total: number | null, dense: number): string {
  const sum = total === null ? '' : `: ${megabytes(total)} of ${megabytes(dense)} MB`;
  return `${matrices} matrices, area is bytes in f16, filled is what ${filled}${sum}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
