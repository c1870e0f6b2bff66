/** The counts of models whose processes are created and end, by the reference implementation. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { referenceResult, type ClassOptions } from '../reference/classes.js';
import { forkJoin, requests, sessions, siblings, supervisor, tokenRing } from './texts.js';

/** `classes/transitions`, of a model that keeps its promises and goes on. */
function counts(text: string, symmetric: readonly string[] = [], more: ClassOptions = {}): string {
    const result = referenceResult(text, 2000, { ...more, symmetric })!;
    expect(result.faults).toEqual([]);
    expect(result.violatedInvariants).toEqual([]);
    expect(result.deadlocks).toBe(0);
    return `${result.classes}/${result.transitions}`;
}

/*
 * Classes up to names and up to the static symmetries that are named here, and firings of one state of each. The numbers
 * were found by at least two other methods before: an interpreter of its own, and slots that were written by hand.
 */
describe('numbers of classes and transitions', () => {
    test.each([
        [1, 1, '5/5'],
        [2, 1, '15/30'],
        [3, 1, '35/105'],
        [1, 2, '15/29'],
        [2, 2, '120/464'],
        [1, 3, '35/99'],
    ])('sessions of %i servers, %i at once', (servers, atOnce, expected) => {
        expect(counts(sessions(servers, atOnce), ['Server'])).toBe(expected);
    });

    test('the states of n alike servers are the multisets of n states of one', () => {
        // The sessions of a server do not touch those of another: 5 · 6 / 2 and 5 · 6 · 7 / 6.
        const one = referenceResult(sessions(1, 1))!.classes;
        expect(referenceResult(sessions(2, 1), 2000, { symmetric: ['Server'] })!.classes).toBe((one * (one + 1)) / 2);
        expect(referenceResult(sessions(2, 1))!.classes).toBe(one * one);
    });

    test.each([
        ['after', 1, 2, '41/81'],
        ['after', 1, 3, '299/887'],
        ['elder', 1, 2, '21/41'],
        ['after elder', 1, 3, '329/977'],
    ])('siblings with %s, %i servers, %i at once', (relations, servers, atOnce, expected) => {
        const text = siblings(servers, atOnce, relations.split(' ') as ('after' | 'elder')[]);
        expect(counts(text, ['Server'])).toBe(expected);
    });

    test('siblings of two servers', () => {
        // 41 · 42 / 2; if the servers are not exchanged, 41².
        expect(counts(siblings(2, 2, ['after']), ['Server'])).toBe('861/3402');
    });

    test.each([
        [1, '72/205', 3, 1],
        [2, '227/900', 4, 2],
    ])('a supervisor of %i actors', (actors, expected, named, live) => {
        const symmetric = ['Seat', 'Client'];
        expect(counts(supervisor(actors), symmetric)).toBe(expected);
        const { mostNamed, mostLive } = referenceResult(supervisor(actors), 2000, { symmetric })!;
        expect([mostNamed, mostLive]).toEqual([{ Actor: named }, { Actor: live }]);
    });

    test.each([
        [2, '7/14'],
        [3, '15/34'],
        [4, '31/74'],
        [6, '127/314'],
    ])('a token ring of at most %i members', (members, expected) => {
        expect(counts(tokenRing(members))).toBe(expected);
    });

    test.each([
        [1, '11/12', 3],
        [2, '95/204', 7],
    ])('fork and join to depth %i', (depth, expected, live) => {
        expect(counts(forkJoin(depth))).toBe(expected);
        expect(referenceResult(forkJoin(depth))!.mostLive).toEqual({ Task: live });
    });

    test.each([
        [2, 2, '21/37'],
        [2, 3, '52/98'],
        [3, 2, '25/66'],
    ])('work stealing by %i workers of a task of size %i', (workers, size, expected) => {
        const text = readFileSync('models/work-stealing.orbit', 'utf8');
        const parameters = { N: workers, D: size };
        expect(counts(text, ['Worker'], { parameters })).toBe(expected);
    });

    test.each([
        [1, '35/64'],
        [2, '98/261'],
        [3, '210/719'],
    ])('requests for %i workers', (workers, expected) => {
        expect(counts(requests(workers))).toBe(expected);
    });
});
