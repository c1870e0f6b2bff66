/** A random model with values without end, by the engine and by the reference. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { withSlots } from '../../engine/model/with-slots.js';
import { findSymmetries, startExploration } from '../../engine/pipeline.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { loadModel } from '../../language-server/load-model.js';
import { drawsAll } from '../cases.js';
import type { Way } from '../dynamic/agreement.js';
import { SlotClasses } from '../dynamic/slot-classes.js';
import { randomModel, textOf } from './random-text.js';
import { referenceOf, type Result } from './reference.js';

export type Comparison =
    { readonly kind: 'skipped' } | { readonly kind: 'agreed'; readonly reference: Result; readonly isUnique: boolean };

/** Throws where the two do not agree. */
export async function compareSeed(
    seed: number,
    classLimit: number,
    { reduction, isInterpreted }: Way,
): Promise<Comparison> {
    const data = randomModel(seed);
    const text = textOf(data);
    const { model, problems } = await loadModel(text, 'file:///random.orbit');
    if (model === undefined) {
        const codes = problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
        throw new Error(`${codes.join('\n')}\n${text}`);
    }
    const reference = referenceOf(data, classLimit);
    if (reference === undefined) {
        return { kind: 'skipped' };
    }
    const analysis = findSymmetries(model, { now: () => 0, workLimit: UNLIMITED });
    if (analysis.sequential === undefined) {
        const codes = new Set(analysis.problems.map(({ code }) => code));
        if ([...codes].every(code => code === 'name/joint')) {
            return { kind: 'skipped' };
        }
        throw new Error(`${[...codes].join()}\n${text}`);
    }
    const options = { reduction, isInterpreted, continueAfterViolation: true } as const;
    const started = startExploration(analysis, options, UNLIMITED);
    while (!started.exploration.advance(UNLIMITED));
    const { report } = started.exploration.result();
    const [held] = report?.names ?? [];
    if (report === undefined || held === undefined) {
        throw new Error(`there is a report about names\n${text}`);
    }
    const process = model.processes.findIndex(({ name }) => name === 'V');
    const { sequential } = linearize(withSlots(model, new Map([[process, held.slots]])));
    // All renamings are tried: of six slots that takes a minute.
    if (held.slots - data.named > (drawsAll ? 6 : 5) || sequential === undefined) {
        return { kind: 'skipped' };
    }
    const classes = new SlotClasses(sequential);
    const found = classes.explore();
    const isUnique = report.reduction?.unique === true;
    const orbits = classes.orbitsUnder(started);
    // What is local goes through states that are not stored, and one of an orbit may hold fewer values than another.
    const isEachStored = reduction !== 'local' && orbits === reference.classes;
    const actual = {
        ...found,
        isFaulty: report.violations.some(({ kind }) => kind === 'fault'),
        isViolated: report.violations.some(({ kind }) => kind === 'invariant'),
        mostNamed: isEachStored ? held.mostNamed : held.mostNamed <= reference.mostNamed,
        limit: report.limit,
        states: isUnique ? report.states : report.states >= orbits,
        isDeadlocked: report.deadlocks > 0,
    };
    const expected = {
        classes: reference.classes,
        transitions: reference.transitions,
        deadlocks: reference.deadlocks,
        isFaulty: reference.isFaulty,
        isViolated: reference.isViolated,
        mostNamed: isEachStored ? reference.mostNamed : true,
        limit: undefined,
        states: isUnique ? orbits : true,
        isDeadlocked: reference.deadlocks > 0,
    };
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        throw new Error(
            `seed ${seed}, ${reduction}, ${isInterpreted ? 'interpreted' : 'compiled'}: the engine says ` +
                `${JSON.stringify(actual)}\nthe reference says ${JSON.stringify(expected)}\n${text}`,
        );
    }
    return { kind: 'agreed', reference, isUnique };
}
