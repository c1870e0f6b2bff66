/**
 * Explorations of models with numbers without end. A search keeps of them what the text looks at. If it finds a violation
 * that no real run shows, distances on which steps depend are kept one further, or beyond those of first values, some
 * times; if a state needs more codes, there are twice as many, and so are the slots for instances. Symmetries are found
 * anew each time, and numbers that they exchange are of one *kind*, with the same bounds. docs/numbers-soundness.md
 */
import type { Analysis, Explorable, KeptNumbers } from '../analysis.js';
import { invariant } from '../common/assert.js';
import { UnionFind } from '../common/union-find.js';
import type { ExplorationResult } from '../explore/search.js';
import type { ExplorationReport, NumbersOutcome } from '../explore/verdict.js';
import type { Model } from '../model/model.js';
import { codesIn, haveCodes, linearizeWithCodes } from '../sequential/numbers/enough-codes.js';
import { codesFor, leastKept, together } from '../sequential/numbers/number-facts.js';
import type { NumberFacts, NumberSort } from '../sequential/sequential-model.js';
import { literalImages } from '../symmetry/model-symmetry.js';
import type { SlotGrowth } from './grow-slots.js';
import type { Growth } from './phased-exploration.js';
import type { ReducedExplorationOptions } from './reduced-exploration.js';
import type { Reduced } from './reduction.js';

type Analyzed = Omit<Analysis<unknown>, 'problems'>;

/** Codes are doubled up to so many at most, then a search ends undecided. What the text asks for is there from the start. */
const MOST_CODES = 1024;

/** How often distances are kept further. */
const MOST_ROUNDS = 3;

/** If first values are so far apart, or farther, their distances are not kept: there would be too many states. */
const FAR_APART = 64;

export class NumberGrowth implements Growth {
    readonly #options: ReducedExplorationOptions;
    readonly #analyze: (model: Model) => Analyzed;
    /** Of a model with templates: each search has all of their slots that the one before it has missed. */
    readonly #slots: SlotGrowth | undefined;
    /** By the name of a cell, how much further than needed the distances of its sort are kept. More slots have more cells. */
    readonly #further = new Map<string, number>();
    #searches = 1;
    /** How often distances have been kept further. */
    #rounds = 0;
    #given: Explorable;

    /** `analyze` finds the symmetries of the model with other codes. `slots` are of a model with templates. */
    constructor(
        given: Explorable,
        slots: SlotGrowth | undefined,
        options: ReducedExplorationOptions,
        analyze: (model: Model) => Analyzed,
    ) {
        this.#options = options;
        this.#analyze = analyze;
        this.#slots = slots;
        this.#given = this.#withCodes(slots?.given ?? given, 0);
    }

    get given(): Explorable {
        return this.#given;
    }

    after(result: ExplorationResult, { parts }: Reduced): Explorable | undefined {
        const codes = codesIn(this.#given);
        switch (result.report?.limit?.kind) {
            case 'numbers':
                return 2 * codes > MOST_CODES ? undefined : this.#grown(2 * codes);
            case 'instances':
            case 'names': {
                if (this.#slots !== undefined) {
                    this.#slots.given = this.#given;
                }
                const more = this.#slots?.after(result);
                return more && this.#grown(codes, more);
            }
            case 'distances':
            case 'notReal': {
                if (this.#rounds === MOST_ROUNDS) {
                    return undefined;
                }
                this.#rounds++;
                const inexact = new Set([...(parts.numbers?.inexact.values() ?? [])].flatMap(each => [...each]));
                // A search that ends early has not seen which steps are not exact.
                const sorts = inexact.size > 0 ? inexact : factsOf(this.#given).sorts.keys();
                for (const sort of sorts) {
                    const kept = this.#given.numbers?.kept[sort] ?? 0;
                    const apart = firstDistance(this.#given, factsOf(this.#given).sorts[sort]);
                    const plus = apart < FAR_APART ? Math.max(1, apart + 1 - kept) : 1;
                    this.#namesOf(factsOf(this.#given).sorts[sort]).forEach(name =>
                        this.#further.set(name, (this.#further.get(name) ?? 0) + plus),
                    );
                }
                return this.#grown(codes);
            }
            default:
                return undefined;
        }
    }

    #grown(codes: number, given = this.#given): Explorable {
        this.#searches++;
        this.#given = this.#withCodes(given, codes);
        return this.#given;
    }

    #namesOf({ cells }: NumberSort): readonly string[] {
        return cells.map(cell => this.#given.sequential.cells[cell].name);
    }

    /** With at least so many codes, and as many as the bounds of distances ask for. */
    #withCodes(given: Explorable, codes: number): Explorable {
        const numbers = this.#keptBy(given);
        const needed = Math.max(codes, codesFor({ ...factsOf(given), sorts: numbers.sorts }, numbers.kept));
        if (haveCodes(given, needed)) {
            return { ...given, numbers };
        }
        const more = linearizeWithCodes(given.model, needed);
        const found = this.#options.reduction === 'none' ? more : this.#analyze(more.model);
        return found.sequential === undefined
            ? { ...given, numbers }
            : this.#withCodes({ ...found, sequential: found.sequential }, needed);
    }

    /** Sorts with cells that a symmetry exchanges have the same bounds. A search uses some of all symmetries. */
    #keptBy(given: Explorable): KeptNumbers {
        const { symmetry, sequential } = given;
        const fromHere = (this.#options.leastDistances ?? 0) + 1;
        const { sorts } = factsOf(given);
        const kinds = new UnionFind(sorts.length);
        const sortOf = new Map(sorts.flatMap(({ cells }, sort) => cells.map((cell): [number, number] => [cell, sort])));
        const groups = symmetry === undefined ? [] : [symmetry.group, symmetry.stepsGroup ?? symmetry.group];
        for (const { cells } of groups.flatMap(group => literalImages(group))) {
            sortOf.forEach((sort, cell) => kinds.union(sort, sortOf.get(cells[cell]) ?? sort));
        }
        const all = sorts.map((_, sort) => sorts.filter((_, other) => kinds.find(other) === kinds.find(sort)));
        const ofKinds = sorts.map(({ cells }, sort) => ({ ...all[sort].reduce(together), cells }));
        const furtherOf = ({ cells }: NumberSort): number =>
            Math.max(0, ...cells.map(cell => this.#further.get(sequential.cells[cell].name) ?? 0));
        const further = all.map(ofKind => Math.max(...ofKind.map(furtherOf)));
        return {
            sorts: ofKinds,
            kept: ofKinds.map((sort, index) => Math.max(leastKept(sort), fromHere) + further[index]),
        };
    }

    reportOn(given: ExplorationReport, reduced: Reduced): ExplorationReport {
        const { sequential, numbers } = this.#given;
        const { order, inexact } = reduced.parts.numbers ?? {};
        if (this.#slots !== undefined) {
            this.#slots.given = this.#given;
        }
        const report = this.#slots?.reportOn(given, reduced) ?? given;
        const outcomes = (numbers?.sorts ?? []).map((sort, index): NumbersOutcome => {
            const depending = [...(inexact ?? [])].filter(([, sorts]) => sorts.has(index));
            const steps = new Map(
                depending.map(([summand]) => {
                    const { label, participants } = sequential.summands[summand];
                    return [`${label} ${participants[0].range.start.line}`, { label, range: participants[0].range }];
                }),
            );
            return {
                places: sort.cells.map(cell => sequential.cells[cell].name),
                told: sort.told,
                mostDifferent: order?.mostDifferent[index] ?? 0,
                codes: codesIn(this.#given),
                kept: numbers?.kept[index] ?? 0,
                ...(report.limit === undefined && { exact: depending.length === 0 }),
                depends: [...steps.values()],
            };
        });
        // A search for a run alone has told what it kept itself.
        return { ...report, numbers: given.numbers ?? outcomes, growthRounds: this.#searches };
    }
}

/** The largest distance of two numbers of a sort at the start: until it is kept, the start stands for others, too. */
function firstDistance({ sequential: { initial } }: Explorable, { cells, told }: NumberSort): number {
    const values = initial.flatMap(({ cell, value }) => {
        if (!cells.includes(cell) || value.kind === 'none' || value.kind === 'any') {
            return [];
        }
        return (value.kind === 'value' ? [value.expression] : value.expressions).flatMap(expression =>
            expression.kind === 'constant' && typeof expression.value === 'number' ? [expression.value] : [],
        );
    });
    const all = told ? [0, ...values] : values;
    return all.length === 0 ? 0 : Math.max(...all) - Math.min(...all);
}

function factsOf({ sequential: { numbers } }: Explorable): NumberFacts {
    invariant(numbers !== undefined, 'with more room for numbers a model has them still');
    return numbers;
}
