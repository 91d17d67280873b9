import { useMemo } from 'react';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import { useTheme } from '../../../../kit/browser/use-theme.ts';
import { leftText } from '../../../../kit/words/shares.ts';
import { formatColor } from '../../../../render/theme.ts';
import { PLACE_FIELDS } from '../fields.ts';
import { useKnownQuality } from '../quality/use-known-quality.ts';
import type { WriteRequest } from '../service/types.ts';
import { useWriteRequest, useWriting } from '../text/use-writing.ts';
import { useMatrixChoices } from '../use-matrix-choices.ts';
import { useSubjectOrShipped } from '../use-subject.ts';
import type { DrawingColors } from './drawing.ts';
import type { QualityNarration } from './quality-story.ts';
import { textStory } from './text-story.ts';

/** The request for the two texts of the page's address. */
export function useTextRequest(): WriteRequest {
  const subject = useSubjectOrShipped();
  const [{ by: calibration }] = useChoices(PLACE_FIELDS);
  return useWriteRequest(subject, useMatrixChoices(subject), calibration);
}

/** The two texts, and once complete their presentation in steps. `isManual`: they are written only on request. */
export function useTextNarration(isManual: boolean) {
  const subject = useSubjectOrShipped();
  const { model } = subject;
  const { words, density } = useMatrixChoices(subject);
  const request = useTextRequest();
  const { seed } = request;
  const writing = useWriting(request, isManual);
  const { text, isRecorded } = writing;
  const story = useMemo(() => {
    if (text.written === null) return null;
    const left = density === 1 ? 'not pruned' : `${leftText(density)} of its weights left`;
    const about = `${left}${words === null ? '' : ' (' + words + ')'}, seed ${seed}, ${isRecorded ? 'recorded' : 'written here'}`;
    return textStory(text, { density, title: model.shape.name, about });
  }, [text, density, words, seed, isRecorded, model]);
  return { writing, story };
}

/** The data for presenting the model's quality in steps; null until there are any. */
export function useQualityNarration(): QualityNarration | null {
  const subject = useSubjectOrShipped();
  const { points, floor, bytesPerTale, recorded } = useKnownQuality(subject);
  const { name } = subject.model.shape;
  return useMemo(() => {
    if (floor === null || points.length === 0) return null;
    const about = recorded ? `${recorded.tales} held-out tales, recorded` : 'measured in this browser';
    return { points, floor, bytesPerTale, title: name, about };
  }, [points, floor, bytesPerTale, recorded, name]);
}

/** The colors of drawings in the current theme. */
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
      own: formatColor(theme, format),
    }),
    [theme, format],
  );
}
