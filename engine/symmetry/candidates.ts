/**
 * Symmetries that the declarations suggest: what a reader would try first.
 *
 * For an index type: exchange two neighboring indices, rotate all of them, reflect them; each time in all families, all
 * arrays and all values of that type at once. For the values of a variable: exchange two neighbors in all its cells. A
 * candidate is checked, never trusted; one that holds shortens the search, one that does not is something to explain.
 */
import { codeOfValue, domainSize, formatDomain, valueOfCode, type Domain } from '../model/domain.js';
import type { Model } from '../model/model.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { sparsePermutation, type SparsePermutation } from '../group/sparse-permutation.js';
import type { LiteralPoints } from './model-symmetry.js';

/** What a candidate does to an index type or to the values of a variable. */
export type CandidateKind = 'swap' | 'rotation' | 'reflection';

export interface Candidate {
    readonly kind: CandidateKind;
    readonly subject: CandidateSubject;
    /** On literals; it may move none. */
    readonly permutation: SparsePermutation;
    /** Where it takes each instance; empty for the values of a variable. */
    readonly instances: ReadonlyMap<number, number>;
}

export type CandidateSubject =
    /** All families, arrays and values over this type. */
    | { readonly kind: 'index-type'; readonly domain: Domain }
    /** The values of one shared variable (`process` -1) or local. */
    | { readonly kind: 'variable-values'; readonly process: number; readonly variable: number };

/** All candidates, index types first. Those that would move values to values that cannot occur are left out. */
export function suggestCandidates(model: Model, sequential: SequentialModel, points: LiteralPoints): Candidate[] {
    const action = new DeclaredAction(model, sequential, points);
    const candidates: Candidate[] = [];
    for (const domain of indexTypes(model)) {
        const subject: CandidateSubject = { kind: 'index-type', domain };
        for (const [kind, images] of suggestedPermutations(domainSize(domain))) {
            const permutation = action.ofIndexType(domain, images);
            if (permutation !== undefined) {
                candidates.push({ kind, subject, permutation, instances: action.ofInstances(domain, images) });
            }
        }
    }
    const variables = [
        ...model.variables.map((variable, index) => ({ process: -1, index, domain: variable.element })),
        ...model.processes.flatMap((process, p) =>
            process.locals.map((local, index) => ({ process: p, index, domain: local.element })),
        ),
    ];
    for (const { process, index, domain } of variables) {
        const subject: CandidateSubject = { kind: 'variable-values', process, variable: index };
        for (const images of neighborSwaps(domainSize(domain))) {
            const permutation = action.ofValues(process, index, images);
            if (permutation !== undefined && permutation.points.length > 0) {
                candidates.push({ kind: 'swap', subject, permutation, instances: new Map() });
            }
        }
    }
    return candidates;
}

/** Larger types suggest nothing: the search finds their symmetries as fast. */
export const MOST_SUGGESTED_VALUES = 256;

/** Neighbor exchanges, then the rotation and the reflection (where they are no exchange). */
function suggestedPermutations(size: number): [CandidateKind, number[]][] {
    if (size > MOST_SUGGESTED_VALUES) {
        return [];
    }
    const identity = Array.from({ length: size }, (_, code) => code);
    const suggestions: [CandidateKind, number[]][] = neighborSwaps(size).map(images => ['swap', images]);
    if (size > 2) {
        suggestions.push(['rotation', identity.map(code => (code + 1) % size)]);
        suggestions.push(['reflection', identity.map(code => size - 1 - code)]);
    }
    return suggestions;
}

function neighborSwaps(size: number): number[][] {
    if (size > MOST_SUGGESTED_VALUES) {
        return [];
    }
    return Array.from({ length: Math.max(0, size - 1) }, (_, first) =>
        Array.from({ length: size }, (__, code) => (code === first ? first + 1 : code === first + 1 ? first : code)),
    );
}

/** The domains that index a family or an array, each once. */
export function indexTypes(model: Model): Domain[] {
    const found = new Map<string, Domain>();
    const note = (domain: Domain): void => {
        if (domainSize(domain) > 1 && !found.has(identityOf(domain))) {
            found.set(identityOf(domain), domain);
        }
    };
    model.processes.forEach(process => process.indices.forEach(index => note(index.domain)));
    model.variables.forEach(variable => variable.indices.forEach(note));
    model.processes.forEach(process => process.locals.forEach(local => local.indices.forEach(note)));
    return [...found.values()];
}

/** Declared types are told apart by name, others by what they contain. */
export function identityOf(domain: Domain): string {
    return domain.name ?? formatDomain(domain);
}

/** How permutations of declared things act on literals. */
export class DeclaredAction {
    private readonly model: Model;
    private readonly sequential: SequentialModel;
    private readonly points: LiteralPoints;
    private readonly cellOfKey = new Map<string, number>();

    constructor(model: Model, sequential: SequentialModel, points: LiteralPoints) {
        this.model = model;
        this.sequential = sequential;
        this.points = points;
        sequential.cells.forEach((cell, index) => {
            const instance = sequential.instances[cell.instance];
            const key = keyOf(instance?.process ?? -1, cell.variable, instance?.indices ?? [], cell.indices);
            this.cellOfKey.set(key, index);
        });
    }

    /** Where the instances go whose indices are of the type; those without a partner are left out. */
    ofInstances(type: Domain, images: readonly number[]): Map<number, number> {
        const { instances } = this.sequential;
        const numberOf = new Map(instances.map(({ process, indices }, i) => [`${process}[${indices.join()}]`, i]));
        const targets = instances.flatMap(({ process, indices }, instance): [number, number][] => {
            const declared = this.model.processes[process].indices;
            const image = indices.map((value, i) => mapValue(type, images, declared[i].domain, value));
            const target = numberOf.get(`${process}[${image.join()}]`);
            return target === undefined ? [] : [[instance, target]];
        });
        return new Map(targets);
    }

    /** `images[code]` for each code of the type; undefined where a cell has no partner or a value no point. */
    ofIndexType(type: Domain, images: readonly number[]): SparsePermutation | undefined {
        return this.permute(cell => {
            const { variable, indices, instance, domain, kind } = this.sequential.cells[cell];
            const owner = this.sequential.instances[instance];
            const process = owner === undefined ? undefined : this.model.processes[owner.process];
            const declared = process === undefined ? this.model.variables[variable] : process.locals[variable];
            const ownerIndices = (owner?.indices ?? []).map((value, i) =>
                mapValue(type, images, process!.indices[i].domain, value),
            );
            const target = this.cellOfKey.get(
                keyOf(
                    owner?.process ?? -1,
                    variable,
                    ownerIndices,
                    indices.map((value, i) => mapValue(type, images, declared.indices[i], value)),
                ),
            );
            return target === undefined
                ? undefined
                : { target, mapCode: code => (kind === 'counter' ? code : mapCode(type, images, domain, code)) };
        });
    }

    /** The same permutation of the codes of every cell of one variable. */
    ofValues(process: number, variable: number, images: readonly number[]): SparsePermutation | undefined {
        return this.permute(cell => {
            const { variable: declared, instance, kind } = this.sequential.cells[cell];
            const owner = this.sequential.instances[instance]?.process ?? -1;
            const matches = kind !== 'counter' && owner === process && declared === variable;
            return { target: cell, mapCode: code => (matches ? images[code] : code) };
        });
    }

    private permute(
        imageOf: (cell: number) => { readonly target: number; readonly mapCode: (code: number) => number } | undefined,
    ): SparsePermutation | undefined {
        const { codes, firstPoint, cellCount } = this.points;
        const pairs: [number, number][] = [];
        for (let cell = 0; cell < cellCount; cell++) {
            const image = imageOf(cell);
            if (image === undefined || codes[image.target].length !== codes[cell].length) {
                return undefined;
            }
            for (let i = 0; i < codes[cell].length; i++) {
                const position = codes[image.target].indexOf(image.mapCode(codes[cell][i]));
                if (position < 0) {
                    return undefined;
                }
                pairs.push([firstPoint[cell] + i, firstPoint[image.target] + position]);
            }
        }
        return sparsePermutation(pairs);
    }
}

/** What a permutation of the codes of `type` does to a code of `domain`. */
function mapCode(type: Domain, images: readonly number[], domain: Domain, code: number): number {
    if (identityOf(domain) === identityOf(type)) {
        return images[code];
    }
    return domain.kind === 'optional' && code > 0 ? mapCode(type, images, domain.base, code - 1) + 1 : code;
}

function mapValue(type: Domain, images: readonly number[], domain: Domain, value: number): number {
    return valueOfCode(domain, mapCode(type, images, domain, codeOfValue(domain, value)));
}

function keyOf(process: number, variable: number, instance: readonly number[], indices: readonly number[]): string {
    return `${process}.${variable}[${instance.join()}][${indices.join()}]`;
}
