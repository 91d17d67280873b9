import { brokenFirst, commonLaws } from './answer.ts';
import { curveOf, denseOf, pointName, type QualityPoint } from './points.ts';

/** Laws with a tint of their own. */
const NAMED = 5;

/** Which law broke first in the tales of some points: one bar each, its length the share of tales. */
export function BreaksFirst({ points, shown }: { readonly points: readonly QualityPoint[]; readonly shown: number }) {
  const judged = points.filter((p) => p.judged > 0);
  const dense = denseOf(judged);
  const densities = [...new Set([0.6, 0.5, 0.4, shown])].toSorted((a, b) => b - a);
  const rows = [
    ...(dense ? [dense] : []),
    ...curveOf(judged, 'wanda').filter((p) => p !== dense && densities.some((d) => Math.abs(d - p.density) < 1e-9)),
  ];
  if (rows.length === 0) return <p className="quiet">No tale has been judged yet.</p>;
  const laws = commonLaws(rows, NAMED);
  return (
    <>
      <ul className="breaks">
        {rows.map((point) => {
          const broken = brokenFirst(point, laws);
          const whole = broken.reduce((sum, { count }) => sum + count, 0);
          const words = broken.map(({ law, count }) => `${law} ${count}`).join(', ');
          return (
            <li key={point.id} data-shown={Math.abs(point.density - shown) < 1e-9 || undefined}>
              <span className="breaks-name">{pointName(point)}</span>
              <span className="breaks-bar" role="img" aria-label={`${whole} of ${point.judged} tales broken: ${words}`}>
                {broken.map(({ law, count }) => (
                  <span
                    key={law}
                    title={`${law}: ${count} of ${point.judged}`}
                    data-law={law === 'other' ? NAMED : laws.indexOf(law)}
                    style={{ inlineSize: `${(100 * count) / point.judged}%` }}
                  />
                ))}
              </span>
              <span className="number">{whole}</span>
            </li>
          );
        })}
      </ul>
      <ul className="breaks-legend" aria-hidden="true">
        {[...laws, 'other'].map((law, i) => (
          <li key={law}>
            <span data-law={i} />
            {law}
          </li>
        ))}
      </ul>
    </>
  );
}
