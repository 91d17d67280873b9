// A figure of lessons: a tale of the dense model, and what a pruned model makes of it.

import '../text/text.css';
import { useMemo, useRef, useState } from 'react';
import { useWidth } from '../../../../src/kit/browser/use-width.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { JobError } from '../JobError.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import { Segmented } from '../../../../src/kit/controls/Segmented.tsx';
import type { RecordedQuality } from '../../decoders/quality/recorded-quality.ts';
import { type AppDocument, pageState, REFERENCE_FORMAT } from '../../../../src/state/index.ts';
import { LANGUAGE_FIELDS } from '../address.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { WriteRequest } from '../service/types.ts';
import { densityOf, languageModelChoice, withDensity } from '../model-choice.ts';
import { MAX_WRITTEN, TEXT_FIELDS } from '../text/fields.ts';
import { OwnTextExcerpt } from '../text/OwnTextExcerpt.tsx';
import { TintLegend } from '../text/TintLegend.tsx';
import { TokenLines } from '../text/TokenLines.tsx';
import { useTextWidth } from '../text/use-text-width.ts';
import { useWriting } from '../text/use-writing.ts';
import { rowAt, rowTitle } from './measured-models.ts';

/** Densities to choose from: the densities of the recorded texts. */
const DENSITIES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3] as const;

/** One tale (a short story) as the dense model wrote it, and as a pruned one reads it and then continues it. */
export function LessonTexts({
  quality,
  document,
}: {
  readonly quality: RecordedQuality;
  readonly document: AppDocument;
}) {
  const { choices } = pageState(document, LANGUAGE_FIELDS);
  const { model, pruning } = languageModelChoice(document.source, choices.model ?? '');
  const [density, setDensity] = useState(densityOf(pruning));
  const request = useMemo<WriteRequest>(
    () => ({
      model: modelAddress(model.id),
      pruning: withDensity(pruning ?? { way: 'wanda', density }, density),
      // A format would only change the speed, which is not shown here.
      format: REFERENCE_FORMAT,
      params: {},
      prompt: TEXT_FIELDS.prompt.default,
      seed: TEXT_FIELDS.seed.default,
      temperature: TEXT_FIELDS.temperature.default,
      count: MAX_WRITTEN,
    }),
    [model, pruning, density],
  );
  const { text, before, running, error, isRecorded, write, stop } = useWriting(request);

  const box = useRef<HTMLDivElement>(null);
  const measure = useTextWidth(box);
  const width = useWidth(box);
  const [pinned, setPinned] = useState(-1);
  const row = rowAt(quality, request.pruning?.way ?? 'wanda', density);
  return (
    <div className="text-tab grid-cols-1 grid gap-4 max-sm:gap-3">
      <Segmented
        label="Weights left, in percent"
        value={String(density)}
        options={DENSITIES.map((left) => ({ value: String(left), label: String(Math.round(100 * left)) }))}
        onChange={(left) => setDensity(Number(left))}
      />
      {row && (
        <p className="text-muted text-12">
          {rowTitle(row)}: <b>{row.bitsPerByte.toFixed(4)}</b> bits for each byte
        </p>
      )}
      <div ref={box} className="min-h-24 text-16">
        {density === 1 && (
          <p className="leading-[1.6] text-16 wrap-anywhere">{[...text.prompt, ...text.dense].join('')}</p>
        )}
        {density < 1 && measure && width > 0 && (
          <TokenLines
            {...{ text, before, pinned, measure }}
            isChosen={pinned >= 0}
            width={width - 4}
            onPin={(token) => setPinned(token === pinned ? -1 : token)}
            onHover={() => {}}
          />
        )}
      </div>
      {running !== null && text.dense.length === 0 && <JobProgress job={running} onCancel={stop} />}
      <JobError error={error} onRetry={write} />
      {density < 1 && (
        <>
          <TintLegend />
          <OwnTextExcerpt text={text} />
        </>
      )}
      <p className="underlined text-muted text-12">
        {isRecorded ? 'This text was recorded.' : text.outcome !== null && 'This text was written here.'}{' '}
        <TextButton onClick={write}>{isRecorded ? 'Write it here' : 'Write it again'}</TextButton>
      </p>
    </div>
  );
}
