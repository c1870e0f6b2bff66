/** Generated code tells of states what the interpreter tells, in the same order. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { invariant } from '../../engine/common/assert.js';
import { compiledExpander } from '../../engine/compiled-search/compiled-expander.js';
import { compileModel } from '../../engine/compiled-search/compiled-model.js';
import { interpretedExpander, type Expander } from '../../engine/explore/expander.js';
import { Properties } from '../../engine/explore/properties.js';
import { StateLayout } from '../../engine/explore/state-layout.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import { loadModel } from '../../language-server/load-model.js';
import { models } from '../arbitrary/models.js';
import { analyzed, expansionOf, wordsOf } from '../expansion/compare.js';
import { printModel } from '../reference/print.js';

const LEVELS = 3;
/** More than there are in one batch of generated code. */
const MOST_STATES = 300;

/** Everything in order. The interpreter suspects every state, so what counts is whether it is right. */
function logOf(expander: Expander, states: Uint32Array, count: number, violates: (index: number) => boolean): string[] {
    const log: string[] = [];
    expander.expand(states, count, {
        suspicious: index => void (violates(index) && log.push(`${index} violates`)),
        fired: (index, representative) => void log.push(`${index} fired ${representative.join()}`),
        undecided: index => void log.push(`${index} undecided`),
        faulted: (index, summand, { kind }) => void log.push(`${index} faulted ${summand} ${kind}`),
        stuck: index => void log.push(`${index} stuck`),
    });
    return log;
}

/** How many levels were compared, and in how many some state violates an invariant. */
async function compareExpanders(text: string, isReduced: boolean): Promise<readonly [number, number]> {
    const analysis = analyzed((await loadModel(text, 'test:/model.orbit', [])).model);
    if (analysis === undefined) {
        return [0, 0];
    }
    const { sequential, symmetry } = analysis;
    const canonicalizer = isReduced ? createCanonicalizer(literalGroup(symmetry.explorationGroup)) : undefined;
    const code = compileModel(sequential, { canonicalizer, replacesAll: isReduced });
    if (code.kind === 'interpreted') {
        return [0, 0];
    }
    const layout = new StateLayout(sequential.cells);
    const compiled = compiledExpander(code, canonicalizer);
    invariant(compiled !== undefined, 'this host has WebAssembly');
    const { length: cellCount } = sequential.cells;
    const interpreted = interpretedExpander(interpretedSuccessors(sequential), layout, cellCount, canonicalizer);
    const properties = new Properties(sequential, undefined);
    const state = new Int32Array(cellCount);
    const keys = new Set<string>();
    for (const words of expansionOf(analysis, {
        reduction: isReduced ? 'unique' : 'none',
        passes: [],
    }).initialStates()) {
        keys.add(words!.join());
        if (keys.size === MOST_STATES) {
            break;
        }
    }
    let violated = 0;
    for (let level = 0; level < LEVELS; level++) {
        const count = keys.size;
        const states = wordsOf([...keys]);
        const violates = (index: number): boolean => {
            let found = false;
            layout.unpack(states, index * layout.wordCount, state);
            properties.checkState(state, () => (found = true));
            return found;
        };
        const log = logOf(compiled, states, count, violates);
        expect(log).toEqual(logOf(interpreted, states, count, violates));
        violated += log.some(line => line.endsWith('violates')) ? 1 : 0;
        keys.clear();
        log.filter(line => line.includes('fired'))
            .slice(0, MOST_STATES)
            .forEach(line => keys.add(line.split(' ')[2]!));
    }
    return [LEVELS, violated];
}

test('random models', { timeout: 120_000 }, async () => {
    let [compared, violated] = [0, 0];
    await fc.assert(
        fc.asyncProperty(models().map(printModel), fc.boolean(), async (text, isReduced) => {
            const [levels, violating] = await compareExpanders(text, isReduced);
            compared += levels;
            violated += violating;
        }),
        { numRuns: 12 },
    );
    expect(compared).toBeGreaterThan(15);
    expect(violated).toBeGreaterThan(0);
});

test('a representative that takes too much work is told, by both', async () => {
    const text = 'model M var x: bool = false process P { loop { flip: x := !x } }';
    const analysis = analyzed((await loadModel(text, 'test:/model.orbit', [])).model);
    invariant(analysis !== undefined, 'the model has no errors');
    const { sequential } = analysis;
    const givesUp = { canonicalizeInto: () => false };
    const code = compileModel(sequential, { canonicalizer: {}, replacesAll: true });
    invariant(code.kind === 'compiled', 'it is a small model');
    const layout = new StateLayout(sequential.cells);
    const interpreted = interpretedExpander(
        interpretedSuccessors(sequential),
        layout,
        sequential.cells.length,
        givesUp,
    );
    for (const expander of [compiledExpander(code, givesUp), interpreted]) {
        expect(expander && logOf(expander, Uint32Array.of(0), 1, () => false)).toEqual(['0 undecided']);
    }
});
