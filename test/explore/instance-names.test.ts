/** The names of instances along runs, and back from names to slots. */
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { createRandom } from '../../engine/common/random.js';
import { walkGrowing, withRoomFor } from '../../engine/verdict/enough-slots.js';
import { inSlots, instancesNamedIn, namesAlong, namesBySlot } from '../../engine/explore/instance-names.js';
import { possibleSteps, shortestWay } from '../../engine/explore/possible-steps.js';
import { retrace } from '../../engine/explore/retrace.js';
import { simulate } from '../../engine/explore/simulate.js';
import type { TraceEntry } from '../../engine/explore/verdict.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { modelOf } from '../model-of-text.js';

/** At most two live at once, and at most one that has ended is named: `old` and `new` are read again. */
const SHIFTS = `model Shifts
var old: W? = none
var new: W? = none
process Main {
    loop { create: when count(w in W: true) < 2 { old := new; new := spawn W() } }
}
process Watch { loop { look: when old != none && old != new } }
process W() { work: skip; leave: skip }
`;

async function shifts(): Promise<{ readonly model: Model; readonly sequential: SequentialModel }> {
    const model = await modelOf(SHIFTS);
    const { sequential } = linearize(model);
    invariant(sequential !== undefined, 'a model without errors has a sequential one');
    return { model, sequential };
}

async function walkOf(seed: number): Promise<readonly TraceEntry[]> {
    const { model, sequential } = await shifts();
    const walk = walkGrowing(model, sequential, enough => simulate(enough, { random: createRandom(seed), steps: 40 }));
    return walk.kind === 'walk' ? walk.trace : [];
}

test('each instance has the next number, and numbers do not come back', async () => {
    const trace = await walkOf(1);
    let created = 0;
    for (const [index, { step, state, changed }] of trace.entries()) {
        const before = trace[index - 1]?.state ?? {};
        const born = changed.filter(name => /^W#\d+\.at$/.test(name) && !(name in before));
        expect(born).toEqual(step?.label === 'create' ? [`W#${++created}.at`] : []);
        // What a trace says of a state never speaks of slots.
        expect(JSON.stringify([step?.process, state])).not.toContain('@');
    }
    expect(created).toBeGreaterThan(5);
});

test('what is said to have changed is what differs', async () => {
    const trace = await walkOf(2);
    for (const [index, { state, changed }] of trace.entries()) {
        const before = trace[index - 1]?.state ?? state;
        const names = [...new Set([...Object.keys(before), ...Object.keys(state)])];
        expect(changed).toEqual(names.filter(name => before[name] !== state[name]));
    }
});

test('a reference to an instance says that it has ended exactly if it does not live', async () => {
    for (const { state } of await walkOf(3)) {
        for (const value of [state['old'], state['new']]) {
            const [, name, end] = /^(W#\d+)( \(ended\))?$/.exec(String(value)) ?? [];
            expect(name === undefined ? undefined : `${name}.at` in state).toBe(name && end === undefined);
        }
    }
});

test('from each state of a walk its next one is among the possible steps, with the same names', async () => {
    const { model, sequential } = await shifts();
    const trace = await walkOf(4);
    let created = 0;
    for (const [index, { state, step }] of trace.entries()) {
        created += step?.label === 'create' ? 1 : 0;
        const next = trace[index + 1];
        if (next !== undefined) {
            const steps = possibleSteps(withRoomFor(model, sequential, state), state, { W: created });
            expect(steps?.map(({ entry }) => [entry.step?.process, entry.state])).toContainEqual([
                next.step?.process,
                next.state,
            ]);
        }
    }
});

test('a way leads to a step by the name of its instance', async () => {
    const { model, sequential } = await shifts();
    const [first] = await walkOf(5);
    const roomy = withRoomFor(model, sequential, first!.state);
    const way = shortestWay(roomy, first!.state, 'W#2 leave', UNLIMITED) ?? [];
    expect(way.at(-1)?.step).toMatchObject({ process: 'W#2', label: 'leave' });
    expect(way.map(({ step }) => step?.label)).toEqual(['create', 'create', 'work', 'leave']);
});

test('a walk is found again by its names', async () => {
    const { model, sequential } = await shifts();
    const trace = await walkOf(6);
    const again = walkGrowing(model, sequential, enough => retrace(enough, trace));
    expect(again.kind === 'walk' ? again.trace.map(({ state }) => state) : again).toEqual(
        trace.map(({ state }) => state),
    );
});

test('names become slots in their order, and only those of templates do', async () => {
    const { sequential } = await shifts();
    const named = instancesNamedIn(sequential, { 'W#7.at': 'work', old: 'W#3 (ended)', other: 'X#1' });
    expect([...named]).toEqual([['W', [3, 7]]]);
    expect(inSlots('W#7.at of W#3 (ended) and X#1', named)).toBe('W@2.at of W@1 and X#1');
});

test('a model without templates has no names of instances', async () => {
    const { sequential } = linearize(await modelOf('model M\nvar x: bool = false\nprocess P { loop { x := !x } }\n'));
    const state = new Int32Array(sequential!.cells.length);
    expect([...namesAlong(sequential!, [state, state]), namesBySlot(sequential!, state)]).toEqual([
        undefined,
        undefined,
        undefined,
    ]);
});

test('an instance that ends as soon as it is created has a number, too', async () => {
    const text = `var old: W? = none
        var new: W? = none
        process Main { loop { create: { old := new; new := spawn W() } } }
        process W() { }`;
    const model = await modelOf(text);
    const { sequential } = linearize(model);
    invariant(sequential !== undefined, 'a model without errors has a sequential one');
    const walk = simulate(sequential, { random: createRandom(1), steps: 5 });
    const { state = {} } = (walk.kind === 'walk' ? walk.trace : []).at(-1) ?? {};
    expect([state.old, state.new]).toEqual(['W#4 (ended)', 'W#5 (ended)']);
});
