import { type Board, valueOf } from './board.ts';

/** The group on the board as a matrix of one row, in Matrix Market form; its name says which columns are set. */
export function rowFile(board: Board): File {
  const { columns, choice } = board;
  const lines = [
    '%%MatrixMarket matrix coordinate real general',
    `1 ${choice.group} ${columns.length}`,
    ...columns.map((c) => `1 ${c + 1} ${numberText(valueOf(board, c))}`),
  ];
  const places = Array.from({ length: choice.group }, (_, c) => (columns.includes(c) ? '1' : '0'));
  return new File([`${lines.join('\n')}\n`], `row ${places.join('')}.mtx`);
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? 'inf' : '-inf';
}

/** N where the format on the stage slides this pattern on this hardware, else the sentence that says why it does not. */
export function stageHalfGroup({ kept, group, hardwareKept, window }: Board['choice']): number | string {
  if (hardwareKept !== 2 || window !== 4) return `The stage slides for 2:4, not for ${hardwareKept}:${window}.`;
  if (group % 2 === 0 && group >= 4 && group <= 16 && kept === group - 2) return group / 2;
  return `The stage slides (2N−2):2N with N from 2 to 8, not ${kept}:${group}.`;
}
