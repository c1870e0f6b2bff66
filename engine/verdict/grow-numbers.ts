/**
 * Explorations of models with numbers without end. A search keeps of them what the text looks at. If it finds a violation
 * that no real run shows, distances on which steps depend are kept one further, some times; if a state needs more codes,
 * there are twice as many. Symmetries are found anew each time, and numbers that they exchange are of one *kind*, with the
 * same bounds. docs/numbers-soundness.md
 */
import type { Analysis, Explorable, KeptNumbers } from '../analysis.js';
import { UnionFind } from '../common/union-find.js';
import type { ExplorationResult } from '../explore/search.js';
import type { ExplorationReport, NumbersOutcome } from '../explore/verdict.js';
import type { Model } from '../model/model.js';
import { codesIn, haveCodes, linearizeWithCodes } from '../sequential/numbers/enough-codes.js';
import { codesFor, leastKept } from '../sequential/numbers/number-facts.js';
import { commonMultiple } from '../sequential/numbers/number-walk.js';
import type { NumberFacts, NumberSort } from '../sequential/sequential-model.js';
import { literalImages } from '../symmetry/model-symmetry.js';
import type { Growth } from './phased-exploration.js';
import type { ReducedExplorationOptions } from './reduced-exploration.js';
import type { Reduced } from './reduction.js';

type Analyzed = Omit<Analysis<unknown>, 'problems'>;

/** Codes are doubled up to so many at most, then a search ends undecided. What the text asks for is there from the start. */
const MOST_CODES = 1024;

/** How often distances are kept further. */
const MOST_ROUNDS = 3;

export class NumberGrowth implements Growth {
    readonly #options: ReducedExplorationOptions;
    readonly #analyze: (model: Model) => Analyzed;
    readonly #facts: NumberFacts;
    /** By sort, how much further than needed its distances are kept. */
    readonly #further: number[];
    #searches = 1;
    /** How often distances have been kept further. */
    #rounds = 0;
    #given: Explorable;

    /** `analyze` finds the symmetries of the model with other codes. */
    constructor(
        given: Explorable,
        facts: NumberFacts,
        options: ReducedExplorationOptions,
        analyze: (model: Model) => Analyzed,
    ) {
        this.#options = options;
        this.#analyze = analyze;
        this.#facts = facts;
        this.#further = facts.sorts.map(() => 0);
        this.#given = this.#withCodes(given, 0);
    }

    get given(): Explorable {
        return this.#given;
    }

    after({ report }: ExplorationResult, { parts }: Reduced): Explorable | undefined {
        const codes = codesIn(this.#given);
        switch (report?.limit?.kind) {
            case 'numbers':
                return 2 * codes > MOST_CODES ? undefined : this.#grown(2 * codes);
            case 'notReal': {
                const sorts = new Set([...(parts.numbers?.inexact.values() ?? [])].flatMap(each => [...each]));
                if (sorts.size === 0 || this.#rounds === MOST_ROUNDS) {
                    return undefined;
                }
                this.#rounds++;
                sorts.forEach(sort => this.#further[sort]++);
                return this.#grown(codes);
            }
            default:
                return undefined;
        }
    }

    #grown(codes: number): Explorable {
        this.#searches++;
        this.#given = this.#withCodes(this.#given, codes);
        return this.#given;
    }

    /** With at least so many codes, and as many as the bounds of distances ask for. */
    #withCodes(given: Explorable, codes: number): Explorable {
        const numbers = this.#keptBy(given);
        const needed = Math.max(codes, codesFor({ ...this.#facts, sorts: numbers.sorts }, numbers.kept));
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
    #keptBy({ symmetry }: Explorable): KeptNumbers {
        const fromHere = (this.#options.leastDistances ?? 0) + 1;
        const { sorts } = this.#facts;
        const kinds = new UnionFind(sorts.length);
        const sortOf = new Map(sorts.flatMap(({ cells }, sort) => cells.map((cell): [number, number] => [cell, sort])));
        for (const { cells } of symmetry === undefined ? [] : literalImages(symmetry.group)) {
            sortOf.forEach((sort, cell) => kinds.union(sort, sortOf.get(cells[cell]) ?? sort));
        }
        const all = sorts.map((_, sort) => sorts.filter((_, other) => kinds.find(other) === kinds.find(sort)));
        const ofKinds = sorts.map(({ cells }, sort) => ({ ...all[sort].reduce(together), cells }));
        const further = sorts.map((_, sort) =>
            Math.max(...this.#further.filter((_, other) => kinds.find(other) === kinds.find(sort))),
        );
        return {
            sorts: ofKinds,
            kept: ofKinds.map((sort, index) => Math.max(leastKept(sort), fromHere) + further[index]),
        };
    }

    reportOn(report: ExplorationReport, { parts }: Reduced): ExplorationReport {
        const { sequential, numbers } = this.#given;
        const { order, inexact } = parts.numbers ?? {};
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
        return { ...report, numbers: outcomes, growthRounds: this.#searches };
    }
}

function together(first: NumberSort, second: NumberSort): NumberSort {
    return {
        cells: first.cells,
        told: first.told || second.told,
        most: Math.max(first.most, second.most),
        look: Math.max(first.look, second.look),
        reach: Math.max(first.reach, second.reach),
        modulus: commonMultiple(first.modulus, second.modulus),
    };
}
