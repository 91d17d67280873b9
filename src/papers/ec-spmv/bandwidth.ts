import { bandwidthShare } from '../../theory/models/published-models.ts';
import ecSpmv from './tables.json';

// How much of the card's bandwidth the whole models of EC-SpMV's paper read, from its bytes and its speeds.

const { wholeModel } = ecSpmv.tables;
type Method = keyof typeof wholeModel.gigabytes;

/** Share of the bandwidth in percent, rounded; NaN if that of the card is unknown. */
const percentRead = (of: Method, tokensPerSecond: number): number =>
  Math.round(100 * (bandwidthShare(wholeModel.gigabytes[of], tokensPerSecond, wholeModel.on) ?? Number.NaN));

const [{ dense, sparse }] = wholeModel.rows;
const readSpeed = (of: Method, tokensPerSecond: number): string =>
  `${Math.round(wholeModel.gigabytes[of] * tokensPerSecond)} GB/s, ${percentRead(of, tokensPerSecond)}\u202f% of the card’s bandwidth`;

/** Why the model is hardly faster than dense although it takes less than half of the bytes. */
export const BANDWIDTH_WORDS = `With ${wholeModel.gigabytes.sparse} GB for each token, EC-SpMV reads ${readSpeed('sparse', sparse)}; dense in llama.cpp, with ${wholeModel.gigabytes.dense} GB, reads ${readSpeed('dense', dense)}. So most of what its bytes allow is not reached.`;

/** The table of whole models with a column for each method: the share of the bandwidth that it reads. */
export const WHOLE_MODEL = {
  ...wholeModel,
  columns: {
    ...wholeModel.columns,
    denseRead: 'dense, % of the card’s bandwidth',
    csrRead: 'cuSPARSE, % of the card’s bandwidth',
    sparseRead: 'EC-SpMV, % of the card’s bandwidth',
  },
  rows: wholeModel.rows.map((row) => ({
    ...row,
    denseRead: percentRead('dense', row.dense),
    csrRead: percentRead('csr', row.csr),
    sparseRead: percentRead('sparse', row.sparse),
  })),
  remark: BANDWIDTH_WORDS,
};
