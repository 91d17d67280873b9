import { useMemo } from 'react';
import { Swatch } from '../../../kit/controls/Swatch.tsx';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { modelBytes } from '../../../theory/models/model-bytes.ts';
import { RateChart, type RateLevel } from './RateChart.tsx';
import { perSecond } from './shapes.ts';
import type { Large } from './use-large.ts';

interface LargeProps {
  readonly known: Large;
  /** a token of the dense model */
  readonly denseNs: number | null;
}

/** Tokens per second of a large model against what is left of it. */
export function Rates({ known, denseNs }: LargeProps) {
  const { large, left, choose, format, stored, isDense, measured, readGBps, pytorch, published, whole } = known;
  const limit = useMemo(
    () =>
      readGBps === null || isDense
        ? []
        : Array.from({ length: 96 }, (_, i) => 1 - i / 100).flatMap((density) => {
            const bytes = modelBytes(large, { ...stored, density });
            return bytes ? [{ density, tokensPerSecond: (readGBps * 1e9) / bytes.readStored }] : [];
          }),
    [readGBps, isDense, large, stored],
  );
  const levels: readonly RateLevel[] = [
    ...(denseNs === null ? [] : [{ title: 'dense, matrices', tokensPerSecond: perSecond(denseNs), dotted: false }]),
    ...whole.dense.map(({ tokensPerSecond }) => ({ title: 'dense, whole', tokensPerSecond, dotted: false })),
    ...(pytorch?.ways ?? []).map(({ title, tokensPerSecond }) => ({ title, tokensPerSecond, dotted: false })),
    ...(published
      ? [
          {
            title: `dense, ${published.device}`,
            tokensPerSecond: published.points[0].denseTokensPerSecond,
            dotted: true,
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="speed-rates">
      <h3 id="speed-rates" className="side-head">
        Tokens per second against density{' '}
        <span className="section-caption">{large.name}; dots: its matrices alone; rings: whole tokens</span>
      </h3>
      <RateChart
        format={format.id}
        title={format.title}
        points={
          isDense
            ? []
            : measured.flatMap((one) =>
                one.storedNs === null ? [] : [{ density: one.density, tokensPerSecond: perSecond(one.storedNs) }],
              )
        }
        whole={whole.stored}
        limit={limit}
        levels={levels}
        published={
          published && {
            title: `${format.title}, ${published.place.toLowerCase()}, ${published.device}`,
            points: published.points,
          }
        }
        density={left}
        onChange={(next) => choose({ left: next })}
      />
      {published && (
        <p className="speed-note">
          <Swatch format={format.id} /> Squares: whole tokens as{' '}
          <a href={published.paper} target="_blank" rel="noreferrer" style={{ color: cssTextColorOf(format.id) }}>
            published
          </a>
          , {published.place}.
        </p>
      )}
    </section>
  );
}
