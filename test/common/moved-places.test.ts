/** Data read twice, from texts that are laid out differently. */
import { expect, test } from 'vitest';
import { atMovedPlaces, movedPlaces } from '../../engine/common/moved-places.js';
import type { SourceRange } from '../../engine/common/source-range.js';

function at(line: number): SourceRange {
    return { uri: 'file:///a.orbit', start: { line, character: 0 }, end: { line, character: 5 } };
}

const before = { name: 'a', documentation: 'old', parts: [{ range: at(1) }, { range: at(2), count: 3n }] };

test('places are followed from one reading to the next, documentation is passed over', () => {
    const places = movedPlaces(before, {
        ...before,
        documentation: 'new',
        parts: [{ range: at(4) }, { range: at(7), count: 3n }],
    });
    expect(places && atMovedPlaces({ said: ['of', at(2)], total: 2n }, places)).toEqual({
        said: ['of', at(7)],
        total: 2n,
    });
});

test('readings that differ in anything else are not the same', () => {
    expect(movedPlaces(before, { ...before, name: 'b' })).toBeUndefined();
    expect(movedPlaces(before, { ...before, parts: before.parts.slice(1) })).toBeUndefined();
    expect(movedPlaces(before, { ...before, more: undefined })).toBeUndefined();
    expect(movedPlaces({ range: at(1) }, { range: undefined })).toBeUndefined();
    expect(movedPlaces([], {})).toBeUndefined();
    expect(movedPlaces({ value: NaN, low: -Infinity }, { value: NaN, low: -Infinity })).toBeDefined();
});

test('what was one place and is two is not followed, nor is a place that was not there', () => {
    expect(movedPlaces([at(1), at(1)], [at(2), at(3)])).toBeUndefined();
    const places = movedPlaces([at(1), at(1)], [at(2), at(2)]);
    expect(places && atMovedPlaces(at(9), places)).toBeUndefined();
});
