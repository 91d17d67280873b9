/* What presentations and exports of the page Language show: its texts, its measured quality, and their colours. */

import { useMemo } from 'react';
import { useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { useTheme } from '../../../../src/kit/browser/use-theme.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { formatColor } from '../../../../src/render/index.ts';
import { SHARED_FIELDS } from '../fields.ts';
import { useKnownQuality } from '../quality/use-known-quality.ts';
import type { WriteRequest } from '../service/types.ts';
import { useWriteRequest, useWriting } from '../text/use-writing.ts';
import { useMatrixOverrides } from '../use-matrix-overrides.ts';
import { useChosenModelOrShipped } from '../use-model-choice.ts';
import type { DrawingColors } from './drawing.ts';
import type { QualityMeasurements } from './quality-story.ts';
import { textStory } from './text-story.ts';

/** The request to write the texts of the dense and the pruned model in the page's address. */
export function useTextRequest(): WriteRequest {
  const modelChoice = useChosenModelOrShipped();
  const [{ by: calibration }] = useChoices(SHARED_FIELDS);
  return useWriteRequest(modelChoice, useMatrixOverrides(modelChoice), calibration);
}

/** Both models' texts, and their presentation in steps, null until they are complete. `isManual`: only on request. */
export function useTextStory(isManual: boolean) {
  const modelChoice = useChosenModelOrShipped();
  const { model } = modelChoice;
  const { words, density } = useMatrixOverrides(modelChoice);
  const request = useTextRequest();
  const { seed } = request;
  const writing = useWriting(request, isManual);
  const { text, isRecorded } = writing;
  const story = useMemo(() => {
    if (text.outcome === null) return null;
    const left = density === 1 ? 'not pruned' : `${densityText(density)} of its weights left`;
    const description = `${left}${words === null ? '' : ' (' + words + ')'}, seed ${seed}, ${isRecorded ? 'recorded' : 'written here'}`;
    return textStory(text, { density, title: model.shape.name, description });
  }, [text, density, words, seed, isRecorded, model]);
  return { writing, story };
}

/** The measurements for presenting the model's quality in steps; null without measurements. */
export function useQualityMeasurements(): QualityMeasurements | null {
  const modelChoice = useChosenModelOrShipped();
  const { points, floor, bytesPerTale, recorded } = useKnownQuality(modelChoice);
  const { name } = modelChoice.model.shape;
  return useMemo(() => {
    if (floor === null || points.length === 0) return null;
    const description = recorded ? `${recorded.tales} held-out tales, recorded` : 'measured in this browser';
    return { points, floor, bytesPerTale, title: name, description };
  }, [points, floor, bytesPerTale, recorded, name]);
}

/** The colours of drawings in the current theme. */
export function useDrawingColors(): DrawingColors {
  const theme = useTheme(useApp().preferences);
  const format = useDocument((doc) => doc.format);
  return useMemo(
    () => ({
      ground: theme.ground,
      text: theme.text,
      muted: theme.textMuted,
      quiet: theme.textQuiet,
      hairline: theme.hairline,
      danger: theme.danger,
      tint: theme.danger,
      pruned: formatColor(theme, format),
    }),
    [theme, format],
  );
}
