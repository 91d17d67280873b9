import type { StartLab } from '../../engine/lab.ts';
import { OwnFormats } from '../../own/own-formats.ts';
import { draftGate } from '../../places/code/service/drafts/gate.ts';
import { drafts } from '../../places/code/service/drafts/service.ts';
import { ownKernels } from '../../places/code/service/own/service.ts';

export const startLab: StartLab = () => ({
  services: [drafts, ownKernels],
  provider: new OwnFormats(),
  drafts: draftGate,
});
