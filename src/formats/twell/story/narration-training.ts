import type { Words } from '../../../core/story/scene.ts';
import { countText, counted, say, strong, valueText } from '../../../core/story/words.ts';
import type { BackwardStep } from './scene-backward.ts';
import type { GateStep } from './scene-gate.ts';
import type { TwellTrace } from './trace.ts';

/** The words of the gate's tile, from which the packed tiles come, and of the backward pass. */

export function narrateGate({ gate, params, block, negatives }: TwellTrace, { about }: GateStep): readonly Words[] {
  if (!gate) return say`There are no cells, so there is ${strong('no tile')} to compute.`;
  const { row, tile, width, kept } = gate;
  switch (about) {
    case 'product':
      return say`One workgroup of the gate GEMM computes tile ${tile}: ${counted(block.width, 'input')} of each token times ${strong(counted(width, 'column'))} of Wg, here for token ${row}. The sums are still in registers. (x and Wg are made up to give this window.)`;
    case 'relu': {
      const left = negatives > 0 ? ' Negative values of this window come from no ReLU and stay.' : '';
      return say`ReLU sets what is negative to 0: ${strong(`${kept.length} of ${counted(width, 'column')}`)} of this tile ${kept.length === 1 ? 'fires' : 'fire'}. A usual GEMM would now write all ${width} to memory.${left}`;
    }
    case 'epilogue': {
      const what =
        params.layout === 'packed' ? 'one word each, behind their count' : 'value and column, and their count';
      return say`Instead the epilogue packs: the columns that fired take the next places ${strong('of their own tile')}, ${what}. So the format’s tiles are the GEMM’s, and h in full is never written.`;
    }
  }
}

export function narrateBackward(t: TwellTrace, { about }: BackwardStep): readonly Words[] {
  const { walk, window, backward } = t;
  const { entries, column, tokens } = backward;
  const [first] = entries;
  switch (about) {
    case 'dh':
      return say`Backwards, the gradient of h u is dy Wdᵀ, needed only ${strong('where h is stored')}: for ${countText(walk.count)} of ${countText(window.cols)} neurons of token ${walk.row}. For neuron ${first.column}, dy times its row of Wd is ${strong(valueText(first.back))}; an L1 term adds a constant.`;
    case 'both':
      return say`Each factor gets the other: du = d(hu) h = ${strong(valueText(first.du))} and dh = d(hu) u = ${strong(valueText(first.dh))} for neuron ${first.column}. u is stored for this, or computed again. The gradient of x adds up rows of Wu and Wg, for these neurons alone.`;
    case 'column':
      return say`Weights go the other way: row ${column} of dWd is the sum of h u dy over the ${strong(counted(tokens.length, 'token'))} that fired neuron ${column}. That reads a column of h: hence the transpose; our kernels find its tokens by halving.`;
  }
}
