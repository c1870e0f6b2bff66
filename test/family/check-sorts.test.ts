import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { loadModel } from '../../language-server/load-model.js';
import { checkSorts } from '../../family/check-sorts.js';
import { inferSorts, type SortClass } from '../../family/infer-sorts.js';
import { formatPolynomial } from '../../language/typing/polynomial.js';
import { FIXED_USES } from '../../family/facts.js';
import { toCertificate, type SortCertificate } from '../../family/sort-certificate.js';
import { uniformModel } from '../arbitrary/sort-models.js';

const MODELS = new URL('../../models/', import.meta.url);

const PUBLISHED = readdirSync(MODELS)
    .filter(file => file.endsWith('.orbit'))
    .map(file => [file, readFileSync(new URL(file, MODELS), 'utf8')] as const);

const random = createRandom(2013);
const RANDOM = Array.from({ length: 60 }, (_, number) => [`random model ${number}`, uniformModel(random)] as const);

/** Sequences, bags, computed starts, and values without end. */
const WITHOUT_RULES = /: (seq|bag) |^channel .*: bag |^init \w+\[|\bnat\b|\.\. \}/m;

async function certified(text: string) {
    const { checked } = await loadModel(text, 'file:///model.orbit');
    if (checked === undefined) {
        return undefined;
    }
    const { classes } = inferSorts(checked.model);
    const certificate = toCertificate(inferSorts(checked.model));
    return { classes, certificate, check: (other: SortCertificate) => checkSorts(checked.model, other) };
}

/** The claim that all values of a class are alike, if it has a range of two or more values. */
function claimingAll({ cuts, index }: SortClass, certificate: SortCertificate): SortCertificate | undefined {
    const type = cuts.find(({ isType, low, high }) => isType && low !== undefined && high !== undefined);
    if (
        type?.low === undefined ||
        type.high === undefined ||
        formatPolynomial(type.low) === formatPolynomial(type.high)
    ) {
        return undefined;
    }
    const interval = [formatPolynomial(type.low), formatPolynomial(type.high)] as const;
    const classes = certificate.classes.map((claim, position) =>
        position === index ? ({ group: 'alike', sets: [[interval]], tables: [] } as const) : claim,
    );
    return { ...certificate, classes };
}

describe('the check of a certificate', () => {
    test.each([...PUBLISHED, ...RANDOM])(
        'accepts what is inferred of %s, and nothing that was refused',
        async (_, text) => {
            const model = await certified(text);
            if (model === undefined) {
                return;
            }
            const { classes, certificate, check } = model;
            const objections = new Set(check(certificate).map(({ message }) => message));
            expect([...objections]).toEqual(WITHOUT_RULES.test(text) ? [FIXED_USES.unknown] : []);
            for (const sort of classes.filter(({ group }) => group.kind === 'trivial')) {
                const more = claimingAll(sort, certificate);
                expect(more === undefined || check(more).length > 0).toBe(true);
            }
        },
    );

    test('accepts a sum whose terms stand in another order elsewhere', async () => {
        const text = `param R: 1 .. 3 = 2  param W: 1 .. 3 = 2  var x: 0 .. R + W - 1  var y: 0 .. W + R - 1
process P[i: 0 .. R + W - 1] { loop { when x == y { x := i } } }`;
        const { certificate, check } = (await certified(text))!;
        expect(certificate.classes.some(({ group }) => group === 'alike')).toBe(true);
        expect(check(certificate)).toEqual([]);
    });

    test('refuses two classes where values flow from one to the other', async () => {
        const text = 'param N: 2 .. 9 = 3  type T = 1 .. N  var p: T? = none  process P[i: T] { loop { p := i } }';
        const { certificate, check } = (await certified(text))!;
        const divided: SortCertificate = {
            ...certificate,
            classes: [...certificate.classes, ...certificate.classes],
            places: certificate.places.map(place =>
                place.name === 'p' ? { ...place, classes: certificate.classes.length } : place,
            ),
        };
        expect(check(divided).map(({ message }) => message)).toContain('joins values of two classes');
    });

    test('refuses a certificate of another text', async () => {
        const [one, other] = await Promise.all(
            ['p', 'q'].map(name =>
                certified(
                    `param N: 2 .. 9 = 3  type T = 1 .. N  var ${name}: T? = none  process P[i: T] { loop { ${name} := i } }`,
                ),
            ),
        );
        expect(one!.check(other!.certificate).length).toBeGreaterThan(0);
    });

    test('refuses a group of too many values, too few, and of another kind', async () => {
        const text =
            'param N: 3 .. 9 = 3  type T = 0 .. N - 1  var p: T = any  process P[i: T] { loop { when p == i { p := (i + 1) mod N } } }';
        const { certificate, check } = (await certified(text))!;
        expect(check(certificate)).toEqual([]);
        const claims = [
            { group: 'ring', interval: ['0', 'N'], isReflected: false },
            { group: 'ring', interval: ['0', 'N - 1'], isReflected: true },
            { group: 'alike', sets: [[['0', 'N - 1']]], tables: [] },
            { group: 'reversal', sum: 'N - 1' },
        ] as const;
        for (const claim of claims) {
            const classes = certificate.classes.map(own => (own.group === 'ring' ? claim : own));
            expect(check({ ...certificate, classes }).length, JSON.stringify(claim)).toBeGreaterThan(0);
        }
    });

    test('refuses another group for numbers that belong to an owner', async () => {
        const text = `
            param table: 0 .. 3[*] = [2, 2, 3]
            type Owner = 0 .. len(table) - 1
            record Part = { owner: Owner, number: 0 .. 2 where number < table[owner] }
            var held: Part?[Owner] = none
            process P[part: Part] { loop { hold: when held[part.owner] == none { held[part.owner] := part } } }`;
        const { certificate, check } = (await certified(text))!;
        expect(certificate.classes.map(({ group }) => group)).toContain('local');
        expect(check(certificate)).toEqual([]);
        // 0 and 2 are not alike: an owner with two numbers has 0 and lacks 2.
        const claims = [
            { group: 'alike', sets: [[['0', '2']]], tables: [] },
            { group: 'ring', interval: ['0', '2'], isReflected: false },
            { group: 'reversal', sum: '2' },
        ] as const;
        for (const claim of claims) {
            const classes = certificate.classes.map(own => (own.group === 'local' ? claim : own));
            expect(check({ ...certificate, classes }).map(({ message }) => message)).toContain(
                'is a number that belongs to an owner',
            );
        }
    });

    test('refuses a group of no place, and classes of more places than a declaration has', async () => {
        const text =
            'param N: 2 .. 9 = 3  type T = 1 .. N  var p: T?[T] = none  process P[i: T] { loop { p[i] := i } }';
        const { certificate, check } = (await certified(text))!;
        expect(check(certificate)).toEqual([]);
        const alike = certificate.classes.find(({ group }) => group === 'alike')!;
        expect(check({ ...certificate, classes: [...certificate.classes, alike] })).toHaveLength(1);
        const places = certificate.places.map(place =>
            typeof place.classes === 'object' && 'indices' in place.classes
                ? { ...place, classes: { ...place.classes, indices: [...place.classes.indices, 0] } }
                : place,
        );
        expect(check({ ...certificate, places }).map(({ message }) => message)).toContain('has other places');
    });
});
