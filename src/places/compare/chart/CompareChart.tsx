import './chart.css';
import { useCallback, useMemo, useState } from 'react';
import { useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { Segmented } from '../../../kit/controls/Segmented.tsx';
import { CHART_FIELDS } from '../curves/curve-choices.ts';
import type { Compared } from '../rows/compare-row.ts';
import { ChartShown } from './ChartShown.tsx';
import { MatrixSize } from './MatrixSize.tsx';
import { MatrixSpeed } from './MatrixSpeed.tsx';
import { ModelPicture } from './ModelPicture.tsx';
import { SmallestMap } from './SmallestMap.tsx';
import { leftCursor, type PictureProps } from './picture-parts.ts';
import { useLeft } from '../curves/left.ts';
import { useLiveEnds } from './use-live.ts';
import { useModelAsked } from './model-asked.ts';

/** One chart over what is left: bytes of a matrix, tokens per second of a model; its thumb is the word in the sentence. */
export function CompareChart({ compared }: { readonly compared: Compared }) {
  const [{ picture: chosen, axis: scale }, choose] = useChoices(CHART_FIELDS);
  const left = useLeft();
  const summary = useSession((s) => s.summary);
  const isNarrow = useMedia('(width < 34.5rem)');
  const asked = useModelAsked(compared);
  const [strong, setStrong] = useState<string | null>(null);
  useLiveEnds();
  const isModel = asked !== null;
  const shown = chosen === '' ? (isModel ? 'speed' : 'size') : chosen;
  const { at, preview, commit } = left;
  const picture = useMemo(
    (): PictureProps | null =>
      at === null
        ? null
        : {
            cursor: leftCursor(at, scale, preview, commit),
            scale,
            height: isNarrow ? 240 : 260,
            narrow: isNarrow,
            strong,
            onStrong: setStrong,
          },
    [at, scale, preview, commit, isNarrow, strong],
  );
  const pick = useCallback(
    (share: number) => {
      preview(share);
      commit();
    },
    [preview, commit],
  );
  const tools = (
    <div className="left-choices">
      <Segmented
        label="over what is left"
        value={shown}
        options={[
          { value: 'size', label: isModel ? 'GB' : 'size' },
          { value: 'speed', label: isModel ? 'tokens per second' : 'speed' },
          { value: 'smallest', label: 'who is smallest' },
        ]}
        onChange={(value) => choose({ picture: value })}
      />
      {shown !== 'smallest' && (
        <Segmented
          label="axis"
          value={scale}
          options={[
            { value: 'linear', label: 'linear' },
            { value: 'log', label: 'logarithmic' },
          ]}
          onChange={(axis) => choose({ axis })}
        />
      )}
    </div>
  );
  if (summary === null || at === null || picture === null) return <section className="left" aria-busy="true" />;
  return (
    <section className="left" aria-label="Over what is left">
      {shown === 'smallest' ? (
        <SmallestMap left={left} tools={tools} onPick={pick} />
      ) : isModel ? (
        <ModelPicture
          compared={compared}
          asked={asked}
          shown={shown}
          left={left}
          at={at}
          picture={picture}
          tools={tools}
        />
      ) : shown === 'size' ? (
        <MatrixSize compared={compared} left={left} picture={picture} onPick={pick} tools={tools} />
      ) : (
        <MatrixSpeed left={left} picture={picture} onPick={pick} tools={tools} />
      )}
      <ChartShown />
    </section>
  );
}
