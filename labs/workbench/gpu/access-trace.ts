// Changes a kernel so that one of its workgroups records which array elements its lanes read and write.

import { KernelError } from '../../../src/core/errors.ts';
import type { AccessSite, AccessTrace } from '../theory/access-steps.ts';
import type { KernelPlan } from '../../../src/core/kernel/kernel.ts';
import { declaredArrays, indexExpressions, isWritten } from './array-accesses.ts';
import {
  type Insertion,
  type WgslFunction,
  type WgslFunctions,
  wgslFunctions,
  withInsertions,
} from './wgsl-functions.ts';
import { elementStrides } from './wgsl-layout.ts';

/** The part of a kernel's run that a trace records. */
export interface TraceOptions {
  /** index of the pass in the plan */
  readonly pass: number;
  /** index of the traced workgroup in its dispatch, row by row */
  readonly workgroup: number;
  /** number of traced lanes: the first of the workgroup */
  readonly lanes: number;
  /** maximum accesses recorded per lane */
  readonly max: number;
}

/** A plan that records which elements its lanes touch. */
export interface TracedPlan {
  readonly plan: KernelPlan;
  /** Splits the words of all outputs into the trace and the original plan's outputs. */
  read(words: Uint32Array<ArrayBuffer>): { readonly trace: AccessTrace; readonly words: Uint32Array<ArrayBuffer> };
}

const TRACE = 'sparsescope_trace';

/**
 * The same plan with one workgroup traced: every index into an array of a buffer or of workgroup memory passes through
 * a function that records it and returns it unchanged. The WGSL must compile. One more storage buffer is bound. Throws
 * KernelError if there is no such pass.
 */
export function withAccessTrace(plan: KernelPlan, options: TraceOptions): TracedPlan {
  const pass = plan.passes.at(options.pass);
  if (!pass) throw new KernelError(`pass: found ${options.pass}, expected one of ${plan.passes.length}`);
  const { lanes, max } = options;
  const parts = pass.files.map(({ path, code }) => ({ path, parsed: wgslFunctions(code) }));
  const arrays = new Map(
    parts.flatMap(({ parsed }) => declaredArrays(parsed, pass.bindings)).map((array) => [array.name, array]),
  );
  const strideOf = elementStrides(parts.map(({ parsed }) => parsed.tokens));
  const sites: AccessSite[] = [];
  // Words of a lane in the trace: a count, two for each recorded access, and two that all later accesses overwrite.
  const laneWords = 1 + 2 * (max + 1);
  const files = parts.map(({ path, parsed }) => {
    const insertions: Insertion[] = [];
    for (const fn of parsed.functions) {
      for (const { open, close, name } of indexExpressions(parsed, fn, arrays)) {
        const array = arrays.get(name);
        if (!array) continue;
        const { tokens, code } = parsed;
        const line = code.slice(0, tokens[open].offset).split('\n').length;
        const { element, ...declared } = array;
        const writes = isWritten(tokens, close);
        sites.push({ file: path, line, ...declared, elementBytes: strideOf(element), writes });
        insertions.push({ offset: tokens[open].offset + 1, text: `sparsescope_seen(${sites.length - 1}u, ` });
        insertions.push({ offset: tokens[close].offset, text: ')' });
      }
      if (fn.isEntry) insertions.push(...entryInsertions(parsed, fn, pass.workgroups[0], options, laneWords)); // bounded: at most four
    }
    return { path, code: withInsertions(parsed.code, insertions) };
  });
  const trace = { path: 'trace of memory', code: traceCode(pass.bindings.length, options) };
  const passes = plan.passes.map((other, i) =>
    i === options.pass ? { ...pass, files: [trace, ...files], bindings: [...pass.bindings, TRACE] } : other,
  );
  // The other workgroups write to the second half, which is ignored.
  const traceWords = 2 * lanes * laneWords;
  return {
    plan: { ...plan, passes, buffers: [...plan.buffers, { role: 'output', name: TRACE, bytes: 4 * traceWords }] },
    read(words) {
      const traceStart = words.length - traceWords;
      const counts = new Uint32Array(lanes);
      const siteOf = new Uint32Array(lanes * max);
      const elements = new Uint32Array(lanes * max);
      for (let lane = 0; lane < lanes; lane++) {
        const start = traceStart + lane * laneWords;
        // A lane without accesses has written no count: the word has the value that buffers are filled with.
        counts[lane] = words[start] <= MAX_COUNTED ? words[start] : 0;
        for (let i = 0; i < Math.min(counts[lane], max); i++) {
          siteOf[lane * max + i] = words[start + 1 + 2 * i];
          elements[lane * max + i] = words[start + 2 + 2 * i];
        }
      }
      return { trace: { sites, lanes, max, counts, siteOf, elements }, words: words.slice(0, traceStart) };
    },
  };
}

/** Upper bound of a count. The value with which outputs are filled before a run is larger. */
const MAX_COUNTED = 2 ** 30;

function traceCode(binding: number, { max }: TraceOptions): string {
  return `@group(0) @binding(${binding}) var<storage, read_write> ${TRACE}: array<u32>;
var<private> sparsescope_at: u32 = 0u;
var<private> sparsescope_count: u32 = 0u;
fn sparsescope_seen(site: u32, element: u32) -> u32 {
  let at = sparsescope_at + 2u * min(sparsescope_count, ${max}u);
  ${TRACE}[at + 1u] = site;
  ${TRACE}[at + 2u] = element;
  sparsescope_count += 1u;
  ${TRACE}[sparsescope_at] = sparsescope_count;
  return element;
}
`;
}

/** The insertions into main: code by which a lane finds its part of the trace, and the parameters that it needs. */
function entryInsertions(
  { tokens }: WgslFunctions,
  fn: WgslFunction,
  dispatchWidth: number,
  { workgroup, lanes }: TraceOptions,
  laneWords: number,
): readonly Insertion[] {
  const added: string[] = [];
  // The parameter for a builtin, which is added if there is none.
  const builtin = (name: string, type: string): string => {
    for (let i = fn.paramsOpen; i < fn.paramsClose; i++) {
      // @builtin ( name ) parameter : type
      if (tokens[i].text === name) return tokens[tokens[i + 1].text === ',' ? i + 3 : i + 2].text;
    }
    const parameter = `sparsescope_${name}`;
    added.push(`@builtin(${name}) ${parameter}: ${type}`);
    return parameter;
  };
  const lane = builtin('local_invocation_index', 'u32');
  const id = builtin('workgroup_id', 'vec3<u32>');
  const hasNoParameters = fn.paramsClose === fn.paramsOpen + 1;
  const parameters = added.length === 0 ? '' : `${added.join(', ')}${hasNoParameters ? '' : ', '}`;
  const isTraced = `${id}.y * ${dispatchWidth}u + ${id}.x == ${workgroup}u`;
  return [
    { offset: tokens[fn.paramsOpen].offset + 1, text: parameters },
    {
      offset: tokens[fn.open].offset + 1,
      text: ` sparsescope_at = ${laneWords}u * (min(${lane}, ${lanes - 1}u) + select(${lanes}u, 0u, ${isTraced}));`,
    },
  ];
}
