/** Words that are keywords in some places and names in all others. */
import { describe, expect, test } from 'vitest';
import { createOrbitCoreServices } from '../../language-server/module.js';

const { Lexer } = createOrbitCoreServices().Orbit.parser;

/** The token type of the first word of a text: a name, or the word itself. */
function kindOfFirst(text: string): string | undefined {
    return Lexer.tokenize(text).tokens[0]?.tokenType.name;
}

describe('count, sum, min and max', () => {
    test.each([
        'max(i in T: i)',
        'max (i, j in T: i)',
        'max(\n    i\n    ,j\n    in T: i)',
        'max // why\n (i in T: i)',
        'max( // one\n // two\n i // three\n , j // four\n in T: i)',
    ])('are words of the language before variables: %j', text => {
        expect(kindOfFirst(text)).toBe('max');
    });

    test.each(['max(a, b)', 'max(main)', 'max(a, main)', 'max(i inside T)', 'max := 1', 'maximal(i in T: i)', 'max'])(
        'are names elsewhere: %j',
        text => {
            expect(kindOfFirst(text)).toBe('ID');
        },
    );
});

describe('spawn', () => {
    test.each(['spawn W()', 'spawn W(1, 2)', 'spawn\n    W (self)', 'spawn // why\n W()', 'spawn// why\nW // not\n()'])(
        'is a word before a name and its arguments: %j',
        text => {
            expect(kindOfFirst(text)).toBe('spawn');
        },
    );

    test.each([
        'spawn := 1',
        'spawn: skip',
        'spawn(1)',
        'spawn W',
        'spawn W[1]',
        'spawn',
        'spawning W()',
        'spawn if (a) { skip }',
        'spawn mod (a)',
        'spawn until (a)',
    ])('is a name elsewhere: %j', text => {
        expect(kindOfFirst(text)).toBe('ID');
    });
});

describe('end', () => {
    test.each(['end idle: skip', 'end  idle : skip'])('is a word before a label: %j', text => {
        expect(kindOfFirst(text)).toBe('end');
    });

    test.each(['end := 1', 'end: skip', 'end', 'end x := 1', 'ending: skip'])('is a name elsewhere: %j', text => {
        expect(kindOfFirst(text)).toBe('ID');
    });
});
