// What the page Training says about its network and about the paper.

import { useMemo } from 'react';
import { countText } from '../../../src/core/text/words.ts';
import { PaperFigures } from '../../../src/papers/PaperTables.tsx';
import twell from '../../../src/papers/twell/tables.json';
import { BATCH, DEAD_AFTER, SIZES, STEPS, TEST_IMAGES, TILE, TILE_CAPACITY, WARM_UP } from '../theory/run.ts';
import { DEFAULT_L1, observationsOf } from './observations.ts';
import { RECORDED_RUNS } from './recorded-runs.ts';

/** Results of training runs of the TwELL paper: its tables 1, 3, 4 and 5. */
const { scales, activations, gates, deadNeurons } = twell.tables;
const [smallest, largest] = [scales.rows[0], scales.rows[scales.rows.length - 1]];

/** The TwELL paper's observations about training, whether this network shows them, and the paper's tables. */
function Observations() {
  const observations = useMemo(() => observationsOf(RECORDED_RUNS), []);
  return (
    <div className="leading-[1.45] grid gap-4 text-15 max-w-[48rem] grid-cols-1">
      <p className="text-muted text-13">
        The paper trains models of {smallest.parameters} to {largest.parameters} billion weights on {smallest.trainedOn}{' '}
        to {largest.trainedOn} billion tokens; this network has 400 thousand. Equation 2 divides L1 by the number of
        neurons; here nothing does. Where no coefficient is named, it is {DEFAULT_L1}.
      </p>
      {observations.map(({ id, title, verdict, paper, here }) => (
        <section key={id} className="training-observation" aria-labelledby={`observation-${id}`}>
          <h3 className="text-15" id={`observation-${id}`}>
            {title} <span className="text-muted font-normal">{verdict} here</span>
          </h3>
          <p>
            <b>Paper</b> {paper}
          </p>
          <p>
            <b>Here</b> {here}
          </p>
        </section>
      ))}
      {[scales, activations, gates, deadNeurons].map((table) => (
        <PaperFigures key={table.title} source={twell} table={table} />
      ))}
    </div>
  );
}

/** What is trained, how, and what the curves count. */
function Network() {
  return (
    <div className="training-network leading-[1.45] grid gap-4 text-15 max-w-[48rem] grid-cols-1">
      <p>
        <b>Network</b> {SIZES.inputs} pixels, a layer of {SIZES.model} values, a gated block of{' '}
        {countText(SIZES.hidden)} neurons, x + (ReLU(x Wg) * (x Wu)) Wd, then ten classes. The seed draws the digits.
      </p>
      <p>
        <b>Training</b> {STEPS} steps of {BATCH} images, none seen twice, by Adam. Loss: cross entropy + L1 × sum of
        |h|.
      </p>
      <p>
        <b>Counted</b> A neuron is dead when none of the last {countText(DEAD_AFTER)} images fired it; at the end, none
        of {countText(TEST_IMAGES)} test images. A tile of {TILE} neurons overflows when more than {TILE_CAPACITY} fire.
      </p>
      <p>
        <b>Switches</b> Reinitialising moves a dead gate a tenth towards random weights in every step (equation 6). A
        warm-up leaves L1 out for {WARM_UP} steps, and raises it over as many.
      </p>
    </div>
  );
}

/** The text below the curves of the page Training: the network that it trains, and the TwELL paper's results. */
export function NetworkAndPaper() {
  return (
    <>
      <Network />
      <Observations />
    </>
  );
}
