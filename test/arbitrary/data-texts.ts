/** Random texts by the kind of data that they are about, each with the errors that such a text may have. */
import { caseTexts } from './case-texts.js';
import { bagTexts, sequenceTexts } from './sequence-texts.js';
import { setTexts } from './set-texts.js';

export const DATA_TEXTS = [
    { kind: 'sets', texts: setTexts, accepted: [] },
    // A random test may leave only cases without the field behind it.
    { kind: 'cases', texts: caseTexts, accepted: ['case/no-field'] },
    { kind: 'sequences', texts: sequenceTexts, accepted: [] },
    { kind: 'bags', texts: bagTexts, accepted: [] },
] as const;
