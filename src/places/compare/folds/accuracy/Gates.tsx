import { useEffect, useState } from 'react';
import { Chart } from '../../../../kit/charts/Chart.tsx';
import type { Axis } from '../../../../kit/charts/axis.ts';
import { percent } from '../../../../kit/words/quantity.ts';
import { GATES_SOURCE, PUBLISHED_GATE, PUBLISHED_GATES } from './published.ts';
import { type GateRow, type NetworkIndex, parseNetworkIndex } from './network-index.ts';
import { SectionHead } from '../../../../kit/controls/Section.tsx';
import { oneDecimal } from '../../../../kit/words/rates.ts';

/** The effect of an L1 term on a network's gates: non-zeros, accuracy, dead neurons. */
export function Gates() {
  const [index, setIndex] = useState<NetworkIndex | string | null>(null);
  useEffect(() => {
    const loading = new AbortController();
    void readIndex(loading.signal).then(
      (read) => setIndex(read),
      (error: unknown) => {
        if (!loading.signal.aborted)
          setIndex(`The figures could not be read: ${error instanceof Error ? error.message : String(error)}.`);
      },
    );
    return () => loading.abort();
  }, []);
  return (
    <section className="network-gates" aria-label="Sparse activations">
      <SectionHead level={3} title="Sparse activations" caption="an L1 term on the gate, trained on the same digits" />
      {typeof index === 'string' && <p className="field-error">{index}</p>}
      {index !== null && typeof index !== 'string' && <GateFigures index={index} />}
    </section>
  );
}

async function readIndex(signal: AbortSignal): Promise<NetworkIndex> {
  const response = await fetch(new URL('networks/index.json', document.baseURI), { signal });
  if (!response.ok) throw new Error(`networks/index.json: found status ${response.status}, expected 200`);
  return parseNetworkIndex(await response.text());
}

function GateFigures({ index }: { readonly index: NetworkIndex }) {
  const { gates, neurons } = index;
  const [first] = gates;
  if (!first) return null;
  const x: Axis = {
    scale: 'log',
    domain: [4, neurons],
    ticks: [5, 10, 20, 50, 100, 200, 500, 1000],
    text: String,
    title: `non-zeros per image, of ${neurons} neurons`,
    reversed: true,
  };
  const y: Axis = {
    scale: 'log',
    domain: [0.005, 0.5],
    ticks: [0.5, 0.2, 0.1, 0.05, 0.02, 0.01],
    text: (error) => `${100 - 100 * error}\u202f%`,
    title: 'told right',
    reversed: true,
  };
  const points = gates.map((gate) => ({ x: gate.meanNonZeros, y: 1 - gate.accuracy }));
  const dead = gates
    .filter((gate) => gate.deadNeurons > 0)
    .map((g) => ({ x: g.meanNonZeros, y: g.deadNeurons / neurons }));
  return (
    <>
      <p className="network-text">{gateWords(gates, neurons)}</p>
      <Chart
        id="gates-by-l1"
        heading={{ title: 'Gates with an L1 term', caption: 'accuracy by non-zeros per image, digits' }}
        spoken={gateWords(gates, neurons)}
        x={x}
        y={y}
        height={220}
        series={[{ id: 'gates', kind: 'measured', title: null, color: 'var(--text)', points }]}
        notes={gates.map((gate) => ({
          x: gate.meanNonZeros,
          y: 1 - gate.accuracy,
          text: `L1 ${gate.l1}, ${percent(gate.deadNeurons / neurons, 0)} dead`,
        }))}
        figures={() => ({
          head: ['L1 coefficient', 'mean non-zeros', 'most', 'dead neurons', 'told right'],
          rows: gates.map((gate) => ({
            name: String(gate.l1),
            cells: [
              oneDecimal(gate.meanNonZeros),
              String(gate.mostNonZeros),
              String(gate.deadNeurons),
              percent(gate.accuracy, 3),
            ],
            values: [gate.l1, gate.meanNonZeros, gate.mostNonZeros, gate.deadNeurons, gate.accuracy],
          })),
        })}
      />
      {dead.length === 0 && <p className="field-hint">No neuron is dead.</p>}
      <p className="network-text">
        Language models cope better.{' '}
        {`In the TwELL paper a model of 1.5B parameters lets ${PUBLISHED_GATE.without} of ${PUBLISHED_GATE.neurons} neurons fire without the term; with the coefficient that it recommends, 2 × 10⁻⁵, ${PUBLISHED_GATE.with} do, more than ${percent(PUBLISHED_GATE.dead, 0)} are dead, and accuracy over seven tasks goes from ${PUBLISHED_GATES[2].dense} % to ${PUBLISHED_GATES[2].sparse} % (0.5B ${change(0)}, 1B ${change(1)}, 2B ${change(3)}). `}
        Coefficients are not comparable with ours.{' '}
        <a href={GATES_SOURCE.url} rel="noreferrer">
          {GATES_SOURCE.title}
        </a>
        , {GATES_SOURCE.place}.
      </p>
      <p className="field-hint">
        {index.gatesProvenance} {index.provenance} Licence: {index.licence}.
      </p>
    </>
  );
}

function change(i: number): string {
  const { dense, sparse } = PUBLISHED_GATES[i];
  return `${dense} to ${sparse} %`;
}

/** How strong the term may get before accuracy falls by half a point, in a sentence. */
function gateWords(gates: readonly GateRow[], neurons: number): string {
  const [first] = gates;
  const good = gates.filter((gate) => gate.accuracy >= first.accuracy - 0.005);
  const best = good.reduce((a, b) => (b.meanNonZeros < a.meanNonZeros ? b : a), first);
  const last = gates.reduce((a, b) => (b.meanNonZeros < a.meanNonZeros ? b : a), first);
  return `Without the term, ${first.meanNonZeros.toFixed(0)} of ${neurons} neurons fire for an image; with ${best.l1}, ${best.meanNonZeros.toFixed(0)} do, at ${percent(best.accuracy, 1)} instead of ${percent(first.accuracy, 1)} accuracy. With ${last.l1}, ${last.meanNonZeros.toFixed(0)} fire, ${percent(last.deadNeurons / neurons, 0)} of the neurons never do, and accuracy is ${percent(last.accuracy, 1)}.`;
}
