/** An experiment that left out parts of a kernel, on the NVIDIA H200 of docs/performance.md. */
interface LimitExperiment {
  /** the matrix that the kernel ran on: '8192 × 8192, 50 % left' */
  readonly on: string;
  /** microseconds of the whole kernel */
  readonly us: number;
  /** microseconds that remain without a part, by the name of the part */
  readonly without: Readonly<Record<string, number>>;
}

/** A limit of a kernel besides bytes and arithmetic, with the kind of evidence for it. */
export interface KernelLimit {
  /** the limit in one or two sentences, without the numbers of the experiment */
  readonly says: string;
  /** 'parts left out', 'comparison' (with a kernel that differs in one thing), 'count' or 'not shown': docs/limits.md */
  readonly evidence: string; // no union, since a limits.json has only strings
  readonly experiment?: LimitExperiment;
}

/** The limit with the numbers of its experiment, as a page shows them. */
export function limitText({ says, experiment }: KernelLimit): string {
  if (!experiment) return says;
  const remain = Object.entries(experiment.without).map(
    ([part, us], i) => `${us}${i === 0 ? ' remain' : ''} without ${part}`,
  );
  return `${says} Of ${experiment.us} µs at ${experiment.on}, ${remain.join(', ')}.`;
}
