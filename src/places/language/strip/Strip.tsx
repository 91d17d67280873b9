import './strip.css';
import type { ReactNode } from 'react';
import { useApp, useCurrentFormat, useDocument } from '../../../kit/app-context.ts';
import { cssColorOf } from '../../../kit/format-color.ts';
import { blockMatrices, type BlockMatrix, blockMatrixShape } from '../../../language/decoder.ts';
import { isBrought } from '../../../theory/models/brought.ts';
import { blockWeights } from '../../../language/stored/recipe.ts';
import { baseOf } from '../../../state/index.ts';
import type { LanguageSubject } from '../subject.ts';
import { allMatrices, isSame, type MatrixAt, ownWords } from '../../../kit/models/matrix-overrides.ts';
import type { Own } from '../use-own.ts';
import { MatrixButton } from './MatrixButton.tsx';
import { OwnPanel } from './OwnPanel.tsx';
import { isSelected, NOTHING_SELECTED } from './selection.ts';
import { StripGroups, StripHead } from './StripHead.tsx';
import { useSelecting } from './use-selecting.ts';
import { keyOf, type StoredBytes } from './use-stored-bytes.ts';

/** Bytes of a weight in f16. */
const F16 = 2;

/** The rows of a layer: matrices next to each other, by their bytes. */
const ROWS: readonly (readonly BlockMatrix[])[] = [['q', 'k', 'v', 'o'], ['gate'], ['up'], ['down']];

/** More layers than this have rows below each other. */
const MANY = 8;

interface StripProps {
  readonly subject: LanguageSubject;
  readonly stored: StoredBytes;
  readonly own: Own;
  /** more actions, at the end of the legend */
  readonly actions?: ReactNode;
}

/**
 * All matrices that a token reads, to scale: the area of each is its bytes in f16, filled as far as it is stored. A click puts
 * one into the sentence, Enter opens it; with Shift, Ctrl or a heading several are selected, and given choices of their own.
 */
export function Strip({ subject, stored, own, actions }: StripProps) {
  const { model } = subject;
  const { formats } = useApp();
  const titleOf = (id: string): string => formats.find((one) => one.id === id)?.title ?? id;
  const format = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format ?? null);
  const chosen = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'model' && base.model === model.id && base.matrix !== undefined
      ? `${base.layer ?? 0} ${base.matrix}`
      : null;
  });
  const { shape } = model;
  const names = blockMatrices(shape);
  const bytesOf = (name: BlockMatrix): number => {
    const [rows, cols] = blockMatrixShape(shape, name);
    return F16 * rows * cols;
  };
  const widest = Math.max(...names.map(bytesOf)); // bounded: the matrices of a block
  const dense = F16 * blockWeights(shape);
  const head = F16 * shape.vocabulary * shape.hidden;
  const layers = Array.from({ length: shape.layers }, (_, layer) => layer);
  const first = chosen ?? `0 ${names[0]}`;
  const all = allMatrices(shape);
  const rows = ROWS.map((row) => row.filter((name) => names.includes(name))).filter((row) => row.length > 0);
  const { list, selection, select, adding, press, selectGroup, open, onKeyDown } = useSelecting(subject, own, chosen);
  const one = selection.matrices.length === 1 ? selection.matrices[0] : null;
  return (
    <section className="strip-of-model" aria-label="What a token reads">
      <StripHead
        matrices={all.length}
        dense={dense}
        total={stored.total}
        against={against}
        others={[...new Set(own.choices.flatMap((one) => one.format ?? []))].filter(
          (id) => id !== format.id && id !== against,
        )}
        isMixed={own.words !== null}
        actions={actions}
      />
      {stored.problem !== null && <p className="strip-problem">{stored.problem}</p>}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its options have the focus */}
      <div
        ref={list}
        className="strip-layers"
        data-many={layers.length > MANY || undefined}
        role="listbox"
        aria-label="Matrices"
        aria-multiselectable="true"
        onKeyDown={onKeyDown}
      >
        {layers.map((layer) => (
          <div key={layer} className="strip-layer" role="group" aria-label={`layer ${layer}`}>
            {rows.map((row) => (
              <div key={row[0]} className="strip-row" role="presentation">
                {row.map((name) => {
                  const at = { layer, name };
                  const its = own.choices.find((one) => isSame(one, at));
                  return (
                    <MatrixButton
                      key={name}
                      at={at}
                      whole={bytesOf(name)}
                      widest={widest}
                      bytes={stored.byMatrix.get(keyOf(at))?.bytes ?? null}
                      isChosen={`${layer} ${name}` === chosen}
                      isSelected={isSelected(selection, at)}
                      isFirst={`${layer} ${name}` === first}
                      format={its?.format ?? format.id}
                      own={its ? ownWords(its, titleOf) : null}
                      onPress={press}
                      onOpen={(one) => open(one.layer, one.name)}
                    />
                  );
                })}
              </div>
            ))}
            <p className="strip-about" role="presentation">
              <button
                type="button"
                className="strip-heading"
                tabIndex={-1}
                aria-hidden="true"
                data-chosen={chosen?.startsWith(`${layer} `) || undefined}
                title={`Select layer ${layer}`}
                onClick={(event) => selectGroup(ofLayer(all, layer), event)}
              >
                layer {layer}
              </button>
              <span className="number" aria-hidden="true">
                {layerText(stored, layer, names)}
              </span>
            </p>
          </div>
        ))}
        <Head tied={shape.tied} bytes={head} widest={widest} format={against ?? format.id} />
      </div>
      <StripGroups
        groups={[
          { title: 'all', matrices: all },
          ...names.map((name) => ({ title: name, matrices: all.filter((one) => one.name === name) })),
          ...layers.map((layer) => ({ title: `layer ${layer}`, matrices: ofLayer(all, layer) })),
        ]}
        isWhole={(group) => group.every((at) => isSelected(selection, at))}
        onSelect={selectGroup}
      />
      {selection.matrices.length > 0 && (
        <OwnPanel
          subject={subject}
          own={own}
          matrices={selection.matrices}
          {...adding}
          onOpen={isBrought(model.id) && one ? () => open(one.layer, one.name) : undefined}
          onClose={() => select(NOTHING_SELECTED)}
        />
      )}
    </section>
  );
}

interface HeadProps {
  /** it is the embedding as well */
  readonly tied: boolean;
  /** in f16: its own, and of the largest matrix of a block */
  readonly bytes: number;
  readonly widest: number;
  /** id of the format whose colour it has */
  readonly format: string;
}

/** The matrix behind all layers, which stays dense. */
function Head({ tied, bytes, widest, format }: HeadProps) {
  return (
    <div className="strip-layer strip-layer--head" style={{ flexGrow: bytes / widest }} role="presentation">
      <div className="strip-embedding" style={{ background: cssColorOf(format) }}>
        <span>{tied ? 'embedding = head' : 'head'}</span>
      </div>
      <p className="strip-about">
        <span>
          {Math.round(bytes / 1000)}
          {'\u202f'}kB, kept dense
        </span>
      </p>
    </div>
  );
}

function ofLayer(all: readonly MatrixAt[], layer: number): readonly MatrixAt[] {
  return all.filter((one) => one.layer === layer);
}

function layerText({ byMatrix }: StoredBytes, layer: number, names: readonly BlockMatrix[]): string {
  let sum = 0;
  for (const name of names) {
    const bytes = byMatrix.get(keyOf({ layer, name }))?.bytes ?? null;
    if (bytes === null) return '';
    sum += bytes;
  }
  return `${Math.round(sum / 1000)}\u202fkB`;
}
