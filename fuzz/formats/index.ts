import { defineTarget } from '../target.ts';
import { formatCaseFromJson, formatCaseToJson, randomFormatCase, smallerFormatCases } from './format-case.ts';
import { formatFault } from './laws.ts';

/** Fuzz target for formats: encodes, decodes, validates, measures and multiplies random matrices with every format. */
export const formatsTarget = defineTarget({
  id: 'formats',
  unit: 'matrices',
  share: 0.5,
  maxSteps: null,
  generate: randomFormatCase,
  check: formatFault,
  smaller: smallerFormatCases,
  toJson: formatCaseToJson,
  fromJson: formatCaseFromJson,
});
