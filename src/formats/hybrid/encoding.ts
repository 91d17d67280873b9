import { countFrom } from '../../core/comparison/counts.ts';
import { declareEncoding } from '../../core/declared/declare.ts';
import type { Row } from '../../core/declared/record.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import { bf16Value } from '../../core/number/index.ts';
import { meanText } from '../../core/text/rounded.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { counted, countText } from '../../core/text/words.ts';
import { arrays, type HybridArray, type HybridEncoded, NONE } from './layout.ts';
import { type HybridParams, params, slotsOf, tailCapacityOf } from './params.ts';
import { rowCounts, tailRejection } from './routing.ts';

/** How the TwELL paper's hybrid (short rows in slots, long rows in a dense tail) is encoded; reasons for its size. */
export const encoding = declareEncoding<HybridArray, HybridParams, HybridEncoded>({
  id: 'hybrid',
  params,
  arrays,
  *encode(A, { values, indices, counts, tailMap, tailRows, tail }, p, narrate) {
    const { rows, cols } = p;
    const slots = slotsOf(cols, p);
    const tailCapacity = tailCapacityOf(rows, cols, p);
    // Section 3.5: the tail is allocated beforehand.
    // step: room
    tail.zeros(tailCapacity * cols);
    narrate?.(
      `Memory is reserved first: ${counted(slots, 'slot')} for each row, a tail of ${counted(tailCapacity, 'row')}.`,
    );
    let tailUsed = 0;
    // Section 3.4: rows are routed by their counts, as in listing 4.
    for (const row of A) {
      // step: count
      counts.push(row.length);
      const isLong = row.length > slots;
      if (isLong) {
        if (tailUsed === tailCapacity) return false;
        // The tail gets all cells of the row.
        // step: tail
        tail.setAt(row.columns, row.values, row.length, tailUsed * cols);
        tailRows.push(row.index);
        tailMap.push(tailUsed++);
      } else {
        // The slots get the non-zeros, and their columns.
        // step: slot
        values.pushAll(row.values, row.length);
        indices.pushAll(row.columns, row.length);
        tailMap.push(NONE);
      }
      // Every row has slots, and those without a non-zero contain 0: in a long row, all of them.
      const empty = isLong ? slots : slots - row.length;
      values.pad(0, empty);
      indices.pad(0, empty);
      narrate?.(routeText(row, slots, tailUsed), row);
      yield;
    }
    tailRows.pad(NONE, tailCapacity - tailUsed);
    return { slots, tailCapacity, tailUsed };
  },
  /** Algorithm 3: rows in slots, and rows of the tail; here in the order of the matrix. */
  decode({ values, indices, counts, tailMap, tail }, p, put) {
    const slots = slotsOf(p.cols, p);
    for (let r = 0; r < p.rows; r++) {
      const first = tailMap[r] * p.cols;
      if (tailMap[r] === NONE) for (let i = r * slots; i < r * slots + counts[r]; i++) put(r, indices[i], values[i]);
      else for (let c = 0; c < p.cols; c++) put(r, c, tail[first + c]);
    }
  },
  overflows: (m, p) => tailRejection(rowCounts(m), m.cols, p),
  shorter: 'Choose fewer row slots, a smaller tail or a part of the matrix.',
  rules: {
    values: '0 in empty slots',
    indices: 'ascend in a row, below cols; 0 in empty slots',
    counts: 'at most cols, add up to nnz',
    tailMap: 'only long rows, each with its tail row',
    tailRows: 'the row whose tailMap names it; none if free',
    tail: 'no more non-zeros than the row has; 0 in free rows',
  },
  checkLengths(e, v) {
    v.expect('values', null, 'slots', e.slots, slotsOf(e.cols, e), 'rowSlots, at most cols');
    const capacity = tailCapacityOf(e.rows, e.cols, e);
    v.expect('tail', null, 'tailCapacity', e.tailCapacity, capacity, 'rows / tailShare, rounded up');
  },
  check,
  sizeReason,
  comparison: {
    why({ rows, cols, nnz, rowCounts }, p) {
      const slots = slotsOf(cols, p);
      const tailCapacity = tailCapacityOf(rows, cols, p);
      const tailUsed = countFrom(rowCounts, p.rowSlots + 1);
      if (rows === 0) return 'There is no row.';
      const filled = `Rows have ${countText(slots)} slots and ${meanText(nnz / rows)} non-zeros on average`;
      if (tailCapacity === 0) return `${filled}; none can be longer.`;
      const longer = `${counted(tailUsed, 'longer one')} ${tailUsed === 1 ? 'lies' : 'lie'}`;
      return `${filled}; ${longer} in a dense tail of ${counted(tailCapacity, 'row')}.`;
    },
    whyRefused({ rows, cols, rowCounts }, p) {
      const long = countFrom(rowCounts, p.rowSlots + 1);
      const space = tailCapacityOf(rows, cols, p);
      if (long <= space) return null;
      return `${countText(long)} of ${counted(rows, 'row')} ${long === 1 ? 'is' : 'are'} longer than ${p.rowSlots} slots; the dense tail has ${counted(space, 'row')}.`;
    },
    marks({ rows, cols, rowCounts }, p) {
      if (cols <= p.rowSlots) return [];
      const long = countFrom(rowCounts, p.rowSlots + 1);
      return [
        {
          chart: { of: 'rows' },
          at: p.rowSlots,
          title: 'hybrid, slots',
          lines: [countText(p.rowSlots), `${countText(long)} of ${countText(rows)} over`],
        },
      ];
    },
  },
});

/** The text that says where a row goes. `tailUsed` is the number of tail rows in use, this row's included. */
function routeText({ index, length }: Row, slots: number, tailUsed: number): string {
  const has = `Row {row ${index}} has ${counted(length, 'non-zero')}`;
  if (length > slots) return `${has}, more than ${slots}: it goes whole to tail row ${tailUsed - 1}.`;
  return length === 0
    ? `${has}: its slots stay empty.`
    : `${has}, at most ${slots}: its slots keep values and columns.`;
}

/** Checks that counts add up to nnz, short rows are in their slots, long ones in tail rows, and the rest is empty. O(slots + tail). */
function check(e: HybridEncoded, v: Violations): void {
  const sum = e.counts.reduce((total, count) => total + count, 0);
  v.expect('counts', null, 'sum of counts', sum, e.nnz, 'nnz');
  for (let r = 0; r < e.rows && !v.full; r++) checkRow(e, r, v);
  for (let t = 0; t < e.tailCapacity && !v.full; t++) checkTailRow(e, t, v);
}

/** Checks that a short row is in its slots, a long one in the tail, and unused slots are 0. */
function checkRow(e: HybridEncoded, r: number, v: Violations): void {
  const { cols, slots, values, indices, counts, tailMap, tailRows, tailUsed } = e;
  const count = counts[r];
  const tailRow = tailMap[r];
  const isLong = count > slots;
  if (count > cols) v.add('counts', r, `counts[${r}]: found ${count}, expected at most cols = ${cols}`);
  if (!isLong) {
    if (tailRow !== NONE) v.add('tailMap', r, `tailMap[${r}]: found ${tailRow}, expected none for ${count} non-zeros`);
    v.columns('indices', indices, { row: r, start: r * slots, count, step: 1 }, cols);
  } else if (tailRow >= tailUsed || tailRows[tailRow] !== r) {
    v.add('tailMap', r, `tailMap[${r}]: found ${tailRow}, expected the tail row of row ${r}`);
  }
  for (let at = r * slots + (isLong ? 0 : count); at < (r + 1) * slots && !v.full; at++) {
    if (indices[at] !== 0) v.expect('indices', at, `indices[${at}], an empty slot of row ${r}`, indices[at], 0);
    if (values[at] !== 0) v.expect('values', at, `values[${at}], an empty slot of row ${r}`, values[at], 0);
  }
}

/** Checks that a used tail row belongs to a row and has no more non-zeros than that row, and that a free one is 0. */
function checkTailRow(
  { rows, cols, counts, tailMap, tailRows, tail, tailUsed }: HybridEncoded,
  t: number,
  v: Violations,
): void {
  const r = tailRows[t];
  if (t >= tailUsed) {
    if (r !== NONE) v.add('tailRows', t, `tailRows[${t}]: found ${r}, expected none for a free tail row`);
  } else if (r >= rows || tailMap[r] !== t) {
    v.add('tailRows', t, `tailRows[${t}]: found ${r}, expected the row whose tailMap is ${t}`);
    return;
  }
  let nnz = 0;
  for (let at = t * cols; at < (t + 1) * cols; at++) if (bf16Value(tail[at]) !== 0) nnz++;
  const max = t < tailUsed ? counts[r] : 0;
  if (nnz > max) v.add('tail', t * cols, `tail row ${t}: found ${nnz} non-zeros, expected at most ${max}`);
}

/** Why a hybrid matrix has its size, in words: slots of every row, and a tail of fixed capacity. O(1). */
function sizeReason({ rows, slots, tailUsed, tailCapacity }: HybridEncoded): Stated {
  if (rows === 0) return stated`there is no row`;
  const longest = fact('slots of a row', slots);
  const all = fact('rows', rows, 'count', ['row', 'rows']);
  if (tailCapacity === 0)
    return stated`every row has ${{ ...longest, unit: ['slot', 'slots'] }}, and none can be longer`;
  const available = fact('rows that the tail has room for', tailCapacity, 'count', ['row', 'rows']);
  if (tailUsed === 0) return stated`none of ${all} has more than ${longest} non-zeros; the tail has ${available}`;
  return stated`${fact('long rows', tailUsed)} of ${all} ${tailUsed === 1 ? 'has' : 'have'} more than ${longest} non-zeros; the tail has ${available}`;
}
