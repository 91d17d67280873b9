/** What the story of SlideSparse has to say, for narrations.test.ts: texts with named places for their facts. */
export const RULES = {
  opening:
    'This {rows} × {cols} cut holds {nnz weight}. SlideSparse keeps {allowed} of every {width} columns, in windows that fit 2:4 hardware.',
  accuracy:
    'Why not 2:4? Published for Qwen3-1.7B on reasoning tests: {dense}\u202f% right when dense, {two}\u202f% with 2:4, and {six}\u202f% with 6:8. So more weights have to stay.',
  nothingFits: 'There are no weights: nothing needs pruning to {pattern}.',
  column: 'column {first}',
  columns: 'columns {first} to {last}',
  fits: 'No group of {width} columns holds more than {allowed} weights: the fullest, row {row}, ',
  fullest: ', has {count}. Nothing needs pruning to {pattern}.',
  row: 'Row {row}, ',
  tooFull: ': {count weight}, but only {allowed} may stay. The smallest, {going}, {gone:goes|go}.',
  tied: ' Of equal magnitudes, those in higher columns stay.',
  nan: ' NaN counts as larger than every number.',
  window: 'Row {row}, group {group}: window {window}',
  past: ' lies past the last column and stays empty.',
  sees: ' covers ',
  zeros: ' and stays empty.',
  takenOne: ', but column {columns} is taken: nothing is left.',
  taken: ', but columns {columns} are taken: nothing is left.',
  keeps: ' and takes {values}',
  keepsAfterOne: '. Column {columns} is taken, so it takes {values}',
  keepsAfter: '. Columns {columns} are taken, so it takes {values}',
  leaves: ', and leaves {values} to window {next}.',
  twoAtMost: ' Every window of four ends with at most two.',
  stop: '.',
  noSlide: 'There are no weights, so every window stays empty.',
  noCompress: 'There are no windows, so nothing is stored.',
  noLift: 'There are no columns, so there is no activation to lift.',
  noMultiply: 'There are no rows, so there is nothing to multiply.',
  noScale: 'Row {row} has no non-zeros to scale; its scale is {scale}.',
  tooSmall:
    'The values of row {row} are too small for a scale of their own. It is {scale}, and they are stored as {zero}.',
  scale:
    'Row {row} gets one scale for its i8 values: a step is worth {scale}. That is its largest magnitude over {divisor}.',
  two: ' keeps its slots {first} and {second}. Four bits of metadata say which: {first} + {second} × {four} = {nibble}.',
  one: ' holds one weight, but stores two slots: {first} and {second}, one of them a zero. Metadata: {first} + {second} × {four} = {nibble}.',
  none: ' is empty and stores two zeros, in slots {first} and {second}. Metadata: {first} + {second} × {four} = {nibble}.',
  lost: ' {value} is too small for {type} and is stored as {zero}.',
  infinite: ' {value} is too large for {type} and is stored as {stored}.',
  fillOne: 'Row {row}: window {first} holds ',
  fill: 'Row {row}: windows {first} to {last} hold ',
  roundsUp: 'Row {row}: {count empty window} {count:fills|fill} the row up to {windows}.',
  noNonZero: 'no weight, but zeros in slots {first} and {second}',
  andRounded: ', and fill the row up to {windows window}',
  saveNothing: ': zeros beyond the pattern save nothing.',
  inPlace:
    'With weights in f16 nothing is copied: every window reads its four activations in place, two of them its neighbour’s. Activations of {bits} bits are quantised first; the same kernel lifts them: copies them into the order of the windows.',
  inPlaceAlone:
    'With weights in f16 nothing is copied: every window reads its four activations in place. Activations of {bits} bits are quantised first; the same kernel lifts them: copies them into the order of the windows.',
  absmax:
    'Algorithm 1, pass {pass} over the {cols activation} of a token: the largest magnitude is {largest}, so a step is {largest} / {divisor} = {step}.',
  quantise:
    'Pass {pass}: every activation is multiplied by {one} / scale and rounded half to even, from −{limit} to {limit}.',
  liftPast: 'Group {group}: window {window} lies past the last column and meets zeros.',
  lift: 'Group {group}: the word of window {window} repeats ',
  asBytes: ' as four bytes, lowest first',
  sameShape: ', in the shape of a window of weights',
  sharedOne: '. The previous word has it, too.',
  shared: '. The previous word has the first two, too.',
  fused:
    'One kernel reads activations and writes lifted words: {fused} B for this token. With a second kernel to lift, it would be {apart} B.',
  addsNothing: ' holds only zeros and adds nothing.',
  adds: ' adds {terms} = {total}. So far y[{row}] is {y}.',
  addsIntegers: ' adds {terms} = {total}, exact in integers. The scales come at the end.',
  emptyRow: 'Row {row} holds no weights: y[{row}] = {y}.',
  sumIntegers: 'Row {row} is done. Its integer times both scales gives y[{row}] = {y}.',
  sum: 'Row {row} is done: y[{row}] = {y}. Every weight was in exactly one window: the product is that of the row before it slid.',
  sumPruned:
    'Row {row} is done: y[{row}] = {y}. Every weight that stayed was in exactly one window: the product is that of the pruned row before it slid.',
  gamma: '{width} columns slid into {slots} slots: a row becomes gamma = {two} − {two}/N = {gamma} times as long.',
  gammaOne:
    '{width} columns slid into {slots} slots: a row becomes gamma = {two} − {two}/N = {gamma} times as long, since 2:4 needs no sliding.',
  speed:
    'If 2:4 runs alpha times as fast as dense, {pattern} runs alpha / gamma times as fast: {speed} with the alpha of {alpha} that sparse tensor cores promise. Here, alpha comes only from saved bytes.',
  speedOne:
    '{pattern} is not longer and keeps all of alpha, the speed of 2:4 over dense: {alpha} on sparse tensor cores. Here, alpha comes only from saved bytes.',
  saves:
    'Two of four values and four bits per window: against dense {type}, {pattern} saves {percent}\u202f% of the bytes. At M = 1 that is all there is to gain.',
  takesMore:
    'Two of four values and four bits per window: against dense {type}, {pattern} takes {percent}\u202f% more bytes. At M = 1 there is nothing to gain.',
  savesNothing:
    'Two of four values and four bits per window: against dense {type}, {pattern} saves nothing. At M = 1 there is nothing to gain.',
  bytes: 'This cut takes {total} B, as dense {dense} B',
  hasScales: '; every row has a scale',
  rounded: '. Rows are rounded up to whole words of {word} windows, which hardly matters in a layer.',
  theorem1:
    '{pattern} on {hardware}: {windows window} of {kept} {windows:makes|make} room for {room}. By theorem 1 every placement fits, as we tried for N from {min} to {max}.',
  theorem2:
    'By theorem 2 any group fits with enough slots. Here is one that does not. {pattern} on {hardware}: {windows window} of {kept} {windows:makes|make} room for {room}, but columns {columns} are seen only by ',
  byWindow: 'window {first}',
  stuck: ', with room for {room}. No assignment places this row.',
} as const;
