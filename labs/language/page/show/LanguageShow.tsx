import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useDocument } from '../../../../src/kit/app-context.ts';
import { JobError } from '../JobError.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { useJob } from '../../../../src/kit/use-job.ts';
import type { PageShowProps } from '../../../../src/kit/page-parts.ts';
import { FONTS } from '../../../../src/render/index.ts';
import { pageState } from '../../../../src/state/index.ts';
import { LANGUAGE_FIELDS } from '../address.ts';
import { PageChoices } from '../../../../src/kit/browser/PageChoices.tsx';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import type { WriteRequest } from '../service/types.ts';
import { recordedText } from '../text/recorded-texts.ts';
import { loadRecordedTexts } from '../text/use-writing.ts';
import { type Drawing, paintDrawing } from './drawing.ts';
import { qualityDrawing } from './quality-drawing.ts';
import { qualityStory } from './quality-story.ts';
import { textDrawing } from './text-drawing.ts';
import { useTextRequest, useDrawingColors, useQualityMeasurements, useTextStory } from './use-narration.ts';
import { useUnitTextWidth } from '../text/use-text-width.ts';

/** Language models in a presentation or an embedded frame: two texts token by token, or the quality of a model. */
export function LanguageShow(props: PageShowProps) {
  const tab = useDocument((doc) => pageState(doc, LANGUAGE_FIELDS).tab);
  return (
    <PageChoices page={LANGUAGE_FIELDS}>
      {tab === 'quality' ? <QualityShow {...props} /> : <TextShow {...props} />}
    </PageChoices>
  );
}

/** Whether a recording of this text comes with the page; null until known, and if not `isEnabled`. */
function useHasRecording(request: WriteRequest, isEnabled: boolean): boolean | null {
  const { data: hasRecording } = useJob(isEnabled ? ['Looking for a recorded text', request] : null, async () => {
    const texts = await loadRecordedTexts(request.model.id).catch(() => null);
    return texts !== null && recordedText(texts, request) !== null;
  });
  return hasRecording;
}

function TextShow({ player, onStory, isEmbedded }: PageShowProps) {
  const request = useTextRequest();
  const recorded = useHasRecording(request, isEmbedded);
  // In a frame, the weights (7 MB) are downloaded only after a click.
  const { writing, story } = useTextStory(isEmbedded && recorded !== true);
  useEffect(() => onStory(story), [story, onStory]);
  const step = useStore(player.store, (s) => s.step);
  const colors = useDrawingColors();
  const measure = useUnitTextWidth();
  const { running, error, text, isRecorded, write, stop } = writing;
  const isMissing = isEmbedded && recorded === false && text.outcome === null;
  return (
    <div className="language-show flex flex-col gap-2 min-h-0 h-full">
      <DrawingCanvas
        key="text"
        label={`The text at token ${step}`}
        draw={(width, height) =>
          story && measure
            ? textDrawing(text, { ...story.at(step), width, height, largest: 34, smallest: 12, measure, colors })
            : null
        }
      />
      {running !== null && running.progress !== null && <JobProgress job={running} onCancel={stop} />}
      <JobError error={error} onRetry={write} />
      {isEmbedded && running === null && (
        <p className="text-muted text-12">
          {isMissing && 'This text was not recorded. '}
          <TextButton onClick={write}>{isMissing || isRecorded ? 'Write it here' : 'Write it again'}</TextButton>
        </p>
      )}
    </div>
  );
}

function QualityShow({ player, onStory }: PageShowProps) {
  const measurements = useQualityMeasurements();
  const story = useMemo(() => measurements && qualityStory(measurements), [measurements]);
  useEffect(() => onStory(story), [story, onStory]);
  const step = useStore(player.store, (s) => s.step);
  const colors = useDrawingColors();
  return (
    <div className="language-show flex flex-col gap-2 min-h-0 h-full">
      <DrawingCanvas
        key="quality"
        label={`How good the model is, ${step} of ${story?.stepCount ?? 0} measured`}
        draw={(width, height) => story && qualityDrawing({ points: story.shownAt(step), width, height, colors })}
      />
    </div>
  );
}

interface DrawingCanvasProps {
  readonly label: string;
  /** the drawing for a box of this size, px; null if there is nothing to draw */
  readonly draw: (width: number, height: number) => Drawing | null;
}

/** A drawing in the available space; a taller drawing scrolls. */
function DrawingCanvas({ label, draw }: DrawingCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || size.width === 0) return;
    const drawing = draw(size.width, size.height);
    const scale = window.devicePixelRatio || 1;
    const height = Math.ceil(drawing?.height ?? 0);
    element.width = Math.round(size.width * scale);
    element.height = Math.max(1, Math.round(height * scale));
    element.style.blockSize = `${height}px`;
    if (!drawing) return;
    context.scale(scale, scale);
    paintDrawing(context, drawing, FONTS.sans);
  });
  return (
    <div ref={box} className="[scrollbar-width:thin] min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
      <canvas ref={canvas} className="w-full" role="img" aria-label={label} />
    </div>
  );
}
