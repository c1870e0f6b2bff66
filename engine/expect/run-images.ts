/**
 * Runs that are to exist, asked together with their images under symmetries that keep the start: such a symmetry takes a
 * run to a run, so one comes to a condition exactly if one comes to its image. The search may then use all symmetries that
 * keep the set of these conditions, and not only those that keep each.
 */
import { remembered } from '../common/list-map.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ConstraintProblem, ConstraintProperty } from '../constraints/constraint-problem.js';
import { conditionsOn } from '../constraints/encode.js';
import type { Domains } from '../constraints/formula.js';
import { EncodingStopped, unless } from '../constraints/encoding-limits.js';
import { codeOfValue, domainSize, valueOfCode } from '../model/domain.js';
import { supportOf } from '../sequential/cell-access.js';
import type { LiteralImage } from '../sequential/literal-image.js';
import { LIMITS, LinearizationStopped, NodeBudget } from '../sequential/linearization-limits.js';
import { constant, FALSE, mapOperands, select } from '../sequential/expression/simplify.js';
import { substitute } from '../sequential/expression/substitute.js';
import type { Cell, SequentialExpression, SequentialInvariant } from '../sequential/sequential-model.js';

/** More conditions than this cost more in each state than fewer states save. */
const MOST_IMAGES = 1_000;

/** Runs as invariants of a problem, with their images. */
export interface RunsAsInvariants {
    readonly invariants: readonly SequentialInvariant[];
    /** In the same order. */
    readonly properties: readonly ConstraintProperty[];
}

/** Undefined at the limit. `images` generate the symmetries. At most MOST_IMAGES conditions; without images if there are more. */
export function withImages(
    runs: readonly SequentialInvariant[],
    problem: ConstraintProblem,
    images: readonly LiteralImage[],
    limit: WorkLimit,
): RunsAsInvariants | undefined {
    const { sequential } = problem;
    const truthOf = conditionsOn(problem, limit);
    const first = sequential.invariants.length;
    const found: { readonly run: SequentialInvariant; readonly property: ConstraintProperty }[] = [];
    const truths = new Set<string>();
    const add = (run: SequentialInvariant): void => {
        const truth = truthOf(run.expression);
        const key = JSON.stringify([truth.holds, truth.faults, truth.pinned]);
        if (run.imageOf === undefined || !truths.has(key)) {
            const invariant = first + found.length;
            const isImage = run.imageOf !== undefined;
            const property = {
                name: run.name,
                kind: 'run',
                invariant,
                ...(isImage && { isImage }),
                ...truth,
            } as const;
            found.push({ run, property });
        }
        truths.add(key);
    };
    const close = (): boolean => {
        const budget = new NodeBudget(LIMITS.nodes);
        const actions = images.map(image => new ExpressionImage(problem, image, budget));
        // The list grows during the loop.
        for (const { run, property } of found) {
            // A condition that is too large is kept by what moves none of its cells, and images would pin more.
            for (const action of property.pinned.length > 0 ? [] : actions) {
                const of = run.imageOf ?? run.name;
                add({ ...run, name: `${of} ${found.length}`, imageOf: of, expression: action.of(run.expression) });
                if (found.length > MOST_IMAGES) {
                    return false;
                }
            }
        }
        return true;
    };
    return unless(
        EncodingStopped,
        () => {
            runs.forEach(add);
            const own = [...found];
            const isClosed = unless(LinearizationStopped, close, () => false);
            const all = isClosed ? found : own;
            return { invariants: all.map(({ run }) => run), properties: all.map(({ property }) => property) };
        },
        () => undefined,
    );
}

/** The action of a symmetry on conditions: the image is true in the image of a state. */
class ExpressionImage {
    readonly #cells: readonly Cell[];
    readonly #image: LiteralImage;
    readonly #budget: NodeBudget;
    readonly #domains: Domains;
    /** By cell that was read: the value that it had, in the image; a read of itself if it keeps its values. */
    readonly #before = new Map<number, SequentialExpression>();

    constructor({ sequential, domains }: ConstraintProblem, image: LiteralImage, budget: NodeBudget) {
        this.#cells = sequential.cells;
        this.#domains = domains;
        this.#image = image;
        this.#budget = budget;
    }

    of(expression: SequentialExpression): SequentialExpression {
        const moved = new Map<number, SequentialExpression>();
        for (const cell of supportOf(expression)) {
            const before = remembered(this.#before, cell, () => this.#valueBefore(cell));
            if (before.kind !== 'cell' || before.cell !== cell) {
                moved.set(cell, before);
            }
        }
        return substitute(this.#withImagesOfValues(expression), moved, this.#budget);
    }

    #valueBefore(number: number): SequentialExpression {
        const { domain, declaration } = this.#cells[number];
        const to = this.#image.cells[number];
        const target = this.#cells[to].domain;
        const read: SequentialExpression = { kind: 'cell', cell: to, range: declaration };
        // Of a cell with too many codes none are listed, and it stays.
        const codes = this.#domains[number].filter(code => code >= 0);
        const images = codes.map(code => this.#image.codeOf(number, code));
        const isSame = codes.every((code, index) => {
            const image = images[index];
            return image === undefined || valueOfCode(target, image) === valueOfCode(domain, code);
        });
        if (isSame) {
            return read;
        }
        this.#budget.spend(domainSize(target), declaration);
        const options = Array.from({ length: domainSize(target) }, (_, code) => {
            const before = images.indexOf(code);
            // Where no state holds it, any value.
            return constant(valueOfCode(domain, codes[Math.max(0, before)] ?? 0));
        });
        return select(read, target, options, declaration);
    }

    #withImagesOfValues(expression: SequentialExpression): SequentialExpression {
        if (expression.kind !== 'holds') {
            return mapOperands(expression, operand => this.#withImagesOfValues(operand));
        }
        const { cell, value } = expression;
        const to = this.#image.cells[cell];
        const code = this.#image.codeOf(cell, codeOfValue(this.#cells[cell].domain, value));
        return code === undefined
            ? FALSE
            : { ...expression, cell: to, value: valueOfCode(this.#cells[to].domain, code) };
    }
}
