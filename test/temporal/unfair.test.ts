/** To whom the loop of a violation is unfair. */
import { expect, test } from 'vitest';
import { findingOf, temporalAnalysis } from './text-verdicts.js';

test('fairness of a label is of each place, so where both are fair the word that excludes the run is another', async () => {
    const textWith = (word: string): string => `
var x: bool = false
var y: bool = false
process Q { loop { t: x := !x } }
${word} process P { loop { choose { fair l: when x { y := true } } or { fair l: when !x { y := true } } } }
property p = eventually y
`;
    // Each place is possible in every other state only; the process can always take one of the two.
    const { report } = findingOf(await temporalAnalysis(textWith('')), 'p', 'none');
    expect(report.violations[0]?.loop?.unfair).toEqual([{ process: 'P', kind: 'weak' }]);
    expect(findingOf(await temporalAnalysis(textWith('fair')), 'p', 'none').verdict).toBe('holds');
});
