/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'twell/gate':
    'The product, not the packing: the same tile without packing takes as long (0.995). It takes 1.03 times as long as dense/gate, whose tile is 128 × 128 instead of 64 × 256.',
  'twell/gate_converted':
    'The product: with a pass of its own for packing it takes 1.04 times as long as dense/gate, and 1.03 times with the packing in the tile.',
};
