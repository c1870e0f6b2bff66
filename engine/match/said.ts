/**
 * What a log can say, as markers that symmetries carry along: each value of an index type has one, and so has each
 * instance. A symmetry that keeps them maps values of one type onto each other, an element of an array to that with the
 * images of its indices, a step to one of the same label and family with the images of its binders; and it keeps every
 * variable, label, location, invariant and each value that is not of an index type.
 */
import { appendTo, remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import type {
    ConstraintAtom,
    ConstraintMarker,
    ConstraintProblem,
    ConstraintTruth,
} from '../constraints/constraint-problem.js';
import { conditionsOn } from '../constraints/encode.js';
import { EncodingStopped, unless } from '../constraints/encoding-limits.js';
import { FALSE_FORMULA } from '../constraints/formula.js';
import { placeOf } from '../explore/text-steps.js';
import { baseOf, codeOfValue, formatValue, NONE, valueOfCode, type Domain, type Value } from '../model/domain.js';
import type { Model } from '../model/model.js';
import { supportOf } from '../sequential/cell-access.js';
import { saidMessage } from './said-messages.js';
import { argumentsOf, stepFacts } from './step-facts.js';

/** The types whose values symmetries may move: by name, or what stands for one, how many there are. */
export interface SaidTypes {
    readonly types: () => ReadonlyMap<string, number>;
    readonly typeOf: (domain: Domain) => string | undefined;
}

export interface SaidMarkers {
    readonly markers: readonly ConstraintMarker[];
    /** By index type the number of the marker of its first value; those of the others follow. */
    readonly firstOfType: ReadonlyMap<string, number>;
}

type Literal = readonly [cell: number, code: number];

/** A part of a value or a place: the value of an index type, and what is around it. */
interface Part {
    readonly type: string;
    readonly code: number;
    /** Where it stands: equal for elements of one set. */
    readonly at: string;
}

/**
 * Undefined at the limit. With `keepsPlaces` a step keeps its place of the text and the arguments of its event, too, which
 * no log says.
 */
export function saidOf(
    model: Model,
    problem: ConstraintProblem,
    names: SaidTypes,
    { keepsPlaces }: { readonly keepsPlaces: boolean },
    limit: WorkLimit,
): SaidMarkers | undefined {
    return unless(
        EncodingStopped,
        () => new SaidEncoder(model, problem, names, keepsPlaces, limit).encode(),
        () => undefined,
    );
}

const NOT_TAKEN: ReadonlyMap<string, number[]> = new Map();

class SaidEncoder {
    readonly #model: Model;
    readonly #problem: ConstraintProblem;
    readonly #names: SaidTypes;
    readonly #keepsPlaces: boolean;
    readonly #firstOfType = new Map<string, number>();
    /** By what they are said to be: literals and steps that symmetries keep as a whole. */
    readonly #literals = new Map<string, Literal[]>();
    readonly #taken = new Map<string, number[]>();
    /** The same of the values of a type: by what is said, then by value. */
    readonly #literalsOfValue = new Map<string, Map<number, Literal[]>>();
    readonly #takenWithValue = new Map<string, Map<number, number[]>>();
    /** What has parts, and nothing by which it could be found: its form, and the markers of its parts. */
    readonly #linked: {
        readonly form: string;
        readonly parts: readonly Part[];
        readonly taken?: ReadonlyMap<string, number[]>;
        readonly truth?: ConstraintTruth;
    }[] = [];
    readonly #truthOf: ReturnType<typeof conditionsOn>;

    constructor(model: Model, problem: ConstraintProblem, names: SaidTypes, keepsPlaces: boolean, limit: WorkLimit) {
        this.#truthOf = conditionsOn(problem, limit);
        this.#model = model;
        this.#problem = problem;
        this.#names = names;
        this.#keepsPlaces = keepsPlaces;
    }

    encode(): SaidMarkers {
        const types = this.#names.types();
        let valueCount = 0;
        for (const [type, size] of types) {
            this.#firstOfType.set(type, valueCount);
            valueCount += size;
        }
        this.#addCells();
        this.#addSteps();
        const values = [...types].flatMap(([type, size]) =>
            Array.from({ length: size }, (_, code) => this.#markerOfValue(type, code)),
        );
        const fixed = [
            ...[...this.#literals].map(([form, literals]): ConstraintMarker => ({
                form: `literals ${form}`,
                atoms: [{ kind: 'literals', literals }],
            })),
            ...[...this.#taken].map(([form, summands]): ConstraintMarker => ({
                form: `steps ${form}`,
                atoms: [{ kind: 'taken', summands }],
            })),
            ...this.#problem.properties
                .filter(({ kind }) => kind === 'invariant')
                .map(({ name, holds, faults, pinned }): ConstraintMarker => ({
                    form: `invariant ${name}`,
                    atoms: [{ kind: 'state', holds, faults, pinned }],
                })),
        ];
        this.#addMessages();
        const linked = this.#linked.map(({ form, parts, taken = NOT_TAKEN, truth }): ConstraintMarker => ({
            form: JSON.stringify([form, parts.map(({ type }) => type), [...taken.keys()].sort()]),
            atoms: [
                ...parts.map((part): ConstraintAtom => ({ kind: 'literals', literals: [this.#literalOf(part)] })),
                ...[...taken]
                    .sort(([one], [other]) => (one < other ? -1 : 1))
                    .map(([, summands]): ConstraintAtom => ({ kind: 'taken', summands })),
                ...(truth === undefined ? [] : [{ kind: 'state', ...truth } as const]),
            ],
        }));
        return { markers: [...values, ...fixed, ...linked], firstOfType: this.#firstOfType };
    }

    #markerOfValue(type: string, code: number): ConstraintMarker {
        const isOwn = ([key]: readonly [string, unknown]): boolean => key.startsWith(`${type}|`);
        const literals = [...this.#literalsOfValue].filter(isOwn);
        const taken = [...this.#takenWithValue].filter(isOwn);
        return {
            form: JSON.stringify(['value', type]),
            atoms: [
                ...literals.map(([, byValue]): ConstraintAtom => ({
                    kind: 'literals',
                    literals: byValue.get(code) ?? [],
                })),
                ...taken.map(([, byValue]): ConstraintAtom => ({
                    kind: 'taken',
                    summands: byValue.get(code) ?? [],
                })),
            ],
        };
    }

    #literalOf({ type, code }: Part): Literal {
        return [this.#problem.domains.length + (this.#firstOfType.get(type) ?? 0) + code, 0];
    }

    #addCells(): void {
        const { sequential, domains } = this.#problem;
        sequential.cells.forEach((cell, number) => {
            const { kind, variable, instance, indices } = cell;
            if (kind === 'temporary') {
                return;
            }
            const owner = instance < 0 ? undefined : sequential.instances[instance];
            const outer = owner === undefined ? [] : this.#model.processes[owner.process].indices;
            const own =
                kind === 'shared'
                    ? this.#model.variables[variable].indices
                    : kind === 'channel'
                      ? this.#model.channels[variable].indices
                      : kind === 'local' && owner !== undefined
                        ? this.#model.processes[owner.process].locals[variable].indices
                        : [];
            const dimensions = [
                ...outer.map(({ domain }, at) => this.#describe(domain, owner?.indices[at] ?? 0, `family ${at}`)),
                ...own.map((domain, at) => this.#describe(domain, indices[at], `index ${at}`)),
            ];
            // The place in a channel, and the part of a message.
            const rest = kind === 'channel' ? indices.slice(own.length) : [];
            const place = JSON.stringify([kind, owner?.process, variable, rest, dimensions.map(({ form }) => form)]);
            const partsOfPlace = dimensions.flatMap(({ parts }) => parts);
            const codes = domains[number].filter(code => code >= 0);
            const isConstant = domains[number].length <= 1;
            for (const code of codes) {
                const value =
                    kind === 'counter'
                        ? { form: this.#location(instance, code), parts: [] }
                        : this.#describe(cell.domain, valueOfCode(cell.domain, code), 'value');
                const form = JSON.stringify([place, value.form]);
                const parts = [...partsOfPlace, ...value.parts];
                if (isConstant) {
                    this.#linked.push({ form, parts });
                    continue;
                }
                appendTo(this.#literals, form, [number, code]);
                parts.forEach(part => {
                    const said = `${part.type}|${form}|${part.at}`;
                    const byValue = remembered(this.#literalsOfValue, said, () => new Map<number, Literal[]>());
                    appendTo(byValue, part.code, [number, code]);
                });
            }
        });
    }

    #location(instance: number, code: number): string {
        const { name, range } = this.#problem.sequential.instances[instance].locations[code];
        // Without a label the name has the values of indices.
        return this.#keepsPlaces && name !== 'end' ? placeOf(range) : name;
    }

    #addSteps(): void {
        const { sequential } = this.#problem;
        const instances = sequential.instances.map(() => new Map<string, number[]>());
        stepFacts(this.#model, sequential).forEach(({ participants }, summand) => {
            const shown = this.#keepsPlaces ? argumentsOf(this.#model, sequential.summands[summand]) : [];
            for (const [index, { instance, family, labels, chosen }] of participants.entries()) {
                const place = this.#keepsPlaces
                    ? [placeOf(sequential.summands[summand].participants[index].range)]
                    : [];
                const name = JSON.stringify([family, [...labels].sort(), ...place]);
                const isTwice = participants.filter(other => other.family === family).length > 1;
                // Which of two alike participants has chosen what would not be said.
                appendTo(this.#taken, isTwice && chosen.length > 0 ? `${name} ${summand}` : name, summand);
                appendTo(instances[instance], name, summand);
                for (const { name: binder, domain, value } of [...chosen, ...shown]) {
                    const { form, parts } = this.#describe(domain, value, 'value');
                    const said = JSON.stringify([name, binder, form]);
                    appendTo(this.#taken, said, summand);
                    parts.forEach(({ type, code, at }) => {
                        const place = `${type}|${said}|${at}`;
                        const byValue = remembered(this.#takenWithValue, place, () => new Map<number, number[]>());
                        appendTo(byValue, code, summand);
                    });
                }
            }
        });
        sequential.instances.forEach(({ process, indices }, instance) => {
            const described = this.#model.processes[process].indices.map(({ domain }, at) =>
                this.#describe(domain, indices[at], `index ${at}`),
            );
            this.#linked.push({
                form: JSON.stringify(['instance', process, described.map(({ form }) => form)]),
                parts: described.flatMap(({ parts }) => parts),
                taken: instances[instance],
            });
        });
    }

    /** The value that a message always has is like a choice of its step; one that the state decides is a marker of its own. */
    #addMessages(): void {
        const { sequential } = this.#problem;
        sequential.summands.forEach((summand, number) => {
            for (const said of saidMessage(this.#model, summand, sequential.cells)) {
                const { form, indices, domain, value, condition, scalar } = said;
                const described = [
                    ...indices.map((index, at) => this.#describe(index.domain, index.value, `index ${at}`)),
                    ...(condition === 'unknown' ? [] : [this.#describe(domain, value, 'value')]),
                ];
                const truth =
                    condition === undefined
                        ? undefined
                        : condition === 'unknown'
                          ? { holds: FALSE_FORMULA, faults: [], pinned: supportOf(scalar) }
                          : this.#truthOf(condition);
                if (truth?.holds === FALSE_FORMULA && truth.faults.length + truth.pinned.length === 0) {
                    continue;
                }
                this.#linked.push({
                    form: JSON.stringify(['message', form, described.map(each => each.form)]),
                    parts: described.flatMap(({ parts }) => parts),
                    taken: new Map([['', [number]]]),
                    ...(truth !== undefined && { truth }),
                });
            }
        });
    }

    /** A value with its parts of index types left open. */
    #describe(domain: Domain, value: Value, at: string): { readonly form: string; readonly parts: readonly Part[] } {
        if (value === NONE) {
            return { form: 'none', parts: [] };
        }
        const base = baseOf(domain);
        const type = this.#names.typeOf(base);
        if (type !== undefined) {
            return { form: '_', parts: [{ type, code: codeOfValue(base, value), at }] };
        }
        if (base.kind !== 'record') {
            return { form: formatValue(base, value), parts: [] };
        }
        const tuple = base.tuples[value];
        const { elements } = base;
        const fields =
            elements === undefined
                ? base.fields.map((field, index) => this.#describe(field.domain, tuple[index], `${at}.${index}`))
                : tuple.flatMap((isThere, code) =>
                      isThere === 1 ? [this.#describe(elements, valueOfCode(elements, code), `${at} in`)] : [],
                  );
        // Which parts of different elements belong together would not be said.
        const isUnclear = elements !== undefined && fields.some(({ parts }) => parts.length > 1);
        return isUnclear
            ? { form: formatValue(base, value), parts: [] }
            : { form: JSON.stringify(fields.map(({ form }) => form)), parts: fields.flatMap(({ parts }) => parts) };
    }
}
