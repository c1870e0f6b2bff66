/**
 * The instances of a family, made on demand: the model for so many members with its steps and its layout, or why it cannot
 * be used. All have one text, cells that belong to one member at most, and a start that treats all members alike.
 */
import { remembered } from '../engine/common/list-map.js';
import type { Problem } from '../engine/common/problem.js';
import { baseOf, memberBoundsOf, NONE, valueOfCode } from '../engine/model/domain.js';
import type { Model } from '../engine/model/model.js';
import { withStatedInvariants } from '../engine/sequential/runs/stated-invariants.js';
import { cellsWrittenBy } from '../engine/sequential/cell-access.js';
import { linearize } from '../engine/sequential/linearize.js';
import type { Participant, SequentialModel } from '../engine/sequential/sequential-model.js';
import { instantiate, type Family } from '../language/instantiate.js';
import { isFixed, valuesOfSizes, type Carrier } from './carrier.js';
import { memberLayoutOf, type SizedInstance } from './member-layout.js';
import { refusal } from './refusal.js';
import { differenceOf, uniformText } from './sizeless-text.js';

/** Why the method does not apply, at places of the text. */
export interface Refused {
    readonly problems: readonly Problem[];
}

export class SizedInstances {
    readonly #family: Family;
    readonly #carrier: Carrier;
    readonly #sample: Model;
    readonly #text: string;
    readonly #made = new Map<string, SizedInstance | Refused>();
    readonly #checked = new Map<string, SizedInstance | Refused>();

    /** `sample` is the model for some members of each family. */
    constructor(family: Family, carrier: Carrier, sample: Model) {
        this.#family = family;
        this.#carrier = carrier;
        this.#sample = sample;
        this.#text = uniformText(sample);
    }

    /** Its states have parts that are states of other instances, too. */
    at(sizes: readonly number[]): SizedInstance | Refused {
        return remembered(this.#checked, sizes.join(), () => {
            const instance = this.unchecked(sizes);
            if ('problems' in instance) {
                return instance;
            }
            const ofCells = cellsRefused(instance);
            const problems = ofCells.length > 0 ? ofCells : startRefused(instance, this.#carrier);
            return problems.length > 0 ? { problems } : instance;
        });
    }

    /** The same, whatever its cells and its start are. */
    unchecked(sizes: readonly number[]): SizedInstance | Refused {
        return remembered(this.#made, sizes.join(), () => {
            const model = this.modelAt(sizes);
            if ('problems' in model) {
                return model;
            }
            const { sequential, problems } = linearize(model);
            if (sequential === undefined) {
                return { problems: problems.map(each => (isLimit(each) ? this.#withSizes(each, sizes) : each)) };
            }
            return { model, sequential, layout: memberLayoutOf(model, sequential, this.#carrier, sizes) };
        });
    }

    modelAt(sizes: readonly number[]): Model | Refused {
        const { model: made, problems } = instantiate(this.#family, valuesOfSizes(this.#carrier, sizes));
        if (made === undefined) {
            return { problems: problems.map(each => this.#withSizes(each, sizes)) };
        }
        const model = withStatedInvariants(made);
        // Without members the rows of arrays are missing.
        if (!sizes.includes(0) && uniformText(model) !== this.#text) {
            const place = differenceOf(this.#sample, model) ?? model.nameRange;
            return { problems: [refusal(`with ${this.#given(sizes)} the text means something else here`, place)] };
        }
        return model;
    }

    #withSizes(problem: Problem, sizes: readonly number[]): Problem {
        return { ...problem, message: `with ${this.#given(sizes)}: ${problem.message}` };
    }

    #given(sizes: readonly number[]): string {
        const values = valuesOfSizes(this.#carrier, sizes);
        return this.#family.parameters.map(({ name }, position) => `${name} = ${values[position]}`).join(', ');
    }
}

/** Only limits are about the size that nobody asked for. */
function isLimit({ code }: Problem): boolean {
    return code.startsWith('limit/');
}

/** The cells that belong to two members, or belong to one and name another one between steps. */
function cellsRefused({ sequential, layout }: SizedInstance): Problem[] {
    const found = new Map<string, Problem>();
    sequential.cells.forEach(({ kind, domain, name, declaration }, cell) => {
        const owners = layout.owners[cell];
        if (kind === 'temporary' || owners.length === 0 || isAlwaysAbsent(cell, sequential)) {
            return;
        }
        const key = layout.keys[cell];
        if (found.has(key)) {
            return;
        }
        const letters = withLetters(name, owners.length);
        if (owners.length > 1) {
            found.set(key, refusal(`there is a cell for each pair of members: \`${letters}\``, declaration));
        } else if (memberBoundsOf(domain) !== undefined) {
            const message = `\`${letters}\` belongs to one member and may refer to another one`;
            found.set(key, refusal(message, declaration));
        }
    });
    return [...found.values()];
}

/** The name of a cell with letters for its first indices, which are members: `next[i]`, `linked[i, j]`. */
function withLetters(name: string, count: number): string {
    let position = 0;
    return name.replace(/\[[^\]]*\]/g, indices =>
        indices.replace(/\d+/g, number => (position < count ? LETTERS.charAt(position++) : number)),
    );
}

const LETTERS = 'ijklmnopqrstuvwxyz';

/** Whether a local holds a value during steps only. */
function isAlwaysAbsent(cell: number, { cells, initial, summands }: SequentialModel): boolean {
    if (cells[cell].kind !== 'local') {
        return false;
    }
    return (
        initial.every(entry => entry.cell !== cell || entry.value.kind === 'none') &&
        summands.every(({ participants }) => participants.every(participant => !leavesValue(participant, cell)))
    );
}

function leavesValue(participant: Participant, cell: number): boolean {
    const isCleared = participant.body.some(statement => statement.kind === 'clear' && statement.cell === cell);
    return !isCleared && cellsWrittenBy(participant).includes(cell);
}

/** Initial values that single out a member. */
function startRefused({ sequential, layout }: SizedInstance, carrier: Carrier): Problem[] {
    const problems: Problem[] = [];
    const values = new Map<string, string>();
    for (const { cell, value } of sequential.initial) {
        const { kind, domain, declaration } = sequential.cells[cell];
        if (kind === 'temporary' || value.kind === 'none' || value.kind === 'any') {
            const key = layout.keys[cell];
            if (kind !== 'temporary' && (values.get(key) ?? value.kind) !== value.kind) {
                problems.push(refusal('it begins in another way for some members', declaration));
            }
            values.set(key, value.kind);
            continue;
        }
        const expressions = value.kind === 'value' ? [value.expression] : value.expressions;
        const constants = expressions.flatMap(each => (each.kind === 'constant' ? [each.value] : []));
        if (constants.length < expressions.length) {
            problems.push(refusal('its first value depends on other variables', value.range));
            continue;
        }
        if (memberBoundsOf(domain) !== undefined) {
            // The first value of the type stays the first one in every part that has it.
            const first = valueOfCode(baseOf(domain), 0);
            if (!constants.every(each => each === first || each === NONE || isFixed(carrier, each))) {
                problems.push(refusal('it begins with one of the members', value.range));
            }
        }
        const text = JSON.stringify(constants);
        const key = layout.keys[cell];
        if ((values.get(key) ?? text) !== text) {
            problems.push(refusal('it begins in another way for some members', value.range));
        }
        values.set(key, text);
    }
    return problems;
}
