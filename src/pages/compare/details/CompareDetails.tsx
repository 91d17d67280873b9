import type { ComponentType, ReactNode } from 'react';
import { isUserWritten } from '../../../core/format.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import { useApp } from '../../../kit/app-context.ts';
import { wordsChoice, useChoices } from '../../../kit/browser/choices.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { Checkbox } from '../../../kit/controls/Checkbox.tsx';
import { toggled } from '../../../kit/toggled.ts';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { Details } from '../../../kit/frame/Details.tsx';
import { CHART_FIELDS, isChosen } from '../curves/curve-choices.ts';
import type { ComparedFormats } from '../rows/compare-row.ts';
import { HowCounted } from '../rows/FigureSource.tsx';
import { containsActivations } from '../../../state/index.ts';
import { storedTitle } from '../rows/stored-variants.ts';
import type { StoredModel } from './layers/LayersDetails.tsx';

/** Ids and titles of the details sections below the table of Compare. */
export const COMPARE_DETAILS = {
  counted: 'how it is counted',
  smallest: 'why not the smallest?',
  shown: 'formats in the chart',
  choice: 'which format for each matrix',
  layers: 'layer by layer',
  token: 'per token',
  gaps: 'gaps, rows, groups',
  accuracy: 'what pruning costs in accuracy',
  published: 'published for other cards',
  'left-out': 'left out',
} as const;
type DetailsId = keyof typeof COMPARE_DETAILS;
const DETAILS_IDS = Object.keys(COMPARE_DETAILS) as readonly DetailsId[];

/**
 * The details sections for a whole model, for a matrix of weights, or for a matrix of activations. `summary`: of the open
 * matrix, whose file may have several.
 */
export function detailsOf(
  kind: 'model' | 'matrix' | 'activations',
  summary: Pick<MatrixSummary, 'read'> | null = null,
): readonly DetailsId[] {
  const isModel = kind === 'model';
  return DETAILS_IDS.filter((id) => {
    if (id === 'choice') return isModel || hasSeveral(summary);
    if (id === 'smallest') return kind === 'activations';
    if (id === 'gaps') return !isModel;
    return isModel || id === 'counted' || id === 'accuracy' || id === 'published' || id === 'shown';
  });
}

/** Whether the open matrix is one of a file of tensors. */
export function hasSeveral(summary: Pick<MatrixSummary, 'read'> | null): boolean {
  return summary?.read?.from.tensor !== undefined;
}

const DETAILS_FIELDS = { fold: wordsChoice(DETAILS_IDS, []) };

const Smallest = lazyPart(async () => (await import('./SmallestDetails.tsx')).SmallestDetails);
const Choice = lazyPart(async () => (await import('./choice/ChoiceDetails.tsx')).ChoiceDetails);
const Layers = lazyPart(async () => (await import('./layers/LayersDetails.tsx')).LayersDetails);
const Token = lazyPart(async () => (await import('./layers/ModelFacts.tsx')).ModelFacts);
const LeftOut = lazyPart(async () => (await import('./layers/ModelFacts.tsx')).LeftOut);
const Published = lazyPart(async () => (await import('./published/PublishedDetails.tsx')).PublishedDetails);
const Gaps = lazyPart(async () => (await import('./gaps/GapsDetails.tsx')).GapsDetails);
const Accuracy = lazyPart(async () => (await import('./published/AccuracyDetails.tsx')).AccuracyDetails);

/** The details sections, each loaded when it is opened. The address contains the open ones: `x.fold=ID.ID`. */
export function CompareDetails({ compared }: { readonly compared: ComparedFormats }) {
  const { catalog } = useApp();
  const [{ fold: open }, choose] = useChoices(DETAILS_FIELDS);
  const contents: Readonly<Record<DetailsId, ReactNode>> = {
    counted: <HowCounted compared={compared} />,
    smallest: <Smallest compared={compared} />,
    shown: <ChartFormats />,
    choice: <Choice compared={compared} />,
    layers: <ModelInFormatA compared={compared} Part={Layers} />,
    token: <ModelInFormatA compared={compared} Part={Token} />,
    gaps: <Gaps compared={compared} />,
    accuracy: <Accuracy />,
    published: <Published compared={compared} />,
    'left-out': compared.model && <LeftOut model={compared.model.shape} />,
  };
  const { level, summary } = compared;
  const kind = level === 'matrix' && containsActivations(catalog, summary.source) ? 'activations' : level;
  const sections = detailsOf(kind, summary).map((id) => ({ id, title: COMPARE_DETAILS[id], content: contents[id] }));
  return <Details sections={sections} open={open} onOpen={(ids) => choose({ fold: ids })} />;
}

interface ModelInFormatAProps {
  readonly compared: ComparedFormats;
  readonly Part: ComponentType<StoredModel>;
}

/** A section on the compared model, stored in format A; a message instead if its size is unknown. */
function ModelInFormatA({ compared: { a, model }, Part }: ModelInFormatAProps) {
  if (a === null) return null;
  const view = model?.viewOf(a);
  if (!view) return <p className="field-hint">{a.format.title}: its size depends on the matrix.</p>;
  return <Part view={view} format={a.format} formatTitle={storedTitle(a)} />;
}

/** Items of the chart besides formats: the name in the address, and the label. */
const OTHER_CURVES = [
  ['published', 'published figures'],
  ['quantised', 'dense in fewer bits, and lossless'],
] as const;

/** The section 'formats in the chart'. */
function ChartFormats() {
  const { formats } = useApp();
  const [{ formats: chosen, beside }, choose] = useChoices(CHART_FIELDS);
  return (
    <div className="flex flex-wrap gap-y-1 gap-x-4">
      {formats.map((format) => (
        <Checkbox
          key={format.id}
          checked={isChosen(format, chosen)}
          disabled={isUserWritten(format)}
          onChange={() => choose({ formats: toggled(chosen, format.id) })}
        >
          <Swatch format={format.id} />
          {format.title}
        </Checkbox>
      ))}
      {OTHER_CURVES.map(([name, label]) => (
        <Checkbox key={name} checked={beside.includes(name)} onChange={() => choose({ beside: toggled(beside, name) })}>
          {label}
        </Checkbox>
      ))}
    </div>
  );
}
