/** Records that may be `none`, and cases: their fields hold a value where there is a record or the case, and nowhere else. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../engine/common/random.js';
import { possibleSteps } from '../../engine/explore/possible-steps.js';
import { simulate } from '../../engine/explore/simulate.js';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import { NO_VALUE, valueOfCode } from '../../engine/model/domain.js';
import { formatParts, readPartsInto } from '../../engine/sequential/split-values.js';
import { sequentialOf, symmetryOf } from '../model-of-text.js';
import { spaceOf } from './text-space.js';

const RECORDS = [
    ...['through-channels', 'in-arrays', 'in-functions', 'without-tests'].map(name => `split-records-${name}`),
    'cases-through-channels',
].map(name => readFileSync(`test/agreement/constructs/${name}.orbit`, 'utf8'));

/** Three processes hand out a request each, in turn; beside it the same, made by hand. */
const SPLIT = `
type Proc = 0 .. 2
record Request = { who: Proc, urgent: bool }
var last: Request? = none
process P[p: Proc] {
    loop {
        choose u in bool { ask: when last == none { last := Request(p, u) } }
        or { take: when last != none && last.who != p { last := none } }
    }
}`;
const BY_HAND = SPLIT.replace('var last: Request? = none', 'var has: bool\nvar last: Request')
    .replace('last == none { last := Request(p, u) }', '!has { has := true; last := Request(p, u) }')
    .replace('last != none && last.who != p { last := none }', 'has && last.who != p { has := false }');

describe('a record that may be none', () => {
    it.each(RECORDS)('has fields with a value in each state exactly where there is a record', async text => {
        const { cells, ...model } = await sequentialOf(text);
        const result = exploreStateGraph({ cells, ...model }, 20_000);
        const states = result.kind === 'graph' ? result.graph.states : [];
        expect(states.length).toBeGreaterThan(50);
        const parts = cells.flatMap(({ within }, cell) => (within === undefined ? [] : [{ cell, within }]));
        expect(parts.length).toBeGreaterThan(3);
        for (const state of states) {
            for (const { cell, within } of parts) {
                const code = state[within.of]!;
                const value = code === NO_VALUE ? NaN : valueOfCode(cells[within.of]!.domain, code);
                const isPresent = within.operator === '==' ? value === within.value : value > within.value;
                expect(state[cell] !== NO_VALUE).toBe(isPresent);
            }
        }
    });

    it.each(RECORDS)('is written as the text has it, and read again', async text => {
        const { cells, ...model } = await sequentialOf(text);
        const result = exploreStateGraph({ cells, ...model }, 20_000);
        const states = result.kind === 'graph' ? result.graph.states : [];
        const written = new Set<string>();
        for (const state of states) {
            const copy = new Int32Array(state.length).fill(NO_VALUE);
            cells.forEach(({ format, within }, cell) => {
                if (format !== undefined && state[cell] !== NO_VALUE) {
                    const shown = formatParts(format, cells, state);
                    written.add(shown);
                    expect(readPartsInto(copy, format, shown, cells)).toBe(true);
                } else if (within === undefined) {
                    copy[cell] = state[cell]!;
                }
            });
            expect(copy).toEqual(state);
        }
        expect(written).toContain('none');
        expect([...written].some(shown => shown.includes('('))).toBe(true);
    });

    it('leaves no residue: 1 + 3 * 2 states, and all symmetries of the processes and of the truth values', async () => {
        // By hand a request that was taken stays where it was: 2 * 3 * 2 states, two of which nothing reaches.
        expect(await spaceOf(SPLIT)).toMatchObject({ states: 7, faults: [] });
        expect((await spaceOf(BY_HAND)).states).toBe(12);
        // S3 of the processes, C2 of `urgent`.
        expect((await symmetryOf(SPLIT)).group.order).toBe(12n);
    });

    it('is a fault of its own where it is none and a field is asked for', async () => {
        const text = `
            record R = { a: 0 .. 1, b: bool }
            var x: R? = none
            process P { loop { choose { read: when x.a == 0 skip } or { set: x := R(0, true) } or { no: x := none } } }`;
        // In the state without a record `read` is a fault; `no` and `set` go on, from the other state all three do.
        expect(await spaceOf(text)).toEqual({ states: 2, transitions: 5, faults: ['case'] });
    });

    it('may have more values than fit into one cell', async () => {
        const text = `
            type T = 0 .. 99
            record Big = { a: T, b: T, c: T }
            var x: Big? = none
            process P { loop { choose { set: x := Big(7, 8, 9) } or { up: when x != none && x.a < 12 { x.a := x.a + 1 } } } }`;
        // None, and `a` from 7 to 12.
        expect((await spaceOf(text)).states).toBe(7);
    });

    it('is one value in a state, from which its steps are found again', async () => {
        const model = await sequentialOf(RECORDS[0]!);
        const walk = simulate(model, { random: createRandom(3), steps: 60 });
        const trace = walk.kind === 'walk' ? walk.trace : [];
        expect(trace[0]!.state).toMatchObject({ x: 'none', 'A.mine': 'Req(0, Inner(false, 1), [false, false])' });
        expect(Object.keys(trace[0]!.state)).not.toContain('A.mine.who');
        trace.slice(1).forEach((entry, index) => {
            expect(possibleSteps(model, trace[index]!.state)?.map(step => step.entry)).toContainEqual(entry);
        });
    });
});
