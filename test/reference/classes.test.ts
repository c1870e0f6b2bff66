/** Classes up to names against their definition: two states are in one if some renaming maps one to the other. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { templateModels } from '../arbitrary/template-models.js';
import { linesOf, Renamings } from './classes.js';
import { interpret, type Semantics, type State } from './interpreter.js';
import { parseModel } from './parse.js';
import { specialize } from './specialize.js';

/** More states than this are too many to try every renaming of each. */
const STATE_LIMIT = 150;

test('all states of few steps fall into the classes that one state of each class leads to in as many', () => {
    const reached: { states: number; classes: number }[] = [];
    fc.assert(
        fc.property(templateModels(), fc.integer({ min: 2, max: 6 }), (text, depth) => {
            const semantics = interpret(specialize(parseModel(text)));
            const { classOf } = new Renamings();
            const states = statesTo(depth, semantics, semantics.key);
            const representatives = statesTo(depth, semantics, state => classOf(state) ?? '');
            fc.pre(states.length < STATE_LIMIT);
            const classes = new Set(states.map(leastText));
            expect(representatives.length).toBe(classes.size);
            expect(new Set(representatives.map(leastText))).toEqual(classes);
            reached.push({ states: states.length, classes: classes.size });
        }),
        { numRuns: 60 },
    );
    const total = (count: (one: (typeof reached)[number]) => number): number =>
        reached.reduce((sum, one) => sum + count(one), 0);
    expect(total(({ states }) => states)).toBeGreaterThan(1.2 * total(({ classes }) => classes));
});

function statesTo(depth: number, semantics: Semantics, key: (state: State) => string): State[] {
    const states = new Map(semantics.initialStates()!.map(state => [key(state), state]));
    let frontier = [...states.values()];
    for (let step = 0; step < depth && states.size < STATE_LIMIT; step++) {
        const following: State[] = [];
        for (const { successor } of frontier.flatMap(state => semantics.fire(state))) {
            if (successor !== undefined && !states.has(key(successor))) {
                states.set(key(successor), successor);
                following.push(successor);
            }
        }
        frontier = following;
    }
    return [...states.values()];
}

/** The least text of a state under all renamings, whatever the state says. */
function leastText(state: State): string {
    const lines = linesOf(state);
    let texts = [lines];
    for (const template of ['W', 'V']) {
        const names = [...new Set(lines.flatMap(line => line.match(new RegExp(`\\b${template}@\\d+`, 'g')) ?? []))];
        texts = texts.flatMap(text =>
            permutationsOf(names).map(order =>
                text.map(line =>
                    line.replace(new RegExp(`\\b${template}@\\d+`, 'g'), name => `${template}${order.indexOf(name)}`),
                ),
            ),
        );
    }
    return texts.map(text => text.sort().join('\n')).sort()[0]!;
}

function permutationsOf<T>(items: readonly T[]): T[][] {
    return items.length === 0
        ? [[]]
        : items.flatMap(item => permutationsOf(items.filter(other => other !== item)).map(rest => [item, ...rest]));
}
