/**
 * `P[i] at label` and "may stop" as expressions over the state. `at` holds if the current location has an offer whose
 * path passes the label, and the tests before the label hold. A local that the path initializes before a test is
 * replaced by its initial value; a faulty initialization makes the expression a fault.
 */
import type { SourceRange } from '../../common/source-range.js';
import { isNames } from '../../model/domain.js';
import { measureOf } from '../expression/expression-size.js';
import { stop } from '../linearization-limits.js';
import type { NodeBudget } from '../linearization-limits.js';
import type { InstanceView } from './instance-view.js';
import type { Family } from './instances.js';
import type { PathItem } from './locations.js';
import type { Cell, SequentialExpression } from '../sequential-model.js';
import { binary, conjunction, constant, disjunction, FALSE } from '../expression/simplify.js';
import { evenly } from '../expression/alive.js';
import { assignable, choiceByIndices, inDomain, substitute } from '../expression/substitute.js';

/** The parts of a model that answer a question for a label. */
interface LabelOptions {
    readonly cells: readonly Cell[];
    readonly budget: NodeBudget;
    /** By instance. */
    readonly views: readonly InstanceView[];
    readonly family: (process: number) => Family;
}

/** The expressions for `at`, each made once; a circle of them is a problem. */
export class Labels {
    readonly #options: LabelOptions;
    /** By instance and label; `undefined` during its expansion. */
    readonly #expansions = new Map<string, { expression: SequentialExpression; size: number } | undefined>();

    constructor(options: LabelOptions) {
        this.#options = options;
    }

    /** `process[indices] at label`; the fault `index` if there is no such instance. */
    at(
        process: number,
        indices: readonly SequentialExpression[],
        label: string,
        range: SourceRange,
    ): SequentialExpression {
        const { domains, instanceAt } = this.#options.family(process);
        return choiceByIndices(indices, domains, this.#options.budget, range, position => {
            const instance = instanceAt(position);
            return instance === undefined ? undefined : this.#instanceAt(instance, label, range);
        });
    }

    /** Whether control may leave the body without a step, or is on a path with an `end` label. */
    mayStop(instance: number): SequentialExpression {
        const { nameRange } = this.#options.views[instance].instance.declaration;
        return this.#someOffer(instance, nameRange, (path, isExit) =>
            isExit || path.some(item => item.kind === 'label' && item.isEnd) ? path : undefined,
        );
    }

    #instanceAt(instance: number, label: string, range: SourceRange): SequentialExpression {
        const key = `${instance} ${label}`;
        if (this.#expansions.has(key)) {
            const known = this.#expansions.get(key);
            if (known === undefined) {
                return stop(
                    'at/circular',
                    `whether control is at \`${label}\` depends on itself: a test before the label asks for it`,
                    range,
                );
            }
            this.#options.budget.spend(known.size, range);
            return known.expression;
        }
        this.#expansions.set(key, undefined);
        const expression = this.#someOffer(instance, range, path => {
            const index = path.findIndex(item => item.kind === 'label' && item.label === label);
            return index < 0 ? undefined : path.slice(0, index);
        });
        this.#expansions.set(key, { expression, size: measureOf(expression).size });
        return expression;
    }

    /** Whether the current location has an offer for which the part of the path chosen by `select` holds. */
    #someOffer(
        instance: number,
        range: SourceRange,
        select: (path: readonly PathItem[], isExit: boolean) => readonly PathItem[] | undefined,
    ): SequentialExpression {
        const { ways, counter } = this.#options.views[instance].instance;
        const alternatives = ways.map((offers, locationIndex) => {
            // Offers that differ only after the label have the same tests before it.
            const seen = new Set<string>();
            const conditions: SequentialExpression[] = [];
            for (const offer of offers) {
                const path = select(offer.path, offer.step === undefined);
                if (path === undefined) {
                    continue;
                }
                const key = path.map(keyOfItem).join(' ');
                if (!seen.has(key)) {
                    seen.add(key);
                    conditions.push(this.#pathHolds(instance, path, range));
                }
            }
            if (conditions.length === 0) {
                return FALSE;
            }
            const here =
                counter < 0
                    ? []
                    : [binary('==', { kind: 'cell', cell: counter, range }, constant(locationIndex), range)];
            // Where there are templates, a choice may be one of instances.
            const someWay = this.#options.views.some(view => view.instance.ended !== undefined)
                ? evenly('some', conditions, this.#options.cells, range)
                : disjunction(conditions, range);
            return conjunction([...here, someWay], range);
        });
        return disjunction(alternatives, range);
    }

    /**
     * Whether the tests of a path hold, over the state before it. Some value of a type without end can always be chosen,
     * though no slot may be free for it; a test behind such a choice could be about that value, so there must be none.
     */
    #pathHolds(instance: number, path: readonly PathItem[], range: SourceRange): SequentialExpression {
        const { cells, budget, views } = this.#options;
        const view = views[instance];
        const { locals } = view.instance.declaration;
        const choice = path.findIndex(
            item => item.kind === 'declare' && item.values !== undefined && isNames(locals[item.site.local].element),
        );
        const items =
            choice < 0
                ? path.map(item => view.elements(item))
                : view.way({ path }).elements.map(({ elements }) => elements);
        const initialized = new Map<number, SequentialExpression>();
        const tests: SequentialExpression[] = [];
        for (const [index, elements] of items.entries()) {
            for (const element of elements) {
                if (element.kind === 'test' && choice >= 0 && index > choice) {
                    if (element.condition.kind !== 'choosable') {
                        stop(
                            'name/at',
                            'where this process is depends on a test behind the choice of a value without end: put a step between them',
                            range,
                        );
                    }
                } else if (element.kind === 'test') {
                    tests.push(substitute(element.condition, initialized, budget));
                } else {
                    const { domain } = cells[element.cell];
                    const value = substitute(element.value, initialized, budget);
                    tests.push(assignable(value, domain, cells, element.range));
                    initialized.set(element.cell, inDomain(value, domain, cells, element.range));
                }
            }
        }
        return conjunction(tests, range);
    }
}

function keyOfItem(item: PathItem): string {
    switch (item.kind) {
        case 'test':
            return `${item.outcome ? '+' : '-'}${item.site.id}`;
        case 'declare':
            return `=${item.site.id}#${item.values?.join(',') ?? ''}`;
        case 'label':
            return '';
    }
}
