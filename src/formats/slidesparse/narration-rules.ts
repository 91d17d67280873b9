/** What the story of SlideSparse has to say, for narrations.test.ts: texts with named places for their facts. */
export const RULES = {
  opening:
    '{nnz weight} in {rows} × {cols} cells. SlideSparse keeps {allowed} of every {width} columns, in 2:4 windows.',
  accuracy:
    'Why not 2:4? Published for Qwen3-1.7B: {dense}\u202f% right when dense, {two}\u202f% with 2:4, {six}\u202f% with 6:8.',
  nothingFits: 'No weights: nothing to prune to {pattern}.',
  column: 'column {first}',
  columns: 'columns {first} to {last}',
  fits: 'No group of {width} columns holds more than {allowed} weights: the fullest, row {row}, ',
  fullest: ', has {count}. Nothing is pruned.',
  row: 'Row {row}, ',
  tooFull: ': {count weight}, but only {allowed} may stay. The smallest, {going}, {gone:goes|go}.',
  tied: ' Of equals, higher columns stay.',
  nan: ' NaN counts as largest.',
  window: 'Row {row}, group {group}: window {window}',
  past: ' lies past the last column and stays empty.',
  sees: ' covers ',
  zeros: ' and stays empty.',
  takenOne: ', but column {columns} is taken.',
  taken: ', but columns {columns} are taken.',
  keeps: ' and takes {values}',
  keepsAfterOne: '. Column {columns} is taken, so it takes {values}',
  keepsAfter: '. Columns {columns} are taken, so it takes {values}',
  leaves: ', and leaves {values} to window {next}.',
  twoAtMost: ' A window takes at most two.',
  stop: '.',
  noSlide: 'Without weights every window stays empty.',
  noCompress: 'Without windows nothing is stored.',
  noLift: 'Without columns there is no activation to lift.',
  noMultiply: 'Without rows there is nothing to multiply.',
  noScale: 'Row {row} has no non-zeros to scale; its scale is {scale}.',
  tooSmall:
    'The values of row {row} are too small for a scale of their own. It is {scale}, and they are stored as {zero}.',
  scale:
    'Row {row} gets one scale for its i8 values: a step is worth {scale}. That is its largest magnitude over {divisor}.',
  two: ' keeps slots {first} and {second}. Four bits say which: {first} + {second} × {four} = {nibble}.',
  one: ' stores slots {first} and {second}, one a zero. Metadata: {first} + {second} × {four} = {nibble}.',
  none: ' is empty: two zeros, in slots {first} and {second}. Metadata: {first} + {second} × {four} = {nibble}.',
  lost: ' {value} is too small for {type}: stored as {zero}.',
  infinite: ' {value} is too large for {type}: stored as {stored}.',
  fillOne: 'Row {row}: window {first} holds ',
  fill: 'Row {row}: windows {first} to {last} hold ',
  roundsUp: 'Row {row}: {count empty window} {count:fills|fill} the row up to {windows}.',
  noNonZero: 'no weight, but zeros in slots {first} and {second}',
  andRounded: ', and fill the row up to {windows window}',
  saveNothing: ': zeros beyond the pattern save nothing.',
  inPlace:
    'With f16 nothing is copied: every window reads its four activations in place, two of them its neighbour’s. Activations of {bits} bits are lifted: copied in the order of windows.',
  inPlaceAlone:
    'With f16 nothing is copied: every window reads its four activations in place. Activations of {bits} bits are lifted: copied in the order of windows.',
  absmax:
    'Algorithm 1, pass {pass} over {cols activation}: the largest magnitude is {largest}, so a step is {largest} / {divisor} = {step}.',
  quantise: 'Pass {pass}: every activation times {one} / scale, rounded half to even, from −{limit} to {limit}.',
  liftPast: 'Group {group}: window {window} lies past the last column and meets zeros.',
  lift: 'Group {group}: the word of window {window} repeats ',
  asBytes: ' as four bytes, lowest first',
  sameShape: ', in the shape of a window of weights',
  sharedOne: '. The previous word has it, too.',
  shared: '. The previous word has the first two, too.',
  fused: 'One kernel quantises and lifts: {fused} B for this token. Two would move {apart} B.',
  addsNothing: ' holds only zeros and adds nothing.',
  adds: ' adds {terms} = {total}. So far y[{row}] is {y}.',
  addsIntegers: ' adds {terms} = {total}, exact in integers; scales come last.',
  emptyRow: 'Row {row} holds no weights: y[{row}] = {y}.',
  sumIntegers: 'Row {row} is done. Its integer times both scales gives y[{row}] = {y}.',
  sum: 'Row {row} is done: y[{row}] = {y}. Every weight was in exactly one window.',
  sumPruned: 'Row {row} is done: y[{row}] = {y}. Every weight that stayed was in exactly one window.',
  gamma: '{width} columns in {slots} slots: a row becomes gamma = {two} − {two}/N = {gamma} times as long.',
  gammaOne:
    '{width} columns in {slots} slots: a row becomes gamma = {two} − {two}/N = {gamma} times as long, as nothing slides.',
  speed:
    'If 2:4 is alpha times as fast as dense, {pattern} is alpha / gamma times as fast: {speed} with the alpha of {alpha} of sparse tensor cores. Here, only saved bytes count.',
  speedOne:
    '{pattern} keeps all of alpha, the speed of 2:4 over dense: {alpha} on sparse tensor cores. Here, only saved bytes count.',
  saves:
    'Two values and four bits per window: against dense {type}, {pattern} saves {percent}\u202f% of the bytes. At M = 1 that is all.',
  takesMore:
    'Two values and four bits per window: against dense {type}, {pattern} takes {percent}\u202f% more bytes. At M = 1 nothing is gained.',
  savesNothing:
    'Two values and four bits per window: against dense {type}, {pattern} saves nothing. At M = 1 nothing is gained.',
  bytes: 'This cut takes {total} B, as dense {dense} B',
  hasScales: '; every row has a scale',
  rounded: '. Rows are rounded up to {word} windows.',
  theorem1:
    '{pattern} on {hardware}: {windows window} of {kept} {windows:makes|make} room for {room}. By theorem 1 every placement fits; tried for N from {min} to {max}.',
  theorem2:
    'By theorem 2 any group fits with enough slots. This one does not. {pattern} on {hardware}: {windows window} of {kept} {windows:makes|make} room for {room}, but columns {columns} are seen only by ',
  byWindow: 'window {first}',
  stuck: ', with room for {room}.',
} as const;
