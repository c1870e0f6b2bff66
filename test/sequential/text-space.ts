/** What a text means, as numbers that can be counted by hand: its states, transitions and faults. */
import { expect } from 'vitest';
import type { Problem } from '../../engine/common/problem.js';
import { exploreStateGraph } from '../../engine/explore/state-graph.js';
import { linearize } from '../../engine/sequential/linearize.js';
import { loadModel } from '../../language-server/load-model.js';
import { compare } from '../agreement/compare.js';
import { sequentialOf } from '../model-of-text.js';

export async function linearizationErrors(text: string): Promise<string[]> {
    const { model, problems } = await loadModel(text, 'test:/model.orbit');
    expect(errorsOf(problems)).toEqual([]);
    return errorsOf(linearize(model!).problems);
}

export interface Space {
    readonly states: number;
    readonly transitions: number;
    /** The kinds of the faults, one for each state and summand that has it, in alphabetical order. */
    readonly faults: readonly string[];
}

/** The state space of a text. The reference implementation has to find the same. */
export async function spaceOf(text: string): Promise<Space> {
    const result = exploreStateGraph(await sequentialOf(text), STATE_LIMIT);
    expect(result.kind).toBe('graph');
    const { graph } = result as Extract<typeof result, { kind: 'graph' }>;
    expect(['agreed', 'too many images']).toContain((await compare(text, STATE_LIMIT)).kind);
    const faults = graph.edges.flatMap(({ to }) => (typeof to === 'string' ? [to] : [])).sort();
    return { states: graph.states.length, transitions: graph.edges.length - faults.length, faults };
}

const STATE_LIMIT = 2_000;

function errorsOf(problems: readonly Problem[]): string[] {
    return problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}
