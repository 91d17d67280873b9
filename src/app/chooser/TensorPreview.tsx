import { largest } from '../../core/number/statistics.ts';
import type { PreviewResult } from '../../state/index.ts';
import { percent, shape } from '../../kit/words/quantity.ts';

const WIDTH = 320;
const HEIGHT = 64;

/** Zeros, patterns and magnitudes of a tensor. */
export function TensorPreview({ state }: { readonly state: PreviewResult | 'reading' }) {
  if (state === 'reading') {
    return (
      <p className="tensor-preview" role="status">
        Reading the tensor …
      </p>
    );
  }
  if (state.kind === 'cancelled') return null;
  if (state.kind === 'failed') {
    return (
      <p className="tensor-preview field-error" role="alert">
        {state.reason}
      </p>
    );
  }
  const { rows, cols, zeroShare, histogram, patterns } = state.preview;
  return (
    <section className="tensor-preview" aria-label="What is inside">
      <dl className="facts">
        <dt>rows × cols</dt>
        <dd>{shape(rows, cols)}</dd>
        <dt>zeros</dt>
        <dd>{percent(zeroShare)}</dd>
        {patterns.map(({ kept, group, share }) => (
          <PatternFact key={`${kept}:${group}`} name={`groups within ${kept}:${group}`} share={share} />
        ))}
      </dl>
      <Histogram {...histogram} />
    </section>
  );
}

function PatternFact({ name, share }: { readonly name: string; readonly share: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{share === 1 ? 'all' : percent(Math.min(share, 0.999))}</dd>
    </>
  );
}

function Histogram({ firstExponent, counts }: { readonly firstExponent: number; readonly counts: readonly number[] }) {
  if (counts.length === 0) return <p className="faint">No non-zero to draw.</p>;
  const max = largest(counts);
  const step = WIDTH / counts.length;
  const last = firstExponent + counts.length;
  const fullest = firstExponent + counts.indexOf(max);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="tensor-histogram"
        role="img"
        aria-label={`Magnitudes from 2 to the ${firstExponent} to 2 to the ${last}, most of them from 2 to the ${fullest} on`}
      >
        {counts.map((n, i) => {
          const height = n === 0 ? 0 : Math.max(1, (HEIGHT * n) / max);
          return (
            <rect
              key={firstExponent + i}
              x={i * step}
              y={HEIGHT - height}
              width={Math.max(1, step - 1)}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption className="faint">
        <span>
          |value| 2<sup>{firstExponent}</sup>
        </span>
        <span>
          2<sup>{last}</sup>
        </span>
      </figcaption>
    </figure>
  );
}
