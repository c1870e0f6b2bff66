/** What a picture shows is true: the symmetries of the model do it, by the cycles and moves of its generators alone. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import type { FactorPicture, SymmetryReport } from '../../engine/describe/report.js';
import { factorial, permutation } from '../../engine/group/permutation.js';
import { tryStabilizerChain } from '../../engine/group/stabilizer-chain.js';
import { imagesOf } from '../images-of-cycles.js';
import { symmetryOf } from '../model-of-text.js';

/** The permutations of members that a picture claims, as exchanges of names. */
function claimsOf({ kind, members }: FactorPicture): readonly ReadonlyMap<string, string>[] {
    const cycle = (names: readonly string[]): ReadonlyMap<string, string> =>
        new Map(names.map((name, index) => [name, names[(index + 1) % names.length]!]));
    const exchanges = (names: readonly string[]): ReadonlyMap<string, string>[] =>
        names.slice(1).map((name, index) => cycle([names[index]!, name]));
    const [first = []] = members;
    switch (kind) {
        case 'interchangeable':
            return exchanges(first);
        case 'ring':
            return [cycle(first)];
        case 'mirrored-ring':
            return [cycle(first), new Map(first.map((name, index) => [name, first.at(-1 - index)!]))];
        case 'pairs':
            return [new Map(members.flatMap(pair => [...cycle(pair)]))];
        case 'groups':
            // Within a group all are alike, so two groups are exchanged in any order of theirs.
            return [
                ...members.flatMap(exchanges),
                ...members.slice(1).map((group, index) => {
                    const before = members[index]!;
                    return new Map(group.flatMap((name, i) => [...cycle([name, before[i]!])]));
                }),
            ];
    }
}

/** Where the generators take the members: by cycles of names, and values of a variable by the moves of its cells. */
function actionsOn(
    { members, valuesOf }: FactorPicture,
    { generators }: SymmetryReport,
): readonly (readonly number[])[] {
    const numbers = new Map(members.flat().map((name, index) => [name, index]));
    return generators.map(({ cycles, moves }) => {
        if (valuesOf === undefined) {
            return imagesOf(cycles, numbers);
        }
        const images = [...numbers.values()];
        for (const move of moves) {
            const [from = '', to = ''] = move.split(' -> ');
            const [one, other] = [from, to].map(literal => numbers.get(literal.slice(literal.lastIndexOf('=') + 1)));
            if (from.startsWith(valuesOf) && one !== undefined && other !== undefined) {
                images[one] = other;
            }
        }
        return images;
    });
}

/** The report says of the family itself that all its instances are interchangeable. */
function isToldOfFamily({ kind, members }: FactorPicture, { families }: SymmetryReport): boolean {
    const [names = []] = members;
    return (
        kind === 'interchangeable' &&
        families.some(
            ({ name, orbits, order }) =>
                names.every(member => member.startsWith(`${name}[`)) &&
                orbits.length === 1 &&
                BigInt(order) === factorial(names.length),
        )
    );
}

function isIdentity(images: readonly number[]): boolean {
    return images.every((image, index) => image === index);
}

const seen = new Set<string>();

test.each(readdirSync('models').filter(name => name.endsWith('.orbit')))('%s', async file => {
    const { report } = await symmetryOf(readFileSync(`models/${file}`, 'utf8'), { workLimit: UNLIMITED });
    // The values of a type have no names of their own in generators.
    const isOfVariable = ({ valuesOf }: FactorPicture): boolean =>
        valuesOf === undefined || report.variables.some(({ name }) => name === valuesOf);
    for (const { picture } of report.factors) {
        if (picture !== undefined && isOfVariable(picture)) {
            const names = picture.members.flat();
            const actions = actionsOn(picture, report);
            if (isToldOfFamily(picture, report) && actions.every(isIdentity)) {
                // Instances that move only within steps of others: their family is told, not each generator's part.
                continue;
            }
            const group = tryStabilizerChain(
                actions.map(images => permutation([...images])),
                names.length,
                {},
            );
            for (const claim of claimsOf(picture)) {
                const images = names.map(name => names.indexOf(claim.get(name) ?? name));
                expect(group?.contains(permutation(images)), `${picture.kind} ${names.join()}`).toBe(true);
            }
            seen.add(picture.kind);
        }
    }
});

test('all kinds of pictures were among them', () => {
    expect([...seen].sort()).toEqual(['groups', 'interchangeable', 'mirrored-ring', 'pairs', 'ring']);
});
