/** Temporal properties and fairness of a model, over the cells and summands of its sequential model. */
import { appendTo } from '../../common/list-map.js';
import type { SourceRange } from '../../common/source-range.js';
import { controlsIn } from '../../model/walk-model.js';
import type { Control, Model } from '../../model/model.js';
import type { StatedRun } from '../../model/meant.js';
import type { Assumption, Fairness, TakenAction, TemporalExpression } from '../../model/temporal.js';
import { formatCellValues } from '../cell-layout.js';
import type { Family } from '../control/instances.js';
import { emptyScope, type Scope } from '../expression/scope.js';
import { binary, conjunction, constant } from '../expression/simplify.js';
import type { Specializer } from '../expression/specialize.js';
import { choiceByIndices } from '../expression/substitute.js';
import { stop } from '../linearization-limits.js';
import type {
    FairnessConstraint,
    Instance,
    Participant,
    SequentialModel,
    Summand,
    TemporalProperty,
} from '../sequential-model.js';
import { valueOfCode } from '../../model/domain.js';
import { type Conjunct, MemberSplitter } from './temporal-members.js';
import {
    ALWAYS_TRUE,
    AtomNumbering,
    junction,
    markerOf,
    negated,
    NEVER_TRUE,
    stateLeaf,
    type Tree,
    TreeBuilder,
} from './temporal-trees.js';

/** The parts of the model that are linearized by now. */
interface LinearizedParts {
    readonly specializer: Specializer;
    readonly instances: readonly Instance[];
    readonly summands: readonly Summand[];
    readonly family: (process: number) => Family;
}

/** Properties over runs, and what makes a run fair. */
export function temporalOf(model: Model, parts: LinearizedParts): Pick<SequentialModel, 'properties' | 'fairness'> {
    return new TemporalLinearizer(model, parts).linearize();
}

/** The parts of a run that is to exist, over states and steps. */
export function treesOfRun(model: Model, run: StatedRun, parts: LinearizedParts): readonly Tree[] {
    return new TemporalLinearizer(model, parts).treesOf(run);
}

class TemporalLinearizer {
    readonly #model: Model;
    readonly #parts: LinearizedParts;
    readonly #builder: TreeBuilder;
    readonly #splitter: MemberSplitter;
    /** By instance the summands that it takes part in, each with its part. */
    readonly #partsOf = new Map<number, { readonly summand: number; readonly participant: Participant }[]>();

    constructor(model: Model, parts: LinearizedParts) {
        this.#model = model;
        this.#parts = parts;
        this.#builder = new TreeBuilder(parts.specializer, (expression, scope) => this.#taken(expression, scope));
        this.#splitter = new MemberSplitter(this.#builder, parts.specializer);
        parts.summands.forEach(({ participants }, summand) => {
            for (const participant of participants) {
                appendTo(this.#partsOf, participant.instance, { summand, participant });
            }
        });
    }

    treesOf({ parts }: StatedRun): readonly Tree[] {
        return parts.map(part => this.#builder.tree(part, emptyScope()));
    }

    linearize(): Pick<SequentialModel, 'properties' | 'fairness'> {
        const { processes, events, properties, assumptions } = this.#model;
        const isFair = processes.some(({ fairness, body }) => fairness !== undefined || fairStepsIn(body).length > 0);
        if (properties.length + assumptions.length === 0 && !isFair && events.every(event => !event.fairness)) {
            return { properties: [], fairness: [] };
        }
        const temporal = properties.map(({ name, nameRange, expression }): TemporalProperty => {
            const members = this.#splitter.split(expression, emptyScope()).map(memberOf);
            return { name, range: nameRange, members };
        });
        const fairness = [...this.#fairProcesses(), ...this.#fairEvents(), ...assumptions.flatMap(this.#assumed)];
        return { properties: temporal, fairness };
    }

    /** The steps of one instance; the fault `index` where there is no such instance. */
    #taken({ process, indices, action, range }: Extract<TemporalExpression, { kind: 'takes' }>, scope: Scope): Tree {
        const { specializer, instances, family } = this.#parts;
        const { domains, instanceAt } = family(process);
        const places = indices.map(index => specializer.expression(index, scope));
        const alternatives: Tree[] = [];
        const outside = choiceByIndices(places, domains, specializer.budget, range, position => {
            const instance = instanceAt(position);
            if (instance === undefined) {
                return undefined;
            }
            const isHere = instances[instance].indices.map((value, dimension) =>
                binary('==', places[dimension], constant(value), range),
            );
            alternatives.push(
                junction(true, [
                    stateLeaf(conjunction(isHere, range), false, range),
                    { kind: 'taken', summands: this.#summandsOf(instance, action), isNegated: false },
                ]),
            );
            return constant(0);
        });
        return junction(false, [stateLeaf(outside, false, range), ...alternatives]);
    }

    #summandsOf(instance: number, action: TakenAction): readonly number[] {
        return this.#summandsWhere(instance, (participant, { event }) =>
            action.kind === 'label' ? participant.label === action.label : event?.event === action.event,
        );
    }

    #summandsWhere(instance: number, is: (participant: Participant, summand: Summand) => boolean): readonly number[] {
        const own = this.#partsOf.get(instance) ?? [];
        return own
            .filter(({ summand, participant }) => is(participant, this.#parts.summands[summand]))
            .map(({ summand }) => summand);
    }

    #fairProcesses(): readonly FairnessConstraint[] {
        const { instances } = this.#parts;
        return instances.flatMap(({ process, name }, instance) => {
            const { fairness, body, nameRange } = this.#model.processes[process];
            const whole = fairness === undefined ? [] : this.#summandsWhere(instance, () => true);
            const steps = fairStepsIn(body).flatMap(step => {
                const own = this.#summandsWhere(instance, ({ range }) => isSamePlace(range, step.range));
                return constraintOf(step.fairness, `${step.label} of ${name}`, step.labelRange, own);
            });
            return [...(fairness === undefined ? [] : constraintOf(fairness, name, nameRange, whole)), ...steps];
        });
    }

    /** One for each value of the arguments with which the event can take place. */
    #fairEvents(): readonly FairnessConstraint[] {
        return this.#model.events.flatMap(({ name, arguments: domains, fairness, nameRange }, event) => {
            const byArguments = new Map<string, number[]>();
            this.#parts.summands.forEach((summand, number) => {
                if (fairness !== undefined && summand.event?.event === event) {
                    const { codes } = summand.event;
                    const values = codes.map((code, position) => valueOfCode(domains[position], code));
                    const written = codes.length === 0 ? name : `${name}[${formatCellValues(domains, values)}]`;
                    appendTo(byArguments, written, number);
                }
            });
            return [...byArguments].flatMap(([written, summands]) =>
                fairness === undefined ? [] : constraintOf(fairness, written, nameRange, summands),
            );
        });
    }

    readonly #assumed = ({ name, expression, nameRange }: Assumption): readonly FairnessConstraint[] =>
        this.#splitter.split(expression, emptyScope()).map(({ tree }): FairnessConstraint => {
            const form = formOf(tree);
            if (form === undefined) {
                return stop('assume/form', ASSUMPTION_FORMS, expression.range);
            }
            return constraint('assumption', name, nameRange, form.asked, form.met);
        });
}

const ASSUMPTION_FORMS =
    'an assumption is `infinitely often …`, `eventually always …` or `(infinitely often …) implies (infinitely often …)`, ' +
    'for all indices';

interface FairStep {
    readonly fairness: Fairness;
    readonly label: string;
    readonly labelRange: SourceRange;
    /** Of the step. */
    readonly range: SourceRange;
}

function fairStepsIn(body: readonly Control[]): readonly FairStep[] {
    return body.flatMap(control =>
        control.kind === 'labeled' && control.control.kind === 'step' && control.fairness !== undefined
            ? [{ ...control, fairness: control.fairness, range: control.control.range }]
            : fairStepsIn(controlsIn(control)),
    );
}

function isSamePlace(one: SourceRange, other: SourceRange): boolean {
    return (
        one.uri === other.uri && one.start.line === other.start.line && one.start.character === other.start.character
    );
}

/** None for steps that never exist: they are never possible. */
function constraintOf(
    fairness: Fairness,
    name: string,
    range: SourceRange,
    summands: readonly number[],
): readonly FairnessConstraint[] {
    if (summands.length === 0) {
        return [];
    }
    const taken: Tree = { kind: 'taken', summands, isNegated: false };
    const disabled: Tree = { kind: 'enabled', summands, isNegated: true };
    return [
        fairness === 'weak'
            ? constraint('weak', name, range, ALWAYS_TRUE, junction(false, [disabled, taken]))
            : constraint('strong', name, range, negated(disabled), taken),
    ];
}

function constraint(
    kind: FairnessConstraint['kind'],
    name: string,
    range: SourceRange,
    asked: Tree,
    met: Tree,
): FairnessConstraint {
    const numbering = new AtomNumbering();
    const formulas = [numbering.formula(asked), numbering.formula(met)] as const;
    return {
        ...markerOf(kind, formulas, numbering.atoms),
        kind,
        name,
        range,
        asked: formulas[0],
        met: formulas[1],
    };
}

function memberOf({ values, tree }: Conjunct): TemporalProperty['members'][number] {
    const numbering = new AtomNumbering();
    const formula = numbering.formula(tree);
    return { ...markerOf('property', [formula], numbering.atoms), values, formula };
}

/** The request and the answer of an assumption; undefined for another form. */
function formOf(tree: Tree): { readonly asked: Tree; readonly met: Tree } | undefined {
    const recurrent = recurrentIn(tree);
    if (recurrent !== undefined) {
        return { asked: ALWAYS_TRUE, met: recurrent };
    }
    const settled = settledIn(tree);
    if (settled !== undefined) {
        return { asked: negated(settled), met: NEVER_TRUE };
    }
    if (tree.kind === 'or' && tree.operands.length === 2) {
        const [first, second] = tree.operands;
        const never = settledIn(first);
        const again = recurrentIn(second);
        return never && again && { asked: negated(never), met: again };
    }
    return undefined;
}

/** The condition of `infinitely often`. */
function recurrentIn(tree: Tree): Tree | undefined {
    return tree.kind === 'release' && isConstant(tree.left, 'or') ? promisedIn(tree.right) : undefined;
}

function promisedIn(tree: Tree): Tree | undefined {
    return tree.kind === 'until' && isConstant(tree.left, 'and') && isTimeless(tree.right) ? tree.right : undefined;
}

/** The condition of `eventually always`. */
function settledIn(tree: Tree): Tree | undefined {
    const { kind } = tree;
    return kind === 'until' && isConstant(tree.left, 'and') && tree.right.kind === 'release'
        ? isConstant(tree.right.left, 'or') && isTimeless(tree.right.right)
            ? tree.right.right
            : undefined
        : undefined;
}

function isConstant(tree: Tree, kind: 'and' | 'or'): boolean {
    return tree.kind === kind && tree.operands.length === 0;
}

function isTimeless(tree: Tree): boolean {
    switch (tree.kind) {
        case 'until':
        case 'release':
            return false;
        case 'and':
        case 'or':
            return tree.operands.every(isTimeless);
        default:
            return true;
    }
}
