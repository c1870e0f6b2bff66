/** The reachable states of a small model with what is true of markers there, and what it means to be their symmetry. */
import { Compiler, outcomeOf } from '../../engine/sequential/expression/evaluate.js';
import type { Marker, SequentialModel } from '../../engine/sequential/sequential-model.js';
import { initialStatesOf, outcomesOfSummands } from '../reference/literal-symmetries.js';

/** How literals and markers are numbered: see `MarkedGroup`. */
interface Numbering {
    readonly codes: readonly (readonly number[])[];
    readonly firstPoint: ArrayLike<number>;
    readonly cellOfPoint: ArrayLike<number>;
}

interface Permutation {
    readonly points: ArrayLike<number>;
    readonly images: ArrayLike<number>;
}

/** A successor or a fault, and the atoms `marker.atom` of which the firing is one. */
interface Firing {
    readonly outcome: readonly number[] | string;
    readonly atoms: readonly (readonly [marker: number, atom: number])[];
}

interface Position {
    readonly state: readonly number[];
    readonly firings: readonly Firing[];
    /** Of each marker the values of its atoms that are about the state; `fault …` where one is a fault. */
    readonly values: readonly (readonly string[])[];
}

export class MarkedSpace {
    readonly #cellCount: number;
    readonly #initial: ReadonlySet<string>;
    readonly #positions = new Map<string, Position>();
    /** Whether there are more states. */
    readonly isCut: boolean;

    constructor(model: SequentialModel, markers: readonly Marker[], mostStates: number) {
        this.#cellCount = model.cells.length;
        const waiting = initialStatesOf(model);
        this.#initial = new Set(waiting.map(String));
        const found = new Set(this.#initial);
        const values = valuesOf(model, markers);
        for (const state of waiting) {
            if (this.#positions.size >= mostStates) {
                break;
            }
            const firings = outcomesOfSummands(model, state).map(({ summand, outcome }) => ({
                summand,
                outcome,
                atoms: markers.flatMap(({ atoms }, marker) =>
                    [...atoms.keys()].flatMap(number => {
                        const atom = atoms[number]!;
                        return atom.kind === 'taken' && atom.summands.includes(summand)
                            ? [[marker, number] as const]
                            : [];
                    }),
                ),
            }));
            const enabled = new Set(firings.flatMap(({ summand, outcome }) => (isFault(outcome) ? [] : [summand])));
            this.#positions.set(String(state), { state, firings, values: values(state, enabled) });
            for (const { outcome } of firings) {
                if (!isFault(outcome) && !found.has(String(outcome))) {
                    found.add(String(outcome));
                    waiting.push([...outcome]);
                }
            }
        }
        this.isCut = waiting.length > this.#positions.size;
    }

    get states(): readonly (readonly number[])[] {
        return [...this.#positions.values()].map(({ state }) => state);
    }

    /** Why the permutation is no symmetry, on the states that are known; undefined if it is one. */
    objectionTo(numbering: Numbering, permutation: Permutation): string | undefined {
        const images = new Map(Array.from(permutation.points, (point, index) => [point, permutation.images[index]!]));
        const imageOf = (point: number): number => images.get(point) ?? point;
        const { cellOfPoint, codes, firstPoint } = numbering;
        const imageOfState = (state: readonly number[]): number[] => {
            const image = [...state];
            state.forEach((code, cell) => {
                const position = codes[cell]!.indexOf(code);
                const first = firstPoint[cell]!;
                if (code < 0 && codes[cell]!.length > 0) {
                    image[cellOfPoint[imageOf(first)]!] = code;
                } else if (position >= 0) {
                    const point = imageOf(first + position);
                    const target = cellOfPoint[point]!;
                    image[target] = codes[target]![point - firstPoint[target]!]!;
                }
            });
            return image;
        };
        const imageOfMarker = (marker: number): number =>
            cellOfPoint[imageOf(firstPoint[this.#cellCount + marker]!)]! - this.#cellCount;
        for (const state of this.#initial) {
            if (!this.#initial.has(String(imageOfState(state.split(',').map(Number))))) {
                return `the image of ${state} is not initial`;
            }
        }
        for (const here of this.#positions.values()) {
            const there = this.#positions.get(String(imageOfState(here.state)));
            if (there === undefined) {
                if (!this.isCut) {
                    return `the image of ${String(here.state)} cannot be reached`;
                }
                continue;
            }
            const expected = here.firings.map(({ outcome, atoms }) => ({
                outcome: isFault(outcome) ? outcome : imageOfState(outcome),
                atoms: atoms.map(([marker, atom]) => [imageOfMarker(marker), atom] as const),
            }));
            if (textOf(expected) !== textOf(there.firings)) {
                return `the firings of ${String(here.state)} are no images of those of ${String(there.state)}`;
            }
            if (here.values.some((own, marker) => String(own) !== String(there.values[imageOfMarker(marker)]))) {
                return `the atoms at ${String(here.state)} are not those at ${String(there.state)}`;
            }
        }
        return undefined;
    }
}

function isFault(outcome: readonly number[] | string): outcome is string {
    return typeof outcome === 'string';
}

/** Equal for equal sets: how often something happens does not matter, and who is at fault does not. */
function textOf(firings: readonly Firing[]): string {
    const texts = firings.map(({ outcome, atoms }) =>
        isFault(outcome) ? outcome : `${String(outcome)} ${atoms.map(String).sort().join(' ')}`,
    );
    return [...new Set(texts)].sort().join('\n');
}

function valuesOf(
    model: SequentialModel,
    markers: readonly Marker[],
): (state: readonly number[], enabled: ReadonlySet<number>) => string[][] {
    const compiler = new Compiler(model.cells);
    const asked = markers.map(({ skeleton, atoms }) => ({
        skeleton,
        atoms: atoms.map(atom => {
            switch (atom.kind) {
                case 'state': {
                    const evaluate = compiler.expression(atom.expression);
                    return (state: readonly number[]): string => {
                        const outcome = outcomeOf(evaluate, Int32Array.from(state));
                        return typeof outcome === 'object' ? `fault ${outcome.kind}` : String(outcome);
                    };
                }
                case 'enabled':
                    return (_: readonly number[], enabled: ReadonlySet<number>): string =>
                        `enabled ${atom.summands.some(summand => enabled.has(summand))}`;
                case 'possible':
                    return (): string => JSON.stringify(atom.condition);
                default:
                    return (): string => atom.kind;
            }
        }),
    }));
    return (state, enabled) =>
        asked.map(({ skeleton, atoms }) => [skeleton, ...atoms.map(value => value(state, enabled))]);
}
