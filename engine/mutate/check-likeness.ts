/** An isomorphism of two graphs, checked by running both models: each state and its image do the same, but for names. */
import { positionInAscending } from '../common/ascending.js';
import type { WorkLimit } from '../common/work-limit.js';
import { exploreStateGraph } from '../explore/state-graph.js';
import { isConstant, type GraphEncoding } from '../symmetry/graph-encoding.js';

/** `images` has by vertex of the first graph its image in the second one. False if there are more states than `most`. */
export function agreesOnStates(
    one: GraphEncoding,
    other: GraphEncoding,
    images: Int32Array,
    most: number,
    limit: WorkLimit,
): boolean {
    const imageOf = stateImage(one, other, images);
    const [before, after] = [one, other].map(({ problem }) => exploreStateGraph(problem.sequential, most, limit));
    if (imageOf === undefined || before?.kind !== 'graph' || after?.kind !== 'graph' || limit.isExhausted()) {
        return false;
    }
    const numberOfKey = new Map(after.graph.states.map((state, number) => [state.join(), number]));
    const numbers = before.graph.states.map(state => numberOfKey.get(imageOf(state).join()) ?? -1);
    const firings = (
        { edges, initial }: typeof before.graph,
        numberOf: (state: number) => number | undefined,
    ): string =>
        JSON.stringify([
            initial.map(numberOf).sort(),
            edges.map(({ from, to }) => `${numberOf(from)} ${typeof to === 'number' ? numberOf(to) : to}`).sort(),
        ]);
    return (
        numbers.length === after.graph.states.length &&
        firings(before.graph, state => numbers[state]) === firings(after.graph, state => state)
    );
}

/** By state of the first model its image; undefined if a cell has values that are not listed. */
function stateImage(
    one: GraphEncoding,
    other: GraphEncoding,
    images: Int32Array,
): ((state: Readonly<Int32Array>) => Int32Array) | undefined {
    const { domains } = one.problem;
    const { domains: otherDomains } = other.problem;
    if ([...domains, ...otherDomains].some(codes => codes.length === 0)) {
        return undefined;
    }
    const literals = new Map<number, readonly [cell: number, code: number]>();
    otherDomains.forEach((codes, cell) => {
        if (!isConstant(codes)) {
            codes.forEach((code, position) => literals.set(other.firstLiteral[cell] + position, [cell, code]));
        }
    });
    const constants = Int32Array.from(otherDomains, ([code]) => code);
    return state => {
        const image = constants.slice();
        state.forEach((code, cell) => {
            const position = positionInAscending(domains[cell], code);
            const literal = isConstant(domains[cell])
                ? undefined
                : literals.get(images[one.firstLiteral[cell] + position]);
            if (literal !== undefined) {
                image[literal[0]] = literal[1];
            }
        });
        return image;
    };
}
