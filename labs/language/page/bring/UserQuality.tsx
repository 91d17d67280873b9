// The tab Quality of an imported model: how well it predicts the user's text, dense and pruned.

import './own-quality.css';
import { useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { counted, countText, say, strong, type Words } from '../../../../src/core/text/words.ts';
import { pickFiles } from '../../../../src/kit/browser/pick-files.ts';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { oncePerPage, useApp } from '../../../../src/kit/app-context.ts';
import { useJob } from '../../../../src/kit/use-job.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';
import { AnswerLine } from '../../../../src/kit/frame/AnswerLine.tsx';
import { UNCHANGED, isUnchanged, type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import { USER_TEXT_LENGTH } from '../../theory/imported.ts';
import { DensityCurve } from '../curve/DensityCurve.tsx';
import { SHARED_FIELDS } from '../fields.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { LanguageService } from '../service/service.ts';
import { densityOf, type LanguageModelChoice, defaultMethod, withDensity } from '../model-choice.ts';
import { useMatrixOverrides } from '../use-matrix-overrides.ts';
import { usePrune } from '../use-change-model.ts';
import { userTextJob, type RecipeQuality, type UserTextResults } from './user-text-job.ts';
import { UserPartLosses } from './UserPartLosses.tsx';
import { UserPruning } from './UserPruning.tsx';
import type { UserTextQuality } from '../service/types.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import {
  matrixPruningOf,
  isByWanda,
  type MatrixOverrides,
  type MatrixPruning,
  pruningDensity,
  pruningWords,
} from '../../overrides/matrix-overrides.ts';
import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';

/** A row of the table: a model pruned in one way. */
interface PrunedRow {
  readonly name: string;
  readonly bitsPerByte: number;
  /** bits per byte beyond the dense model's; null for the dense model, and if that was not measured */
  readonly excess: number | null;
  /** share of weights left */
  readonly density: number;
  readonly isDense: boolean;
}

/** The densities that one button measures. */
const MEASURED_DENSITIES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3] as const;

/** Pruning and value type of every matrix: `pruning` and f16, except in `choices`. `calibration`: text for Wanda. */
export function recipeFor(pruning: Pruning | null, calibration: string, choices: MatrixOverrides = []): Recipe {
  const prunedMatrices = choices
    .filter((choice) => choice.pruning ?? choice.valueType)
    .map(({ layer, name, pruning: matrixPruning, valueType }) => ({
      layer,
      name,
      ...(matrixPruning && { pruning: matrixPruning }),
      ...(valueType && { valueType }),
    }));
  return {
    pruning: matrixPruningOf(pruning),
    valueType: 'f16',
    ...(prunedMatrices.length > 0 && { own: prunedMatrices }),
    ...(calibration !== '' && isByWanda(pruning, choices) && { calibration }),
  };
}

/** The measurements, the dense model first, then by falling share of weights. */
export function userRows(qualities: Iterable<RecipeQuality>): readonly PrunedRow[] {
  const rows = [...qualities].map(({ recipe, quality }) => ({
    name: `${pruningWords(recipe.pruning as MatrixPruning)}${recipe.own ? `, ${counted(recipe.own.length, 'matrix', 'matrices')} otherwise` : ''}`,
    bitsPerByte: quality.bits / quality.bytes,
    density: pruningDensity(recipe.pruning as MatrixPruning),
    isDense: isUnchanged(recipe),
  }));
  const dense = rows.find(({ isDense }) => isDense) ?? null;
  return rows
    .map((row) => ({ ...row, excess: dense === null || row.isDense ? null : row.bitsPerByte - dense.bitsPerByte }))
    .toSorted((a, b) => Number(b.isDense) - Number(a.isDense) || b.density - a.density || (a.name < b.name ? -1 : 1));
}

/** The headline: bits per byte of the user's text, with the current pruning and dense; null until the dense model is measured. */
export function userAnswer(
  name: string,
  qualities: ReadonlyMap<string, RecipeQuality>,
  currentQuality: RecipeQuality | undefined,
  density: number,
): readonly Words[] | null {
  const dense = [...qualities.values()].find(({ recipe }) => isUnchanged(recipe));
  if (!dense) return null;
  const bits = ({ quality }: RecipeQuality): string => (quality.bits / quality.bytes).toFixed(3);
  if (currentQuality === undefined || currentQuality === dense) {
    return say`Unpruned, ${name} needs ${strong(`${bits(dense)} bits per byte`)} for your text.`;
  }
  const left = densityText(density);
  return say`With ${left} of its weights, ${name} needs ${strong(`${bits(currentQuality)} bits per byte`)} for your text instead of ${bits(dense)}.`;
}

const NOTHING_MEASURED: ReadonlyMap<string, RecipeQuality> = new Map();

/** The text of a file, or why it is too long. */
export async function readUserText(file: File) {
  // A character has at most 4 bytes.
  const max = 4 * USER_TEXT_LENGTH.max;
  if (file.size <= max) return { problem: null, text: await file.text() } as const;
  const problem = `${file.name}: found ${countText(file.size)} bytes, expected at most ${countText(max)}`;
  return { problem } as const;
}

/** The text in the form. It stays when another tab or page is opened; any model may be measured on it. */
const createDraft = () => createStore<string>(() => '');

/** The measurements of a model on the user's text, and functions to measure more. */
function useUserText(model: string) {
  const { engine } = useApp();
  const job = useJob<UserTextResults>(['Measuring your text', model], null);
  const measure = (text: string, recipes: readonly Recipe[]): void => {
    const service = engine.service<LanguageService>('language');
    job.startWith(userTextJob(service, modelAddress(model), text, recipes));
  };
  return { text: job.data?.text ?? '', measured: job.data?.measured ?? NOTHING_MEASURED, job, measure };
}

/** The quality of an imported model: bits per byte of the user's text, dense and pruned. */
export function UserQuality({ modelChoice }: { readonly modelChoice: LanguageModelChoice }) {
  const { model, pruning } = modelChoice;
  const app = useApp();
  const { announce } = app;
  const id = useId();
  const { job, measure, ...results } = useUserText(model.id);
  const [{ by: calibration }] = useChoices(SHARED_FIELDS);
  const prune = usePrune(modelChoice);
  const draft = oncePerPage(app, createDraft);
  const text = useStore(draft);
  const setText = (next: string): void => draft.setState(next, true);
  const qualities = results.text === text ? results.measured : NOTHING_MEASURED;
  const overrides = useMatrixOverrides(modelChoice);
  const recipe = useMemo(
    () => recipeFor(pruning, calibration, overrides.overrides),
    [pruning, calibration, overrides.overrides],
  );
  const currentQuality = qualities.get(recipeKey(recipe));
  const words = useMemo(
    () => userAnswer(model.shape.name, qualities, currentQuality, overrides.density),
    [model, qualities, currentQuality, overrides.density],
  );
  const rows = useMemo(() => userRows(qualities.values()), [qualities]);
  const problem = job.isCancelled ? 'Stopped.' : job.error;
  const method = defaultMethod(model);
  const openText = async (file: File): Promise<void> => {
    const readResult = await readUserText(file);
    if (readResult.problem === null) setText(readResult.text);
    else announce(readResult.problem);
  };
  return (
    <div className="grid gap-4">
      <AnswerLine
        key={model.id}
        words={words}
        waitingText={`How well ${model.shape.name} predicts your text: not measured`}
      />
      <div className="grid max-lg:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_minmax(0,28rem)] items-start gap-x-8 gap-y-5">
        <form
          className="grid gap-3 min-w-0"
          onSubmit={(event) => {
            event.preventDefault();
            measure(text, [UNCHANGED, recipe]);
          }}
        >
          <label className="font-semibold" htmlFor={id}>
            Your text{' '}
            <span className="section-caption">
              {USER_TEXT_LENGTH.min} to {countText(USER_TEXT_LENGTH.max)} characters, kept here
            </span>
          </label>
          <textarea
            id={id}
            className="input h-auto resize-y leading-[1.5]"
            rows={14}
            value={text}
            spellCheck={false}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-about`}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <p id={`${id}-about`} className="text-muted">
            {countText(text.length)} characters.
          </p>
          {problem !== null && (
            <p className="problem" role="alert">
              {problem}
            </p>
          )}
          {job.job ? (
            <JobProgress job={job.job} onCancel={job.cancel} />
          ) : (
            <p className="flex flex-wrap items-center gap-y-2 gap-x-3">
              <button type="submit" className="button button--solid">
                Measure this density
              </button>
              <Button
                onClick={() =>
                  measure(text, [
                    UNCHANGED,
                    ...MEASURED_DENSITIES.map((density) =>
                      recipeFor(withDensity(pruning, density, method), calibration),
                    ),
                  ])
                }
              >
                Measure {MEASURED_DENSITIES.length} shares
              </Button>
              <TextButton
                onClick={() =>
                  pickFiles({ accept: '.txt,.md,text/plain', multiple: false }, ([file]) => void openText(file))
                }
              >
                open a text file
              </TextButton>
            </p>
          )}
        </form>
        <section className="grid gap-3 min-w-0">
          <h3 className="side-head">Weights left</h3>
          <DensityCurve
            isBare
            points={[]}
            random={[]}
            floor={0}
            density={densityOf(pruning)}
            onChange={(density) => prune(withDensity(pruning, density, method))}
          />
          <UserPruning modelChoice={modelChoice} />
          <UserTable rows={rows} quality={currentQuality?.quality ?? [...qualities.values()][0]?.quality ?? null} />
          <UserPartLosses model={model} text={text} />
        </section>
      </div>
    </div>
  );
}

interface UserTableProps {
  readonly rows: readonly PrunedRow[];
  /** one of the measurements; null: there are none */
  readonly quality: UserTextQuality | null;
}

/** Bits per byte of a text by weights left, as bars from 0. */
export function UserTable({ rows, quality }: UserTableProps) {
  if (quality === null) return <p className="text-muted">Unmeasured.</p>;
  const max = rows.reduce((longest, { bitsPerByte }) => Math.max(longest, bitsPerByte), 0);
  return (
    <>
      <table className="own-text-table text-13 w-full">
        <thead>
          <tr>
            <td />
            <td />
            <th scope="col">bits per byte</th>
            <th scope="col">against dense</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, bitsPerByte, excess, isDense }) => (
            <tr key={name}>
              <th scope="row" className={isDense ? 'whitespace-nowrap' : 'text-muted whitespace-nowrap'}>
                {name}
              </th>
              <td className="w-[42%] max-sm:w-1/4" aria-hidden="true">
                <i
                  className={`block h-3 ${isDense ? 'bg-muted' : 'bg-accent'}`}
                  style={{ inlineSize: `${(100 * bitsPerByte) / max}%` }}
                />
              </td>
              <td className="number ps-3">{bitsPerByte.toFixed(3)}</td>
              <td className="number ps-3">
                {excess === null ? '–' : `${excess < 0 ? '−' : '+'}${Math.abs(excess).toFixed(3)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-muted">
        {counted(quality.tokens, 'token')}, {countText(quality.bytes)} bytes
        {quality.pieces > 1 && `, in ${quality.pieces} pieces`};{' '}
        {quality.where === 'gpu' ? 'on this GPU' : 'on the CPU'}.
      </p>
    </>
  );
}
