/**
 * The engine's states and symmetries, read as states of the reference implementation and maps between them.
 *
 * Cells have the same names on both sides. Locations do not have names that can be compared: they correspond as the
 * steps of the text that lead to them do.
 */
import { codeOfValue, NONE, NO_VALUE, valueOfCode, type Domain } from '../../engine/model/domain.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import type { SparsePermutation } from '../../engine/group/sparse-permutation.js';
import type { LiteralPoints } from '../../engine/symmetry/model-symmetry.js';
import type { Semantics, State } from '../reference/interpreter.js';
import type { Cell } from '../reference/specialize.js';
import type { Position, Value } from '../reference/syntax.js';

/** The two sides differ; `message` says in what. */
export class Disagreement extends Error {
    override readonly name = 'Disagreement';
}

export function agree(condition: boolean, message: () => string): void {
    if (!condition) {
        throw new Disagreement(message());
    }
}

export interface EngineView {
    /** The state that a vector of codes stands for. */
    stateOf(codes: ArrayLike<number>): State;
    /** The cell and value that a code of an engine cell stands for; undefined for no value. */
    literalOf(cell: number, code: number): Literal | undefined;
    /** The code of an engine cell in a state as traces show it. */
    codeOfTraceValue(cell: number, state: Readonly<Record<string, boolean | number | string>>): number;
}

export interface Literal {
    readonly cell: Cell;
    readonly value: Value;
}

/** Finds what corresponds to what. Throws a Disagreement where cells, types or locations do not correspond. */
export function viewEngine(sequential: SequentialModel, semantics: Semantics): EngineView {
    const locations = matchLocations(sequential, semantics);
    const { instances } = semantics.model;
    sequential.cells.forEach(({ name, domain, kind }) => {
        const values = semantics.cells.get(name);
        agree(values !== undefined, () => `the engine has a cell ${name}, the reference has none`);
        agree(
            kind === 'counter' || values!.every((value, code) => codeOfReference(domain, value) === code),
            () => `the values of ${name} differ`,
        );
    });
    const known = new Set(sequential.cells.map(cell => cell.name));
    for (const name of semantics.cells.keys()) {
        const instance = instances.find(candidate => name === `${candidate.name}.at`);
        agree(
            instance === undefined
                ? known.has(name)
                : known.has(name) === semantics.control(instance).offers.length > 1,
            () => `the reference has a cell ${name} that the engine lacks, or the other way round`,
        );
    }

    function literalOf(cell: number, code: number): Literal | undefined {
        if (code === NO_VALUE) {
            return undefined;
        }
        const { name, domain, kind, instance } = sequential.cells[cell]!;
        if (kind === 'counter') {
            const location = locations[instance]!.get(valueOfCode(domain, code));
            agree(location !== undefined, () => `${name} = ${code} is no location of the reference`);
            return { cell: name, value: location! };
        }
        return { cell: name, value: referenceValue(domain, code) };
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

    function codeOfTraceValue(cell: number, state: Readonly<Record<string, boolean | number | string>>): number {
        const { name, domain } = sequential.cells[cell]!;
        const value = state[name];
        return value === undefined ? NO_VALUE : codeOfReference(domain, value === 'none' ? null : value);
    }

    return { stateOf, literalOf, codeOfTraceValue };
}

/** For each instance of the engine, the reference location of each of its locations that a step leads to. */
function matchLocations(sequential: SequentialModel, semantics: Semantics): Map<number, number>[] {
    const { instances } = semantics.model;
    agree(
        sequential.instances.map(instance => instance.name).join() === instances.map(instance => instance.name).join(),
        () => `the instances differ: ${sequential.instances.map(instance => instance.name).join()}`,
    );
    return instances.map((instance, index) => {
        const { initial, offers } = semantics.control(instance);
        const afterStep = new Map<string, number>();
        for (const { step, target } of offers.flat()) {
            if (step !== undefined) {
                afterStep.set(formatPosition(step.position!), target);
            }
        }
        const match = new Map([[0, initial]]);
        for (const { participants } of sequential.summands) {
            for (const participant of participants) {
                if (participant.instance !== index) {
                    continue;
                }
                const place = formatPosition(participant.range.start);
                const target = afterStep.get(place);
                agree(target !== undefined, () => `${instance.name} has no step at ${place}`);
                const matched = match.get(participant.target) ?? target;
                agree(
                    matched === target,
                    () => `${instance.name}: two locations of the reference are one of the engine`,
                );
                match.set(participant.target, target!);
            }
        }
        agree(
            new Set(match.values()).size === match.size,
            () => `${instance.name}: one location of the reference is two of the engine`,
        );
        return match;
    });
}

function formatPosition(position: Position): string {
    return `${position.line + 1}:${position.character + 1}`;
}

/** A value as the reference writes it. */
function referenceValue(domain: Domain, code: number): Value {
    const value = valueOfCode(domain, code);
    if (value === NONE) {
        return null;
    }
    const base = domain.kind === 'optional' ? domain.base : domain;
    switch (base.kind) {
        case 'boolean':
            return value === 1;
        case 'enumeration':
            return base.values[value]!;
        default:
            return value;
    }
}

function codeOfReference(domain: Domain, value: Value): number {
    const base = domain.kind === 'optional' ? domain.base : domain;
    if (value === null) {
        return codeOfValue(domain, NONE);
    }
    if (typeof value === 'string') {
        return base.kind === 'enumeration' ? codeOfValue(domain, base.values.indexOf(value)) : -1;
    }
    return codeOfValue(domain, Number(value));
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
                    agree(target !== undefined, () => `${cell} = ${String(state.get(cell))} was taken for unreachable`);
                    image.set(target!.cell, target!.value);
                }
            }
            return image;
        },
    };
}
