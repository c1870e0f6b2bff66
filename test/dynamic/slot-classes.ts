/**
 * The classes of the states of a model with slots: by all permutations of slots, on the successors of the engine.
 */
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { NO_VALUE, templateOf } from '../../engine/model/domain.js';
import type { ReducedExploration } from '../../engine/pipeline.js';
import { createCanonicalizer } from '../../engine/representative/representative.js';
import { Compiler } from '../../engine/sequential/expression/evaluate.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import { literalGroup } from '../../engine/symmetry/model-symmetry.js';
import type { Classes } from '../reference/classes.js';

/** Where an exchange of slots takes a cell, and for each code of the cell the code there. */
interface CellMove {
    readonly target: number;
    readonly codes: readonly number[];
}

/** The classes of states up to exchanges of slots, by trying all of them. */
export class SlotClasses {
    readonly #model: SequentialModel;
    /** One for each element of the product of the symmetric groups on the slots. */
    readonly #moves: readonly (readonly CellMove[])[];
    /** By the text of a class its number, and a state of it. */
    readonly #numbers = new Map<string, number>();
    readonly #states: Int32Array[] = [];

    constructor(model: SequentialModel) {
        this.#model = model;
        const { templates = [], cells } = model;
        const cellNumbers = new Map(cells.map(({ name }, cell) => [name, cell]));
        let exchanges: ReadonlyMap<string, string>[] = [new Map()];
        for (const { slots, name, named = 0 } of templates) {
            // What the text names keeps its name.
            const names = slots.slice(named).map((_, slot) => `${name}@${slot + 1}`);
            const own = permutations(names).map(images =>
                names.map((from, slot): [string, string] => [from, images[slot]!]),
            );
            exchanges = exchanges.flatMap(exchange => own.map(pairs => new Map([...exchange, ...pairs])));
        }
        const processes = templates.map(({ process }) => process);
        this.#moves = exchanges.map(exchange => {
            const renamed = (text: string): string => text.replaceAll(/\w+@\d+/g, name => exchange.get(name) ?? name);
            return cells.map(({ name, domain }): CellMove => {
                const isNamed = processes.includes(templateOf(domain) ?? -1);
                const base = domain.kind === 'optional' ? domain.base : domain;
                const values = base.kind === 'enumeration' ? base.values : [];
                const codes = isNamed ? values.map(value => values.indexOf(renamed(value))) : [];
                const target = cellNumbers.get(renamed(name))!;
                return {
                    target,
                    codes: domain.kind === 'optional' && isNamed ? [0, ...codes.map(code => code + 1)] : codes,
                };
            });
        });
    }

    explore(): Pick<Classes, 'classes' | 'transitions' | 'deadlocks'> {
        const { cells, instances } = this.#model;
        const successors = interpretedSuccessors(this.#model);
        const initial = new InitialStates(this.#model);
        const state = new Int32Array(cells.length);
        while (initial.nextInto(state)) {
            this.#add(state);
        }
        let [transitions, deadlocks] = [0, 0];
        const mayStop = mayStopOf(this.#model);
        for (const here of this.#states) {
            let firings = 0;
            successors.forEachFiring(here, {
                fired: (_, successor) => {
                    transitions++;
                    firings++;
                    this.#add(successor);
                    return true;
                },
                faulted: () => ++firings > 0,
            });
            if (firings === 0 && !instances.every((_, instance) => mayStop(here, instance))) {
                deadlocks++;
            }
        }
        return { classes: this.#states.length, transitions, deadlocks };
    }

    /** In how many orbits the classes are under the group of a search, which may take them to some that are not reached. */
    orbitsUnder({ group }: ReducedExploration): number {
        const reached = this.#states.length;
        if (group === undefined) {
            return reached;
        }
        const canonicalizer = createCanonicalizer(literalGroup(group), {});
        const states = [...this.#states];
        const numbers = new Map(this.#numbers);
        const orbitOf = states.map((_, index) => index);
        const root = (index: number): number => (orbitOf[index] === index ? index : root(orbitOf[index]!));
        const renamed = new Int32Array(this.#model.cells.length);
        const image = new Int32Array(this.#model.cells.length);
        for (let index = 0; index < states.length; index++) {
            // Of a class all states: a symmetry may exchange instances of two templates.
            for (const moves of this.#moves) {
                move(states[index]!, moves, renamed);
                for (const generator of group.generators) {
                    canonicalizer.imageInto(image, renamed, generator);
                    const text = this.#textOf(image);
                    const other = numbers.get(text) ?? states.push(image.slice()) - 1;
                    numbers.set(text, other);
                    orbitOf[other] ??= other;
                    orbitOf[root(index)] = root(other);
                }
            }
        }
        return new Set(orbitOf.slice(0, reached).map(root)).size;
    }

    #add(state: Readonly<Int32Array>): void {
        const text = this.#textOf(state);
        if (!this.#numbers.has(text)) {
            this.#numbers.set(text, this.#states.length);
            this.#states.push(state.slice());
        }
    }

    /** The least of the texts of all images. */
    #textOf(state: Readonly<Int32Array>): string {
        let least: string | undefined;
        const image = new Int32Array(state.length);
        for (const moves of this.#moves) {
            move(state, moves, image);
            const text = image.join();
            least = least === undefined || text < least ? text : least;
        }
        return least!;
    }
}

function move(state: Readonly<Int32Array>, moves: readonly CellMove[], image: Int32Array): void {
    moves.forEach(({ target, codes }, cell) => {
        const code = state[cell]!;
        image[target] = code === NO_VALUE ? NO_VALUE : (codes[code] ?? code);
    });
}

function mayStopOf(model: SequentialModel): (state: Int32Array, instance: number) => boolean {
    const compiler = new Compiler(model.cells);
    const conditions = model.instances.map(({ mayStop }) => compiler.condition(mayStop));
    return (state, instance) => conditions[instance]!(state);
}

function permutations(names: readonly string[]): string[][] {
    return names.length === 0
        ? [[]]
        : names.flatMap(first => permutations(names.filter(name => name !== first)).map(rest => [first, ...rest]));
}
