import type { RecordedQuality, RecordedRow } from '../../../language/quality/recorded.ts';
import type { MeasuredQuality } from '../service/quality-types.ts';
import type { ShownFigure } from './address.ts';
import { brokenIn, LAW_GROUPS, rowTitle } from './rows.ts';

interface BarsProps {
  readonly quality: RecordedQuality;
  readonly shown: ShownFigure;
  readonly rows: readonly RecordedRow[];
  /** measured in this browser, by the title of the model */
  readonly found: ReadonlyMap<string, MeasuredQuality>;
  /** what is asked for is not shown */
  readonly hidden: boolean;
}

/** Models side by side, as bars. */
export function Bars({ quality, shown, rows, found, hidden }: BarsProps) {
  if (shown !== 'laws') return <Values quality={quality} shown={shown} rows={rows} found={found} hidden={hidden} />;
  return rows.map((row) => (
    <Laws key={rowTitle(row)} row={row} here={found.get(rowTitle(row)) ?? null} hidden={hidden && row.way !== 'none'} />
  ));
}

interface ValuesProps extends BarsProps {
  readonly shown: 'bits' | 'unbroken';
}

/** A bar for each model. */
function Values({ quality, shown, rows, found, hidden }: ValuesProps) {
  const isBits = shown === 'bits';
  const valueOf = (row: RecordedRow): number => (isBits ? row.bitsPerByte : (row.unbroken ?? 0));
  const hereOf = (row: RecordedRow): MeasuredQuality | null => {
    const here = found.get(rowTitle(row));
    return here && (isBits ? here.tales : here.judged) > 0 ? here : null;
  };
  const known = rows.filter((row) => !hidden || row.way === 'none');
  // A few tales have a floor of their own.
  const floorHere = rows.map(hereOf).find((here) => here !== null)?.floor;
  const measuredHere = rows.map((row) => hereOf(row)?.bitsPerByte ?? 0);
  const max = isBits
    ? Math.max(quality.floor.exact, ...known.map(valueOf), ...measuredHere) // bounded: rows of a figure
    : quality.tales;
  return (
    <ol className="models-bars">
      {isBits && (
        <ModelBar
          title="the floor"
          kind="floor"
          share={quality.floor.exact / max}
          value={quality.floor.exact.toFixed(4)}
          here={floorHere === undefined ? null : { share: floorHere / max, value: floorHere.toFixed(4) }}
        />
      )}
      {rows.map((row) => {
        const title = rowTitle(row);
        const kind = row.way === 'none' && row.valueType === 'f16' ? 'whole' : 'pruned';
        if (!known.includes(row)) return <ModelBar key={title} title={title} kind="hidden" share={0.6} value="?" />;
        const value = valueOf(row);
        const here = hereOf(row);
        return (
          <ModelBar
            key={title}
            title={title}
            kind={kind}
            share={value / max}
            value={isBits ? value.toFixed(4) : String(value)}
            here={
              here &&
              (isBits
                ? { share: here.bitsPerByte / max, value: here.bitsPerByte.toFixed(4) }
                : { share: here.unbroken / here.judged, value: `${here.unbroken} of ${here.judged}` })
            }
          />
        );
      })}
    </ol>
  );
}

interface LawsProps {
  readonly row: RecordedRow;
  readonly here: MeasuredQuality | null;
  readonly hidden: boolean;
}

/** How many tales broke, by what broke first. */
function Laws({ row, here, hidden }: LawsProps) {
  const judged = Math.max(1, row.judged ?? 0);
  const broken = judged - (row.unbroken ?? 0);
  return (
    <section className="models-laws">
      <h4>
        {rowTitle(row)} <span className="section-caption">{broken} broken</span>
      </h4>
      <ol className="models-bars">
        {LAW_GROUPS.map(({ title, laws }) => {
          if (hidden) return <ModelBar key={title} title={title} kind="hidden" share={0.6} value="?" />;
          const count = brokenIn(row, laws);
          const counted = here && here.judged > 0 ? brokenIn(here, laws) : null;
          return (
            <ModelBar
              key={title}
              title={title}
              kind={row.way === 'none' ? 'whole' : 'pruned'}
              share={count / judged}
              value={String(count)}
              here={
                counted === null || !here
                  ? null
                  : { share: counted / here.judged, value: `${counted} of ${here.judged}` }
              }
            />
          );
        })}
      </ol>
    </section>
  );
}

interface ModelBarProps {
  readonly title: string;
  readonly kind: 'floor' | 'whole' | 'pruned' | 'hidden';
  /** of the longest bar */
  readonly share: number;
  readonly value: string;
  /** measured in this browser */
  readonly here?: { readonly share: number; readonly value: string } | null;
}

function ModelBar({ title, kind, share, value, here = null }: ModelBarProps) {
  return (
    <li className="models-bar" data-kind={kind}>
      <span className="models-name">{title}</span>
      <span className="models-track">
        <i style={{ inlineSize: `${100 * share}%` }} />
        {here && <i className="models-here" style={{ inlineSize: `${100 * here.share}%` }} />}
      </span>
      <span className="number">
        {value}
        {here && <span className="models-here-value">here {here.value}</span>}
      </span>
    </li>
  );
}
