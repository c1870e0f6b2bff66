/** The engine's states and symmetries as the reference's. Locations have no names; the steps between match them. */
import { formatValue as formatEngineValue, NO_VALUE, valuesOfDomain, type Domain } from '../../engine/model/domain.js';
import { isLengthOfChannel, readPartsInto, shownName } from '../../engine/sequential/split-values.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import type { LiteralPoints } from '../../engine/symmetry/model-symmetry.js';
import type { Semantics, State } from '../reference/interpreter.js';
import type { Position } from '../reference/syntax.js';
import { formatValue, type Cell, type Value } from '../reference/values.js';

/** The two sides differ; `message` says in what. */
class Disagreement extends Error {
    override readonly name = 'Disagreement';
}

export function agree(condition: boolean, message: () => string): void {
    if (!condition) {
        throw new Disagreement(message());
    }
}

export interface EngineView {
    stateOf(codes: ArrayLike<number>): State;
    /** The cell and value that a code of an engine cell stands for; undefined for no value. */
    literalOf(cell: number, code: number): Literal | undefined;
    codeOfTraceValue(cell: number, state: Readonly<Record<string, boolean | number | string>>): number;
}

interface Literal {
    readonly cell: Cell;
    readonly value: Value;
}

/** Finds what corresponds to what. Throws a Disagreement where cells, types or locations do not correspond. */
export function viewEngine(sequential: SequentialModel, semantics: Semantics): EngineView {
    const locations = matchLocations(sequential, semantics);
    const { instances } = semantics.model;
    /** For each cell of the engine and each code the value of the reference; undefined for temporaries, which hold none. */
    const values = sequential.cells.map(({ name, domain, kind, instance }): readonly (Value | undefined)[] => {
        if (kind === 'temporary') {
            return [];
        }
        const known = semantics.cells.get(name);
        agree(known !== undefined, () => `the engine has a cell ${name}, the reference has none`);
        if (kind === 'counter') {
            return valuesOfDomain(domain).map(location => locations[instance]!.get(location));
        }
        const texts = textsOf(domain);
        agree(
            texts.join() === known!.map(formatValue).join(),
            () => `the values of ${name} differ: ${texts.join()} and ${known!.map(formatValue).join()}`,
        );
        return known!;
    });
    const engineCells = new Set(sequential.cells.map(cell => cell.name));
    for (const name of semantics.cells.keys()) {
        const instance = instances.find(candidate => name === `${candidate.name}.at`);
        agree(
            instance === undefined
                ? engineCells.has(name)
                : engineCells.has(name) === semantics.control(instance).offers.length > 1,
            () => `the reference has a cell ${name} that the engine lacks, or the other way round`,
        );
    }

    function literalOf(cell: number, code: number): Literal | undefined {
        if (code === NO_VALUE) {
            return undefined;
        }
        const value = values[cell]![code];
        const { name } = sequential.cells[cell]!;
        agree(value !== undefined, () => `${name} has a value ${code} that the reference does not know`);
        return { cell: name, value: value! };
    }

    function stateOf(codes: ArrayLike<number>): State {
        const state = new Map<Cell, Value>();
        for (const instance of instances) {
            state.set(`${instance.name}.at`, semantics.control(instance).initial);
        }
        for (let cell = 0; cell < sequential.cells.length; cell++) {
            const literal = literalOf(cell, codes[cell]!);
            if (literal !== undefined) {
                state.set(literal.cell, literal.value);
            }
        }
        return state;
    }

    const codes = sequential.cells.map(
        ({ domain }) => new Map(textsOf(domain).map((text, code) => [text, code] as const)),
    );
    function codeOfTraceValue(cell: number, state: Readonly<Record<string, boolean | number | string>>): number {
        const { cells } = sequential;
        let outer = cell;
        for (let { within } = cells[cell]!; within !== undefined; { within } = cells[outer]!) {
            if (isLengthOfChannel(cells[within.of]!)) {
                break;
            }
            outer = within.of;
        }
        const { format } = cells[outer]!;
        const written = state[shownName(cells[outer]!)];
        if (format !== undefined && written !== undefined) {
            const read = new Int32Array(cells.length).fill(NO_VALUE);
            return readPartsInto(read, format, String(written), cells) ? read[cell]! : -2;
        }
        const { name, member, domain } = cells[cell]!;
        const times = member && timesShown(state[member.set], member.element);
        const value =
            member === undefined ? state[name] : domain.kind === 'boolean' && times !== undefined ? times > 0 : times;
        return value === undefined ? NO_VALUE : (codes[cell]!.get(String(value)) ?? -2);
    }

    return { stateOf, literalOf, codeOfTraceValue };
}

/** How often the text of a set or a bag, `{1, Message(2, red): 2}`, lists an element. */
function timesShown(shown: boolean | number | string | undefined, element: string): number | undefined {
    const elements = String(shown).slice(1, -1).split(/, /);
    // A comma within brackets is one of an element.
    for (let at = 0; at + 1 < elements.length;) {
        const depth = [...elements[at]!].reduce(
            (sum, each) => sum + ('([{'.includes(each) ? 1 : 0) - (')]}'.includes(each) ? 1 : 0),
            0,
        );
        if (depth === 0) {
            at++;
        } else {
            elements.splice(at, 2, `${elements[at]!}, ${elements[at + 1]!}`);
        }
    }
    const found = elements.find(each => each === element || each.startsWith(`${element}: `));
    return shown === undefined ? undefined : found === undefined ? 0 : Number(found.slice(element.length + 2) || 1);
}

function textsOf(domain: Domain): string[] {
    return valuesOfDomain(domain).map(value => formatEngineValue(domain, value));
}

interface ControlEdge {
    readonly place: string;
    readonly target: number;
}

/** For each instance of the engine, the location of the reference that each of its locations is. */
function matchLocations(sequential: SequentialModel, semantics: Semantics): Map<number, number>[] {
    const { instances } = semantics.model;
    agree(
        sequential.instances.map(instance => instance.name).join() === instances.map(instance => instance.name).join(),
        () => `the instances differ: ${sequential.instances.map(instance => instance.name).join()}`,
    );
    return instances.map((instance, index) => {
        const { initial, offers } = semantics.control(instance);
        const known = offers.map(located =>
            located.flatMap(({ step, target }) =>
                step === undefined ? [] : [{ place: formatPosition(step.position!), target }],
            ),
        );
        const found = new Map<number, ControlEdge[]>();
        for (const participant of sequential.summands.flatMap(({ participants }) => participants)) {
            if (participant.instance === index) {
                const edge = { place: formatPosition(participant.range.start), target: participant.target };
                found.set(participant.source, [...(found.get(participant.source) ?? []), edge]);
            }
        }
        const match = matchGraphs(found, known, new Map([[0, initial]]), [0]);
        agree(match !== undefined, () => `the locations of ${instance.name} do not correspond`);
        return match!;
    });
}

/** Extends a match of locations along the edges of `pending`: every edge of the engine is one of the reference. */
function matchGraphs(
    found: ReadonlyMap<number, readonly ControlEdge[]>,
    known: readonly (readonly ControlEdge[])[],
    match: Map<number, number>,
    pending: readonly number[],
): Map<number, number> | undefined {
    const [source, ...others] = pending;
    if (source === undefined) {
        return match;
    }
    const possible = known[match.get(source)!]!;
    let open: ControlEdge | undefined;
    for (const edge of found.get(source) ?? []) {
        const target = match.get(edge.target);
        if (target === undefined) {
            open ??= edge;
        } else if (!possible.some(candidate => candidate.place === edge.place && candidate.target === target)) {
            return undefined;
        }
    }
    if (open === undefined) {
        return matchGraphs(found, known, match, others);
    }
    const taken = new Set(match.values());
    for (const { place, target } of possible) {
        if (place === open.place && !taken.has(target)) {
            const extended = new Map(match).set(open.target, target);
            const complete = matchGraphs(found, known, extended, [...pending, open.target]);
            if (complete !== undefined) {
                return complete;
            }
        }
    }
    return undefined;
}

function formatPosition(position: Position): string {
    return `${position.line + 1}:${position.character + 1}`;
}

/** What a permutation of literals does to states of the reference. */
export interface StateMap {
    /** Throws a Disagreement where the state has a literal that the engine took for unreachable. */
    apply(state: State): State;
}

/** Checks that literals of a cell go onto the literals of one cell, and reads the permutation as a map of states. */
export function stateMap(view: EngineView, points: LiteralPoints, permutation: SparsePermutation): StateMap {
    const imageOfPoint = new Map<number, number>();
    permutation.points.forEach((point, index) => imageOfPoint.set(point, permutation.images[index]!));
    const literalOfPoint: (Literal & { readonly owner: number })[] = [];
    points.codes.forEach((codes, cell) => {
        codes.forEach((code, position) => {
            const found = view.literalOf(cell, code);
            // A location that no step leads to has no name on the other side; it stands for itself.
            literalOfPoint[points.firstPoint[cell]! + position] = { ...found!, owner: cell };
        });
    });
    const images = new Map<Cell, Map<Value, Literal>>();
    points.codes.forEach((codes, cell) => {
        const targets = codes.map((_, position) => {
            const point = points.firstPoint[cell]! + position;
            return literalOfPoint[imageOfPoint.get(point) ?? point]!;
        });
        agree(
            targets.every(target => target.owner === targets[0]!.owner) &&
                (targets.length === 0 || points.codes[targets[0]!.owner]!.length === codes.length),
            () => 'a generator does not map a cell onto a cell',
        );
        codes.forEach((_, position) => {
            const { cell: name, value } = literalOfPoint[points.firstPoint[cell]! + position]!;
            images.set(name, (images.get(name) ?? new Map<Value, Literal>()).set(value, targets[position]!));
        });
    });
    return {
        apply(state) {
            const image = new Map(state);
            // Cells that hold no value keep it on their way, so cells are emptied before they are filled.
            images.forEach((_, cell) => image.delete(cell));
            for (const [cell, values] of images) {
                if (state.has(cell)) {
                    const target = values.get(state.get(cell)!);
                    agree(
                        target !== undefined,
                        () => `${cell} = ${formatValue(state.get(cell)!)} was taken for unreachable`,
                    );
                    image.set(target!.cell, target!.value);
                }
            }
            return image;
        },
    };
}
