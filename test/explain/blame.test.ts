/** Which places are named where the time or the budget is over, and how they are quoted. */
import { expect, test } from 'vitest';
import { NOWHERE } from '../../engine/common/source-range.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { nearestBlame } from '../../engine/explain/blame.js';
import { quotePlaces, type ModelPlace } from '../../engine/explain/places.js';
import { THOROUGH } from '../../engine/explain/smallest-set.js';
import type { Trial, Trials } from '../../engine/explain/trials.js';

function place(key: string, line: number): ModelPlace {
    const position = { line, character: 0 };
    return {
        key,
        text: key,
        range: { ...NOWHERE, start: position, end: position },
        kind: 'test',
        owners: new Set(['initial']),
        mentionsOrder: true,
        isComputed: false,
        types: new Set(),
        reaches: [],
    };
}

const PLACES = [place('i == 0', 1), place('i == 1', 2)];

/** A model without some places, with a graph of so many vertices; none is kept. */
function trialsOf(vertexCount: number): { trials: Trials; placesOf: (trial: Trial) => number; made: () => number } {
    const outOf = new Map<Trial, number>();
    let made = 0;
    const without = (places: readonly ModelPlace[]): Trial => {
        const trial = { encoding: { graph: { vertexCount } } } as Trial;
        outOf.set(trial, places.length);
        made += places.length > 0 ? 1 : 0;
        return trial;
    };
    return {
        trials: { places: PLACES, without } as unknown as Trials,
        placesOf: trial => outOf.get(trial)!,
        made: () => made,
    };
}

test('of a model that is too large for the effort none is made without places', () => {
    const { trials, made } = trialsOf(THOROUGH.vertices + 1);
    const question = { wanted: 'be alike', holds: () => false, missing: () => [] };
    expect(nearestBlame([question], trials, THOROUGH, UNLIMITED).blame).toEqual({ kind: 'unknown', isCut: true });
    expect(made()).toBe(0);
});

test('where the time is over once the places are known, nothing is said', () => {
    const { trials, placesOf } = trialsOf(10);
    let asked = 0;
    // All together are asked for, then those that are needed; then the time is over.
    const question = {
        wanted: 'be alike',
        holds: (trial: Trial) => placesOf(trial) === 2 && ++asked <= 2,
        missing: () => [],
    };
    const { question: nearest, blame } = nearestBlame([question], trials, THOROUGH, UNLIMITED);
    expect([nearest, blame]).toEqual([0, { kind: 'unknown', isCut: true }]);
    expect(asked).toBe(3);
});

test('places that are not quoted are counted, also where some of them read alike', () => {
    const texts = ['a', 'b', 'c', 'd', 'd', 'e'].map(text => ({ text }));
    expect(quotePlaces(texts)).toBe('`a`, `b`, `c` and 3 other places');
    expect(quotePlaces([{ text: 'a' }, { text: 'a' }, { text: 'b' }])).toBe('`a` at 2 places and `b`');
});
