// How often a run times its kernels. A round takes one sample of every kernel (`Rounds` in rounds.ts), and a sample
// runs its kernel as often as fills a pass of the GPU (`Timer` in src/gpu/timer.ts). The order of these rounds is in
// schedule.ts.

/** Rounds of a run of the page, which may end early: the range that Measure's form allows, and its default. */
export const PAGE_ROUNDS = { min: 1, max: 200, default: 24 } as const;

/** Rounds of each shape of a model. A model has many shapes. */
export const MODEL_SHAPE_ROUNDS = 10;

/** Rounds of a run of the package or of `npm run bench`, unless they are given. */
export const PROGRAM_ROUNDS = 20;

/** The most rounds that a run may be given. */
export const MAX_ROUNDS = 10_000;

/** Rounds in which a kernel is timed right after its verification: enough for a first ratio with its spread. */
export const FIRST_ROUNDS = 3;

/**
 * Fewest rounds of a run that ends early. With fewer, the 95 % range of the median would reach to the smallest and the
 * largest sample, and one outlier could decide.
 */
export const EARLY_END_ROUNDS = 9;

/** A run ends early when the 95 % range of each median is at most this wide, relative to its lower end. */
export const EARLY_END_RANGE = 0.01;

/**
 * Rounds of a trial, which chooses among kernels that compute the same: before the rounds of a case, before the search
 * for tuning numbers, and for the kernel that measures the read bandwidth. A software adapter, whose times scatter,
 * needs more before the rounds of a case.
 */
export const TRIAL_ROUNDS = { gpu: 3, software: 5 } as const;

/** Rounds of a trial after which a kernel that is far behind drops out. */
export const TRIAL_ROUNDS_OF_SLOW_KERNELS = 2;

/**
 * Rounds of a race between tuning numbers, such as workgroup sizes: the minimum, however long it takes, and the
 * maximum.
 */
export const RACE_ROUNDS = { min: 2, max: 6 } as const;

/** Rounds in which the package's `run` times the kernels of a stored matrix, to find the fastest. */
export const FASTEST_KERNEL_ROUNDS = 5;
