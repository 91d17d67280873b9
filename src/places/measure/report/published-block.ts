/**
 * What the authors of TwELL measured with whole language models: forward passes on NVIDIA H100 PCIe, tokens per
 * millisecond, trained without and with L1 (2e-5). Source: TwELL paper, table 1; its non-zeros are in section 4.2 (39
 * and 24) and in tables 3 and 5 (29).
 */
export interface PublishedForward {
  /** of the model */
  readonly parameters: string;
  readonly denseTokensPerMs: number;
  readonly sparseTokensPerMs: number;
  /** speed relative to the dense model, minus 1, as printed; the throughputs are rounded */
  readonly gain: number;
  /** mean non-zeros per token and layer; null if none is printed */
  readonly nonZeros: number | null;
}

export const PUBLISHED_FORWARD: readonly PublishedForward[] = [
  { parameters: '0.5 B', denseTokensPerMs: 410, sparseTokensPerMs: 480, gain: 0.17, nonZeros: 39 },
  { parameters: '1 B', denseTokensPerMs: 185, sparseTokensPerMs: 219, gain: 0.181, nonZeros: null },
  { parameters: '1.5 B', denseTokensPerMs: 119, sparseTokensPerMs: 141, gain: 0.188, nonZeros: 29 },
  { parameters: '2 B', denseTokensPerMs: 87.8, sparseTokensPerMs: 106, gain: 0.205, nonZeros: 24 },
];
