/** What the story of TwELL has to say, for narrations.test.ts: texts with named places for their facts. */
export const RULES = {
  noNeurons: 'There are no neurons here, so there is nothing to pack.',
  fewFire: 'After ReLU most neurons are {zero}: here {zeros} of {cells}. TwELL keeps ',
  manyFire: 'After ReLU many neurons are usually {zero}: here {zeros} of {cells}. TwELL keeps ',
  noneFires:
    'After ReLU most neurons are {zero}: here all {cells}. TwELL keeps those that fire, tile by tile, while they are computed.',
  keepsOne: 'the one that fired, while its tile is computed.',
  keeps: 'the {nnz} that fired, tile by tile, while they are computed.',
  negative: ' ReLU would leave no negative values; here there is {negatives}, and it is stored like the others.',
  negatives: ' ReLU would leave no negative values; here there are {negatives}, and they are stored like the others.',
  ell: 'ELL pushes the whole row to the left. All tiles are computed at once, so tile {tile} cannot know how much room tile {first} needs.',
  ellOneTile:
    'ELL pushes the whole row to the left. With more tiles, all would be computed at once, and tile {tile} could not know how much room tile {first} needs.',
  noWidth: 'How many slots a row gets is known only once the last row is counted. Here, no row holds anything.',
  width:
    'How many slots a row gets is known only once the last row is counted: {longest slot}, because token {row} has {longest non-zero}. {empty} of {slots} {empty:stays|stay} empty.',
  passes:
    'So the GEMM has to write h dense, {bytes} B, and a second kernel reads all of it again to pack it. TwELL aims to write packed tiles straight away.',
  noGate: 'There are no cells, so there is no tile to compute.',
  gate: 'One workgroup of the gate GEMM computes tile {tile}: {inputs input} of each token times {columns column} of Wg, here for token {row}. The sums are still in registers. (x and Wg are made up to give this window.)',
  relu: 'ReLU sets what is negative to {zero}: {kept} of {columns column} of this tile {kept:fires|fire}. A usual GEMM would now write all {columns} to memory.',
  reluNegatives: ' Negative values of this window come from no ReLU and stay.',
  reluOut:
    'ReLU sets what is negative to {zero}. Token {row} overflows and is left out of this story, so its tile is shown empty.',
  epilogue:
    'So every tile packs itself: first how many fired, then each value with its column. Nobody waits, and the full h is never written.',
  epilogueSplit:
    'So every tile packs itself: each value with its column, and how many fired. Nobody waits, and the full h is never written.',
  tokenTile: 'Token {row}, tile {tile} (',
  column: 'column {first})',
  columns: 'columns {first} to {last})',
  overflows:
    ' holds {count non-zero} for {capacity place}: it overflows. The encoder refuses this matrix and names the place; the token waits for the hybrid.',
  wouldFit:
    ' would fit, but another tile of this token overflows: the token is left out of this story and waits for the hybrid.',
  holds: ' holds {count non-zero}. {count:It moves|They move} to the left inside {count:its|their} own tile',
  full: ', which is full',
  emptyWords: '; {empty word} {empty:stays|stay} empty',
  emptySlots: '; {empty slot} {empty:stays|stay} empty',
  notedWord: ', and word {zero} says {count}.',
  notedCount: ', and counts says {count}.',
  oneEmpty: 'Token {first} leaves tile {tile} (',
  moreEmpty: 'Tokens {first} to {row} leave tile {tile} (',
  unreadWords: ' empty: count {zero}, with {capacity word} never read.',
  unreadSlots: ' empty: count {zero}, with {capacity slot} never read.',
  unreadWordsEach: ' empty: count {zero} each, with {capacity word} each never read.',
  unreadSlotsEach: ' empty: count {zero} each, with {capacity slot} each never read.',
  tile: 'Tile {tile} is finished: {stored non-zero} of {tokens token}. Its place in memory was known beforehand.',
  notDone: ' Tile {before} to its left is not done yet, which does not matter.',
  noTiles: 'There are no columns, so there is no tile to pack.',
  value:
    'Token {row} holds {value} in column {column}. As f32 it takes {bits} bits: a sign, {exponent} bits of exponent, {fraction} of fraction.',
  example:
    'An example, since the window holds nothing: {value} in column {column}. As f32 it takes {bits} bits: a sign, {exponent} bits of exponent, {fraction} of fraction.',
  exampleOut:
    'An example, since no token is stored: {value} in column {column}. As f32 it takes {bits} bits: a sign, {exponent} bits of exponent, {fraction} of fraction.',
  exact: 'bf16 keeps the upper {half} bits, rounded to nearest, ties to even: {hex}, which loses nothing here.',
  rounded: 'bf16 keeps the upper {half} bits, rounded to nearest, ties to even: {hex}, {value} becomes {stored}.',
  columnPacked:
    'The column, {column}, takes the lower {half} bits. They reach {reach} columns; a wider matrix is refused and needs the split layout.',
  columnSplit:
    'The split layout keeps the column, {column}, as a {bits}-bit number, so it takes matrices of any width.',
  word: 'Both make one word: {hex} = {word}. One load brings value and column, and word {zero} of the same tile row says how many to read.',
  wordExample: ' ({one} in column {column} would be {hex}.)',
  wordSplit:
    'Value and column are at the same index of two arrays, and counts says how many of a tile row to read. The packed layout joins them: {hex}.',
  fullest: 'The fullest tile row is tile {tile} of token {row}: {real non-zero} for {capacity place}.',
  noneFull:
    'All tile rows are empty. Each has {capacity place} for {width} columns, because an average token needs few.',
  fullestFits:
    'The fullest tile row is tile {tile} of token {row}: {real} of {capacity place}. An average token needs few; some tokens need many more.',
  token: 'Token {row}',
  madeUp: 'A hot token, made up,',
  madeUpFrom: 'A hot token, made up from token {row},',
  hot: ' has {count non-zero} in tile {tile}, where {capacity} {capacity:fits|fit}: {lost} {lost:has|have} no place. SparseScope refuses such a matrix and names the place; a kernel that carries on loses values or counts them twice.',
  wraps:
    'The published kernel carries on. Where its words wrap around after word {slots}, which is not written to memory, ',
  goesOn: 'Where its words do not wrap, {inPadding} {inPadding:lies|lie} in the padding after the row',
  below: ', {below} in the row below, the first of them over its count',
  colon: ': ',
  lostOne: 'column {columns} is lost',
  lost: 'columns {columns} are lost',
  lostMany: '{lost} of {count} are lost',
  repeatedOne: ', column {columns} is counted again',
  repeated: ', columns {columns} are counted again',
  repeatedMany: ', {repeated} are counted again',
  countRead: ', and the count is mistaken for a non-zero with value {zero}',
  stop: '.',
  noLower:
    'First way out: a lower compression. With tiles of {columns} columns, {four} instead of {eight} gives {wider} places instead of {narrower}. Here, none holds it: compression {two}, the lowest, has {places place} for {width} columns.',
  lower:
    'First way out: compression {from} becomes {to}. Every tile row gets {more} instead of {fewer}: the token fits, and all tokens together take {times} times the bytes.',
  hybrid:
    'Second way out: the hybrid. The token’s whole row goes into a dense tail, {bytes} B, and tokens that fire few neurons stay compact.',
  rowOut: 'Token {row} overflowed and is not stored: it would come from the tail of the hybrid.',
  firstRow: 'The simplest down projection has one output: each non-zero times the x of its column. ',
  rowNone: 'Token {row} fires no neuron: y[{row}] = {y}.',
  row: 'Token {row} walks its {tiles tile} and reads {count non-zero}: y[{row}] = {y}.',
  block: 'Now the whole block, for token {token} with {inputs input}. ',
  entry:
    'Non-zero {number} of {count}, in tile {tile}: neuron {column} with h = {h}. Only for neurons like this one is anything of Wu and Wd read.',
  up: 'Up: x times column {column} of Wu, {terms} = {u}. The weights are stored transposed, so the column is contiguous.',
  down: 'Down: h u = {h} × {u} = {product} times row {column} of Wd is added to y: now {y}.',
  otherOne: 'The last one follows in the same way. ',
  others: 'The other {rest} follow in the same way. ',
  walked:
    'Token {token} has read {count} of {cols} columns of Wu and rows of Wd. No u was written to memory, and the next token is another workgroup’s.',
  noWalk: 'No token fires a neuron, so there is nothing to walk: every output is {zero}.',
  noWalkStored: 'No token is stored, so there is nothing to walk: every output is {zero}.',
  compact:
    'Token {row} has {count non-zero}: no more than {room}, so it goes to the compact part, with {bits} bits per column.',
  tail: 'Token {row} has {count non-zero}, more than {room}: it goes whole into the tail, as its row {place}. The map records which.',
  clamped: ' The published conversion clamps each tile to {slots slot} and counts {clamped}',
  without: ': it leaves the token in its slots, without {missing} of its non-zeros.',
  noRoute: 'There are no tokens, so there is nothing to route.',
  noneRouted:
    'None of {rows token} needs the tail, whose room is for a share of them. Overfilling it is refused; the published kernels leave a token without room out, so it becomes zero.',
  routed:
    '{tail} of {rows token} {tail:lies|lie} in the tail and {tail:holds|hold} {share}\u202f% of the non-zeros. A dense row costs bytes, but no count can overflow it.',
  transpose:
    'Training also reads h by columns: a neuron’s gradient is a sum over the tokens that fired it. So the hybrid is transposed: the non-zero of token m and neuron n goes to row n, column m.',
  uneven: 'The rows of the transpose can be as uneven as those of h.',
  unevenEmpty: ' Here every one of them is empty.',
  longColumn: ' Neuron {column} is fired by {count token}: more than {room}, so it goes to the tail of the transpose.',
  shortColumn: ' {count token} {count:fires|fire} neuron {column}: it fits the compact part.',
  dh: 'Backwards, the gradient of h u is dy Wdᵀ, needed only where h is stored: for {count} of {cols} neurons of token {token}. For neuron {column}, dy times its row of Wd is {back}; an L1 term adds a constant.',
  both: 'Each factor gets the other: du = d(hu) h = {du} and dh = d(hu) u = {dh} for neuron {column}. u is stored for this, or computed again. The gradient of x adds up rows of Wu and Wg, for these neurons alone.',
  weights:
    'Weights go the other way: row {column} of dWd is the sum of h u dy over the {tokens token} that fired neuron {column}. That reads a column of h: hence the transpose; our kernels find its tokens by binary search.',
  weightsStored:
    'Weights go the other way: row {column} of dWd is the sum of h u dy over the {tokens stored token} that fired neuron {column}. That reads a column of h: hence the transpose; our kernels find its tokens by binary search.',
  noGradient: 'No token fires a neuron, so no gradient flows back.',
  noGradientStored: 'No token is stored, so no gradient flows back.',
  noCells: 'Without cells there is nothing to skip.',
  adds: 'Up and down multiply {nnz} of {cells} neurons per input: {skipped}\u202f% of their multiply-adds are skipped. The gate has to be computed to know which.',
  includes: ' That includes {out token} without room here.',
  limit:
    'Three GEMMs become one GEMM and two walks over {share}\u202f% of the neurons: at most {times} times as fast by multiply-adds, and never more than {three} times, since the gate stays dense.',
} as const;
