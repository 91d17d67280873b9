import { Toolbar } from '../../../../src/kit/primitives/Layout.tsx';
import { useMemo } from 'react';
import { useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { saveBlob, saveText } from '../../../../src/kit/browser/save-blob.ts';
import { FONTS } from '../../../../src/render/index.ts';
import { failureText, pageState } from '../../../../src/state/index.ts';
import { LANGUAGE_FIELDS } from '../address.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { PageChoices } from '../../../../src/kit/browser/PageChoices.tsx';
import { Button } from '../../../../src/kit/controls/Button.tsx';
import { TEXT_FIELDS } from '../text/fields.ts';
import { type Drawing, drawingPng, drawingSvg } from './drawing.ts';
import { qualityDrawing } from './quality-drawing.ts';
import { qualityCsv, qualityJson } from './quality-export.ts';
import { qualityStory } from './quality-story.ts';
import { textDrawing } from './text-drawing.ts';
import { textFile } from './text-story.ts';
import { useUnitTextWidth } from '../text/use-text-width.ts';
import { useDrawingColors, useQualityMeasurements, useTextRequest, useTextStory } from './use-narration.ts';

/** The page Language in the export dialog: saves the model's text, or in the tab Quality its measurements, as files. */
export function LanguageFiles() {
  const tab = useDocument((doc) => pageState(doc, LANGUAGE_FIELDS).tab);
  return <PageChoices page={LANGUAGE_FIELDS}>{tab === 'quality' ? <QualityFiles /> : <TextFiles />}</PageChoices>;
}

/** Width and font sizes of a saved picture of the text, CSS px. */
const PICTURE_LAYOUT = { width: 960, height: null, largest: 18, smallest: 18 } as const;

/** Saves the text. `mode` 'held': the pruned model reads the dense model's text; 'free': it writes its own text. */
function TextFiles() {
  const { writing, story } = useTextStory(true);
  const { model } = useTextRequest();
  const [{ mode }] = useChoices(TEXT_FIELDS);
  const colors = useDrawingColors();
  const measure = useUnitTextWidth();
  const save = useSave();
  const { text } = writing;
  if (story === null) return <p className="text-muted">There is no text yet.</p>;
  const draw = (): Drawing | null =>
    measure &&
    textDrawing(text, {
      mode,
      count: mode === 'held' ? text.readTokens.length : Number.POSITIVE_INFINITY,
      ...PICTURE_LAYOUT,
      measure,
      colors,
    });
  const name = `${model.id}-${mode}`;
  return (
    <section aria-labelledby="language-files">
      <h3 id="language-files">{mode === 'held' ? 'The dense text' : 'Its own text'}</h3>
      <Toolbar>
        <PictureButtons name={name} draw={draw} ground={colors.ground} />
        <Button onClick={() => save(() => saveText(`${name}.txt`, textFile(text, story), 'text/plain'))}>Words</Button>
      </Toolbar>
    </section>
  );
}

/** Saves the quality of the model under its measured prunings. */
function QualityFiles() {
  const measurements = useQualityMeasurements();
  const story = useMemo(() => measurements && qualityStory(measurements), [measurements]);
  const colors = useDrawingColors();
  const save = useSave();
  if (measurements === null) return <p className="text-muted">Nothing was measured yet.</p>;
  const draw = (): Drawing | null =>
    story && qualityDrawing({ points: story.shownAt(story.stepCount), width: 1120, height: 520, colors });
  const name = 'quality';
  return (
    <section aria-labelledby="language-files">
      <h3 id="language-files">Quality</h3>
      <Toolbar>
        <PictureButtons name={name} draw={draw} ground={colors.ground} />
        <Button onClick={() => save(() => saveText(`${name}.csv`, qualityCsv(measurements), 'text/csv'))}>CSV</Button>
        <Button onClick={() => save(() => saveText(`${name}.json`, qualityJson(measurements), 'application/json'))}>
          JSON
        </Button>
      </Toolbar>
    </section>
  );
}

interface PictureButtonsProps {
  readonly name: string;
  readonly draw: () => Drawing | null;
  readonly ground: string;
}

/** Buttons that save a drawing as SVG and as PNG. */
function PictureButtons({ name, draw, ground }: PictureButtonsProps) {
  const save = useSave();
  const asSvg = (drawing: Drawing): void =>
    saveText(`${name}.svg`, drawingSvg(drawing, ground, FONTS.sans), 'image/svg+xml');
  const asPng = async (drawing: Drawing): Promise<void> =>
    saveBlob(`${name}.png`, await drawingPng(drawing, ground, FONTS.sans));
  const saveButton = (title: string, write: (drawing: Drawing) => void | Promise<void>) => (
    <Button
      onClick={() =>
        save(() => {
          const drawing = draw();
          return drawing === null ? undefined : write(drawing);
        })
      }
    >
      {title}
    </Button>
  );
  return (
    <>
      {saveButton('SVG', asSvg)}
      {saveButton('PNG', asPng)}
    </>
  );
}

/** Returns a function that runs `write`, and shows its error if it fails. */
function useSave(): (write: () => void | Promise<void>) => void {
  const { announce } = useApp();
  return (write) => {
    const begin = async (): Promise<void> => write();
    begin().catch((error: unknown) => announce(failureText(error, 'Saving')));
  };
}
