import { useMemo } from 'react';
import { ARITHMETICS } from '../../../core/report.ts';
import { trail } from '../../../theory/roofline/roofs.ts';
import { clampTo } from '../../../kit/charts/axis.ts';
import { Chart } from '../../../kit/charts/Chart.tsx';
import { useTitleOf } from '../../../kit/report/use-title-of.ts';
import { percent, time } from '../../../kit/words/quantity.ts';
import { axesOf } from './roof-axes.ts';
import { choiceOf, type RoofPoint, shareOfRoof } from './roof-points.ts';
import { pointTitle, sourceText, tokensText } from './roof-words.ts';
import { DenseAtBest, Grid, Roof, Slope } from './RoofLines.tsx';
import { placedPoints, PointButtons, Points } from './RoofPoints.tsx';
import { MeasuredTrails, Trail } from './RoofTrails.tsx';
import type { Roofline } from './use-roofline.ts';
import { threeDigits } from '../../../core/story/words.ts';
import { flopRate } from '../../../kit/words/rates.ts';

const HEIGHT = 560;

/** Every kernel hangs from its point on the device's roof: the length of the line is the loss. */
export function RoofChart({ roofline }: { readonly roofline: Roofline }) {
  const { device, shown, measured, point, subject, dense, choices, choose } = roofline;
  const titleOf = useTitleOf();
  const { roofs } = device;
  const trails = useMemo(() => {
    if (subject === null || point === null || point.tokens === null) return [];
    return trail(roofs, 'f32', {
      nnz: subject.nnz,
      matrixBytes: point.bytes - point.vectorBytes,
      tokenBytes: point.vectorBytes / point.tokens,
      padding: point.multiplyAdds / (point.flop / 2),
    });
  }, [roofs, subject, point]);
  const { x, y } = useMemo(() => axesOf(roofline, trails), [roofline, trails]);
  const kinds = ARITHMETICS.filter((kind) => roofs.peakGMAps[kind] !== undefined);
  const spoken = point
    ? `${pointTitle(point, titleOf)} does ${threeDigits(point.flopPerByte)} flop per byte and reaches ${flopRate(point.gflops)} of the ${flopRate(point.roofGflops)} that the roof allows.`
    : 'A roof with no kernels.';
  return (
    <Chart
      id="roofline"
      heading={{
        title: 'Roofline: useful arithmetic against flop per byte',
        caption: `${device.name}, ${sourceText(device.by)}; ${subject?.title ?? ''}; ${tokensText(choices.tokens)}`,
      }}
      spoken={spoken}
      x={x}
      y={y}
      height={HEIGHT}
      series={[]}
      figures={() => ({
        head: ['kernel', 'flop per byte', 'roof, Gflop/s', 'reached, Gflop/s', 'predicted', 'measured', 'of its roof'],
        rows: [...new Set([...shown, ...measured])].map((p) => ({
          name: nameOf(p, titleOf),
          cells: [
            threeDigits(p.flopPerByte),
            threeDigits(p.roofGflops),
            p.measured ? threeDigits(p.gflops) : '–',
            time(p.prediction.ns),
            p.measured ? time(p.measured.ns) : '–',
            p.measured ? percent(shareOfRoof(p) ?? 0, 0) : '–',
          ],
          values: [
            nameOf(p, titleOf),
            p.flopPerByte,
            p.roofGflops,
            p.measured ? p.gflops : null,
            p.prediction.ns,
            p.measured?.ns ?? null,
            shareOfRoof(p),
          ],
        })),
      })}
      over={(plot) => (
        <PointButtons
          placed={placedPoints(plot, y, shown)}
          chosen={point}
          titleOf={titleOf}
          onChoose={(chosen) => choose({ format: choiceOf(chosen) })}
        />
      )}
    >
      {(plot) => (
        <>
          <Grid plot={plot} x={x} />
          {kinds.map((kind, i) => (
            <Roof key={kind} plot={plot} roofline={roofline} kind={kind} xAxis={x} first={i === 0} />
          ))}
          {kinds.length === 0 && <Slope plot={plot} roofline={roofline} to={x.domain[1]} />}
          <DenseAtBest plot={plot} roofline={roofline} xAxis={x} />
          <Trail plot={plot} points={trails} roofline={roofline} titleOf={titleOf} yAxis={y} />
          <MeasuredTrails plot={plot} roofline={roofline} yAxis={y} />
          <Points plot={plot} placed={placedPoints(plot, y, shown)} chosen={point} titleOf={titleOf} />
          {dense && (
            <line
              className="plot-dotted"
              x1={plot.x(dense.flopPerByte)}
              x2={plot.x(dense.flopPerByte)}
              y1={plot.y(clampTo(y.domain, dense.gflops / 1000)) + 6}
              y2={plot.bottom}
            />
          )}
        </>
      )}
    </Chart>
  );
}

/** 'MACKO macko/spmv_staged, 1 token' */
function nameOf(point: RoofPoint, titleOf: (format: string) => string): string {
  const values = Object.values(point.params).join(' ');
  const tokens = point.tokens === null ? '' : `, ${tokensText(point.tokens)}`;
  return `${titleOf(point.format)} ${point.kernel === '' ? 'predicted' : point.kernel} ${values}${tokens}`;
}
