// The selection of matrices in the strip (a bar for every matrix of the model), by mouse and keyboard.

import { type KeyboardEvent, type MouseEvent, type RefObject, useCallback, useRef, useState } from 'react';
import { useApp } from '../../../../src/kit/app-context.ts';
import { blockMatrices, type BlockMatrix } from '../../decoders/decoder.ts';
import { isImported } from '../../theory/imported.ts';
import {
  allMatrices,
  matrixPruningOf,
  isSameMatrix,
  type MatrixAt,
  type MatrixPruning,
} from '../../overrides/matrix-overrides.ts';
import { type LanguageModelChoice, sourceOf } from '../model-choice.ts';
import type { ModelOverrides } from '../use-matrix-overrides.ts';
import { withExtended, NOTHING_SELECTED, type Selection, withToggled, withGroup } from './selection.ts';
import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { failureText, withSource } from '../../../../src/state/index.ts';
import { SHARED_FIELDS } from '../fields.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { LanguageService } from '../service/service.ts';

interface MatrixSelection {
  /** the list of matrices, each with `data-matrix` */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  /** a press adds to the selection, as with Ctrl, for touch screens */
  readonly isAdding: boolean;
  readonly onAdding: (isAdding: boolean) => void;
  readonly press: (at: MatrixAt, event: MouseEvent) => void;
  readonly selectGroup: (group: readonly MatrixAt[], event: MouseEvent) => void;
  /** opens a matrix in Watch, the page that shows its bytes */
  readonly open: (layer: number, name: BlockMatrix) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Selects matrices of a model by pointer and keys. `pageMatrix`: layer and name of the page's matrix, '3 up'. */
export function useSelection(
  modelChoice: LanguageModelChoice,
  modelOverrides: ModelOverrides,
  pageMatrix: string | null,
): MatrixSelection {
  const { model, pruning, isDocumentModel } = modelChoice;
  const openImported = useOpenImported(modelChoice, modelOverrides);
  const { session, document } = useApp();
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const [isAdding, setAdding] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { layers } = model.shape;
  const names = blockMatrices(model.shape);
  const matrices = allMatrices(model.shape);
  // An imported model is not in the document (page state): pressing its matrices only selects them.
  const isImportedModel = isImported(model.id);
  const select = (next: Selection): void => {
    setSelection(next);
    // The button that ends adding disappears with the selection.
    if (next.matrices.length === 0) setAdding(false);
  };
  // A click with Shift or Ctrl changes the selection; a plain click selects a matrix and makes it the page's matrix,
  // and a second one opens it in Watch.
  const press = (at: MatrixAt, event: MouseEvent): void => {
    if (event.shiftKey) return select(withExtended(selection, at, names));
    if (isAdding || event.ctrlKey || event.metaKey) return select(withToggled(selection, at));
    if (isImportedModel) return select({ matrices: [at], anchor: at });
    if (`${at.layer} ${at.name}` === pageMatrix) return open(at.layer, at.name);
    select({ matrices: [at], anchor: at });
    choose(at.layer, at.name);
  };
  const selectGroup = (group: readonly MatrixAt[], event: MouseEvent): void =>
    select(withGroup(selection, group, isAdding || event.shiftKey || event.ctrlKey || event.metaKey));
  const choose = (layer: number, name: BlockMatrix): void => {
    const matrixAt = { layer, matrix: name };
    if (isDocumentModel) void session.openModel({ kind: 'model', model: model.id, ...matrixAt });
    else {
      const source = sourceOf(model, pruning, matrixAt);
      void session.restore(withSource(document.getState(), source));
    }
  };
  const open = (layer: number, name: BlockMatrix): void => {
    if (isImportedModel) return openImported({ layer, name });
    // Watch shows the matrix as soon as it is open.
    session.follow('stage');
    choose(layer, name);
  };
  // Keys on a matrix, the element with the focus: arrows move between layers and kinds, with Shift they extend the
  // selection.
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = event.target instanceof HTMLElement ? event.target.dataset.matrix : undefined;
    if (key === undefined || event.altKey) return;
    const [layerText, name] = key.split(' ') as [string, BlockMatrix];
    const layer = Number(layerText);
    const i = names.indexOf(name);
    const target = {
      ArrowLeft: [layer - 1, i],
      ArrowRight: [layer + 1, i],
      ArrowUp: [layer, i - 1],
      ArrowDown: [layer, i + 1],
    }[event.key];
    const hasCtrl = event.ctrlKey || event.metaKey;
    if (hasCtrl && event.key === 'a') select({ matrices, anchor: matrices[0] });
    else if (hasCtrl) return;
    else if (event.key === 'Enter') open(layer, name);
    else if (event.key === ' ') select(withToggled(selection, { layer, name }));
    else if (event.key === 'Escape' && selection.matrices.length > 0) select(NOTHING_SELECTED);
    else if (target) {
      const toLayer = Math.min(layers - 1, Math.max(0, target[0]));
      const toName = names[Math.min(names.length - 1, Math.max(0, target[1]))];
      list.current?.querySelector<HTMLElement>(`[data-matrix='${toLayer} ${toName}']`)?.focus();
      if (event.shiftKey) {
        const from = selection.anchor ? selection : { ...selection, anchor: { layer, name } };
        select(withExtended(from, { layer: toLayer, name: toName }, names));
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { list, selection, select, isAdding, onAdding: setAdding, press, selectGroup, open, onKeyDown };
}

/** The pruning that Watch applies to a matrix alone; null if pruning depends on the inputs of the model (Wanda). */
export function pruningOfMatrixAlone(pruning: MatrixPruning): Pruning | 'none' | null {
  if (pruning.way === 'none') return 'none';
  if (pruning.way === 'wanda') return null;
  if (pruning.way !== 'n-of-m') return pruning;
  return pruning.by === 'wanda' ? null : { way: pruning.way, kept: pruning.kept, group: pruning.group };
}

/**
 * Opens a matrix of an imported model in Watch, as a file. Watch prunes the file as chosen for the matrix, else as for
 * the model. For Wanda, which needs the inputs of the model, the file is already pruned.
 */
function useOpenImported(
  { model, pruning }: LanguageModelChoice,
  modelOverrides: ModelOverrides,
): (at: MatrixAt) => void {
  const { session, engine, announce } = useApp();
  const [{ by: calibration }] = useChoices(SHARED_FIELDS);
  return useCallback(
    (matrix) => {
      const chosenPruning =
        modelOverrides.overrides.find((override) => isSameMatrix(override, matrix))?.pruning ??
        matrixPruningOf(pruning);
      const alone = pruningOfMatrixAlone(chosenPruning);
      const pruned = {
        pruning,
        ...(modelOverrides.matrices && { overrides: modelOverrides.matrices }),
        ...(calibration !== '' && { calibration }),
      };
      const open = async (): Promise<void> => {
        const service = engine.service<LanguageService>('language');
        const request = {
          model: modelAddress(model.id),
          at: matrix,
          pruned: alone === null ? pruned : null,
        };
        const { name, blob } = await service.matrix({}, request);
        session.follow('stage');
        await session.openFile(new File([blob], name));
        if (alone !== null && alone !== 'none') await session.prune(alone);
      };
      open().catch((error: unknown) => announce(failureText(error, 'Opening the matrix')));
    },
    [session, engine, announce, model, pruning, modelOverrides.overrides, modelOverrides.matrices, calibration],
  );
}
