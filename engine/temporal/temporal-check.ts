/**
 * Checks members of temporal properties on one stored graph. Whenever the number of expanded states has doubled, and at
 * the end, the products of what is expanded so far are searched: a fair component found early is one of the whole graph,
 * at no more than twice the work. What is `possible` is known at the end only.
 */
import { invariant } from '../common/assert.js';
import type { Problem } from '../common/problem.js';
import { SlicedWork } from '../common/sliced-work.js';
import type { WorkLimit } from '../common/work-limit.js';
import { InitialStates, type SymmetriesOnCells } from '../explore/initial/initial-states.js';
import { type Root, Roots } from '../explore/initial/roots.js';
import type { NumberSteps } from '../explore/number-successors.js';
import type { Successors } from '../explore/successors.js';
import { describeStep } from '../explore/trace.js';
import type { ExplorationLimit } from '../explore/verdict.js';
import type { Fault } from '../sequential/expression/evaluate.js';
import { SPARSE_IDENTITY, type SparsePermutation } from '../group/sparse-permutation.js';
import type { PropertyMember, SequentialModel, TemporalFormula } from '../sequential/sequential-model.js';
import { type AtomFault, AtomTruth } from './atom-truth.js';
import { type Automaton, automatonOf, negationOf } from './automaton.js';
import { type Component, Components } from './components.js';
import { type ConstraintTests, constraintTests, FairComponents } from './fair-components.js';
import type { ConstraintSymmetry } from './frames.js';
import { InexactFirings } from './inexact-firings.js';
import { type Lasso, lassoBehind, type LassoContext, lassoIn, runAlong, runTo } from './lasso.js';
import type { MarkedCanonicalizer, MarkedEdge, MarkedEdges } from './marked-canonicalizer.js';
import { MarkedFirings } from './marked-firings.js';
import { MOST_PROMISES, Product } from './product.js';
import { type RealLasso, realLasso } from './real-lasso.js';
import { nodesReached, realStem } from './real-stem.js';
import { StepClasses } from './step-classes.js';
import { OUTSIDE, StoredGraph } from './stored-graph.js';
import { conditionOf } from './vacuity.js';

export interface TemporalCheckOptions {
    /** Expand stored states; they may be generated code. */
    readonly successors: Successors;
    /** Of the model as written, with all choices of slots, for the run that is shown. */
    readonly interpreted: Successors;
    /**
     * Symmetries that keep each member, or each question if members are tracked; markers are the constraints of the
     * model, then the members.
     */
    readonly canonicalizer?: MarkedCanonicalizer;
    /** By marker of a member and constraint: equal for constraints that symmetries of the member exchange. */
    readonly orbitsOf?: readonly (readonly number[])[];
    /** Whether symmetries exchange members: those of a question are then followed along the edges. */
    readonly tracksMarkers?: boolean;
    /** Present if symmetries may map initial states to other states: some that do not, and keep the questions too. */
    readonly startMoved?: { readonly elements: SymmetriesOnCells };
    readonly exactWithin?: number;
    /** Of a model with numbers without end, of which its successors store the form. */
    readonly numbers?: NumberSteps;
    /** The first search is at so many expanded states; for tests. */
    readonly firstSearch?: number;
    /** Firings that the search for a least lasso may look at. */
    readonly mostLassoWork?: number;
    readonly maxStates?: number;
    readonly maxMemoryBytes?: number;
}

/** The answer to one question. */
export type Outcome =
    | { readonly kind: 'holds' }
    /** `member` is the number of the one that the run violates. */
    | { readonly kind: 'violated'; readonly lasso: Lasso; readonly member: number }
    /** A fault of a condition in it, in the last state of a run. */
    | { readonly kind: 'fault'; readonly fault: Fault; readonly run: Lasso }
    | { readonly kind: 'undecided'; readonly limit: ExplorationLimit }
    /** No run with real numbers is known to violate it; one that goes as far, and the step that would come then. */
    | {
          readonly kind: 'notReal';
          readonly run: Pick<Lasso, 'states' | 'firings'>;
          readonly stopsAt: number | undefined;
      };

/** The size of a search so far. */
export interface TemporalCounts {
    readonly states: number;
    readonly transitions: number;
    readonly edges: number;
    readonly automatonStates: number;
    readonly productStates: number;
    readonly components: number;
    readonly bytes: number;
    readonly bytesPerState: number;
    /** States that are stored and not yet expanded. */
    readonly waiting: number;
    readonly unique: boolean;
}

/** Members that symmetries exchange which keep the start. */
export interface Question {
    /** The first is looked at first. */
    readonly members: readonly number[];
    /** These, and those to which other symmetries take them; the same if there are no others. */
    readonly images: readonly number[];
}

interface FoundComponent {
    readonly component: Component;
    readonly components: Components;
}

/** Accepts every run; its nodes are the states. */
const EVERY_RUN: Automaton = {
    initial: [0],
    transitions: [[{ target: 0, positive: [], negative: [], promised: [] }]],
    promiseCount: 0,
};

/** An automaton with more states is of a property that nobody reads. */
const MOST_AUTOMATON_STATES = 1 << 12;
const FIRST_SEARCH = 1 << 10;
const MOST_LASSO_WORK = 1_000_000;
const EXPANSIONS_BETWEEN_YIELDS = 16;

/** Where a loop is looked for whose run is real, after the first one has none. */
const MOST_COMPONENTS = 8;

export class TemporalCheck {
    readonly #model: SequentialModel;
    readonly #members: readonly PropertyMember[];
    /** Each of one member if they are not tracked. */
    readonly #questions: readonly Question[];
    readonly #options: TemporalCheckOptions;
    readonly #classes: StepClasses;
    readonly #graph: StoredGraph;
    readonly #truth: AtomTruth;
    readonly #constraints: readonly ConstraintTests[];
    readonly #symmetry: ConstraintSymmetry | undefined;
    readonly #firings: MarkedFirings;
    readonly #outcomes: (Outcome | undefined)[];
    readonly #automata = new Map<string, Automaton | undefined>();
    readonly #work: SlicedWork;
    #problem: Problem | undefined;
    #hasFairRun: boolean | undefined;
    #holdsForNothing = false;
    #sizes = { automatonStates: 0, productStates: 0, components: 0, bytes: 0 };

    /** Each question is answered for the first of its members. */
    constructor(
        model: SequentialModel,
        members: readonly PropertyMember[],
        options: TemporalCheckOptions,
        questions: readonly Question[] = members.map((_, member) => ({ members: [member], images: [member] })),
    ) {
        this.#model = model;
        this.#members = members;
        this.#questions = questions;
        this.#options = options;
        const markers = [...model.fairness, ...members];
        this.#classes = new StepClasses(model.summands.length, markers);
        const movesStart = options.startMoved !== undefined;
        this.#graph = new StoredGraph(model, { ...options, movesStart, classes: this.#classes });
        this.#truth = new AtomTruth(model, this.#graph, this.#classes, markers);
        this.#constraints = constraintTests(model.fairness, this.#truth);
        const { successors, canonicalizer, orbitsOf } = options;
        this.#firings = new MarkedFirings(model, this.#graph, successors, canonicalizer);
        this.#symmetry =
            canonicalizer === undefined || orbitsOf === undefined
                ? undefined
                : {
                      orbitsOf,
                      edges: options.tracksMarkers === true ? this.#storedEdges : this.#firedEdges(canonicalizer),
                  };
        this.#outcomes = questions.map(() => undefined);
        this.#work = new SlicedWork(this.#run());
    }

    /** Works until the limit is exhausted; true once there is an outcome of each member. */
    advance(limit: WorkLimit): boolean {
        return this.#work.advance(limit);
    }

    /** Leaves what is not decided yet undecided. */
    stop(limit: ExplorationLimit): void {
        if (!this.#work.isFinished) {
            this.#leaveUndecided(limit);
            this.#work.end();
        }
    }

    /** With the initial states; then nothing was checked. */
    get problem(): Problem | undefined {
        return this.#problem;
    }

    /** Whether some run satisfies all assumptions; undefined if nobody had to know. */
    get hasFairRun(): boolean | undefined {
        return this.#hasFairRun;
    }

    /** Whether all properties hold because on no fair run their conditions come true. */
    get holdsForNothing(): boolean {
        return this.#holdsForNothing;
    }

    get counts(): TemporalCounts {
        const { stateCount, expandedCount, transitions, edgeCount, bytes, bytesPerState, isUnique } = this.#graph;
        return {
            bytesPerState,
            waiting: stateCount - expandedCount,
            ...this.#sizes,
            states: stateCount,
            transitions,
            edges: edgeCount,
            bytes: bytes + this.#truth.bytes + this.#sizes.bytes,
            unique: isUnique,
        };
    }

    /** By question, once the check is finished. */
    get outcomes(): readonly Outcome[] {
        return this.#outcomes.map(outcome => {
            invariant(outcome !== undefined, 'a finished check has an answer to each question');
            return outcome;
        });
    }

    /** Whether symmetries may move a constraint that asks what is possible; its member stays, or is followed. */
    get #movesPossible(): boolean {
        return (
            this.#symmetry !== undefined &&
            this.#model.fairness.some(({ atoms }) => atoms.some(({ kind }) => kind === 'possible'))
        );
    }

    /** The edges of a graph that does not track markers, by firing again. */
    #firedEdges(canonicalizer: MarkedCanonicalizer): MarkedEdges {
        return state =>
            this.#firings.of(state).map(({ target, summand, symmetry }) => ({
                target,
                stepClass: this.#classes.classOfFiring(summand),
                images: canonicalizer.markerImages(symmetry),
            }));
    }

    readonly #storedEdges: MarkedEdges = state => {
        const { firstEdge, target } = this.#graph;
        const moved: MarkedEdge[] = [];
        for (let edge = firstEdge[state]; edge < firstEdge[state + 1]; edge++) {
            const images = this.#graph.imagesOf(edge);
            invariant(images !== undefined, 'the graph tracks markers');
            if (target[edge] !== OUTSIDE) {
                moved.push({ target: target[edge], stepClass: this.#graph.stepClassOf(edge), images });
            }
        }
        return moved;
    };

    *#run(): Generator<undefined> {
        yield* this.#addInitialStates();
        if (this.#problem !== undefined) {
            this.#outcomes.fill({ kind: 'holds' });
            return;
        }
        let nextSearch = this.#options.firstSearch ?? FIRST_SEARCH;
        let expansions = 0;
        while (this.#graph.expand(this.#work.limit)) {
            if (++expansions % EXPANSIONS_BETWEEN_YIELDS === 0) {
                yield;
            }
            if (expansions >= nextSearch) {
                nextSearch *= 2;
                yield* this.#fill();
                if (!this.#truth.hasPossible) {
                    yield* this.#search(false);
                }
                if (this.#outcomes.every(outcome => outcome !== undefined)) {
                    return;
                }
            }
        }
        yield* this.#fill();
        const { limit } = this.#graph;
        if (limit === undefined) {
            yield* this.#truth.decidePossible(this.#movesPossible ? this.#symmetry?.edges : undefined);
        }
        const unknown = limit ?? this.#possibleUnknown();
        if (unknown === undefined || !this.#truth.hasPossible) {
            yield* this.#search(true);
        }
        if (unknown !== undefined) {
            this.#leaveUndecided(unknown);
            return;
        }
        this.#outcomes.forEach((outcome, index) => (this.#outcomes[index] = outcome ?? { kind: 'holds' }));
        const { constraint, fairness } = this.#model;
        if (constraint !== undefined || fairness.some(({ kind }) => kind === 'assumption')) {
            // Obligations are the last constraints.
            const ofRuns = this.#constraints.filter((_, index) => fairness[index].kind !== 'obligation');
            const found = yield* this.#fairIn(new Product(this.#graph, EVERY_RUN, this.#truth, [0]), ofRuns);
            this.#hasFairRun = found !== undefined;
        }
        if (this.#hasFairRun !== false && this.#outcomes.every(outcome => outcome?.kind === 'holds')) {
            this.#holdsForNothing = yield* this.#meetsNoCondition();
        }
    }

    /** A step that depends on how long a distance is: what is possible from a class is then not so from each of its states. */
    #possibleUnknown(): ExplorationLimit | undefined {
        const [inexact] = this.#options.numbers?.inexact.keys() ?? [];
        return inexact === undefined || !this.#truth.hasPossible
            ? undefined
            : { kind: 'distances', value: 0, step: describeStep(this.#model, inexact) };
    }

    /** Whether no fair run comes to a state in which a member asks for something. */
    *#meetsNoCondition(): Generator<undefined, boolean> {
        const sizes = this.#sizes;
        let isMet = this.#questions.length === 0;
        for (const question of this.#questions) {
            const condition = conditionOf(this.#members[question.members[0]].formula);
            const comes: TemporalFormula | undefined = condition && {
                kind: 'until',
                left: { kind: 'true' },
                right: condition,
            };
            const automaton = comes && automatonOf(comes, MOST_AUTOMATON_STATES);
            isMet ||= automaton === undefined;
            if (!isMet && automaton !== undefined) {
                const found = yield* this.#fairIn(this.#productFor(question, automaton));
                isMet = found !== undefined;
            }
        }
        // The sizes are those of the searches for violations.
        this.#sizes = sizes;
        return !isMet;
    }

    *#addInitialStates(): Generator<undefined> {
        const supply = new InitialStates(this.#model, this.#elementsOfStart());
        const state = this.#graph.emptyState();
        while (supply.nextInto(state, this.#work.limit) || supply.isPaused) {
            if (!supply.isPaused) {
                this.#graph.addInitialState(this.#formOf(state) ?? state);
            }
            yield;
        }
        this.#problem = supply.problem;
    }

    /** The form in which a state is stored but for symmetries; undefined if it is the state. There are codes for all first values. */
    #formOf(state: Readonly<Int32Array>): Int32Array | undefined {
        const form = this.#options.numbers && state.slice();
        if (form !== undefined) {
            this.#options.numbers?.order.normalize(form);
        }
        return form;
    }

    #elementsOfStart(): SymmetriesOnCells | undefined {
        const { canonicalizer, startMoved } = this.#options;
        return startMoved?.elements ?? (canonicalizer && ((most, cells) => canonicalizer.elements(most, cells)));
    }

    *#fill(): Generator<undefined> {
        while (this.#truth.fill(1 << 10)) {
            yield;
        }
    }

    /**
     * Looks for a violation of each member without an outcome, in what is expanded so far. Where the first one found has no
     * real run, others are looked for at the end only.
     */
    *#search(isLast: boolean): Generator<undefined> {
        const { fault } = this.#truth;
        if (fault !== undefined) {
            yield* this.#tellFault(fault, isLast);
        }
        for (const [index, question] of this.#questions.entries()) {
            if (this.#outcomes[index] !== undefined) {
                continue;
            }
            const automaton = this.#automatonOf(this.#members[question.members[0]]);
            if (automaton === undefined) {
                const limit = { kind: 'automaton', value: MOST_AUTOMATON_STATES } as const;
                this.#outcomes[index] = { kind: 'undecided', limit };
                continue;
            }
            const product = this.#productFor(question, automaton);
            const { maxMemoryBytes = Infinity } = this.#options;
            if (this.counts.bytes + Components.bytesFor(product) > maxMemoryBytes) {
                this.#outcomes[index] = { kind: 'undecided', limit: { kind: 'memory', value: maxMemoryBytes } };
                continue;
            }
            const found = yield* this.#fairIn(product);
            if (found !== undefined) {
                const context = this.#contextOf(product, found.components, automaton, question);
                const lasso = yield* lassoIn(found.component, context);
                const first = yield* this.#realOf(lasso);
                const real = first.isReal || !isLast ? first : ((yield* this.#otherLasso(context)) ?? first);
                if (!real.isReal && !isLast) {
                    continue;
                }
                this.#outcomes[index] = real.isReal
                    ? { kind: 'violated', lasso: real.lasso, member: real.lasso.member - this.#model.fairness.length }
                    : { ...real, kind: 'notReal' };
            }
        }
    }

    /** The run with the numbers themselves. What is possible, is so for all states of a class if all steps are exact. */
    *#realOf(lasso: Lasso): Generator<undefined, RealLasso> {
        const { numbers } = this.#options;
        return numbers === undefined
            ? { isReal: true, lasso }
            : yield* realLasso(this.#model, numbers.order, lasso, this.#work.limit);
    }

    /**
     * A real run whose loop takes exact steps only, in any of some components of these; undefined if none is found. Its stem
     * goes where real numbers go.
     */
    *#otherLasso(context: LassoContext): Generator<undefined, RealLasso | undefined> {
        const { order } = this.#options.numbers ?? {};
        if (order === undefined) {
            return undefined;
        }
        const { product } = context;
        const inexact = new InexactFirings(this.#model, order, this.#graph, this.#firings);
        let roots = nodesReached(product);
        for (let tries = 0; tries < MOST_COMPONENTS; tries++) {
            const components = new Components(product);
            roots.forEach(node => {
                this.#removeInexact(node, product, components, inexact);
            });
            yield;
            const fair = new FairComponents(product, components, this.#constraints, this.#symmetry);
            const component = yield* fair.find(roots);
            if (component === undefined) {
                return undefined;
            }
            const { id } = component;
            const within = { ...context, components };
            const stem = yield* realStem(node => components.isIn(node, id), order, within, this.#work.limit);
            const lasso = stem && (yield* lassoBehind(stem, component, within));
            const real = lasso && (yield* this.#realOf(lasso));
            if (real?.isReal === true) {
                return real;
            }
            roots = roots.filter(node => !components.isIn(node, id));
        }
        return undefined;
    }

    /** An edge stands for all firings of its class to its target: it is left if each of them is exact. */
    #removeInexact(node: number, product: Product, components: Components, inexact: InexactFirings): void {
        const state = Math.floor(node / product.width);
        const removed = new Set(
            inexact.of(state).map(({ target, summand }) => `${target} ${this.#classes.classOfFiring(summand)}`),
        );
        const { firstEdge, target } = this.#graph;
        for (let edge = firstEdge[state]; edge < firstEdge[state + 1]; edge++) {
            if (removed.has(`${target[edge]} ${this.#graph.stepClassOf(edge)}`)) {
                components.removeEdge(node, edge);
            }
        }
    }

    #productFor({ members, images }: Question, automaton: Automaton): Product {
        const [all, asked] = [images, members].map(some => some.map(member => this.#model.fairness.length + member));
        return new Product(this.#graph, automaton, this.#truth, all, asked);
    }

    *#fairIn(
        product: Product,
        constraints: readonly ConstraintTests[] = this.#constraints,
    ): Generator<undefined, FoundComponent | undefined> {
        const components = new Components(product);
        const fair = new FairComponents(product, components, constraints, this.#symmetry);
        const component = yield* fair.find();
        this.#sizes = {
            automatonStates: Math.max(this.#sizes.automatonStates, product.width / product.members.length),
            productStates: Math.max(this.#sizes.productStates, components.visited),
            components: Math.max(this.#sizes.components, components.count),
            bytes: Math.max(this.#sizes.bytes, components.bytes),
        };
        return component && { component, components };
    }

    *#tellFault({ marker, state, fault }: AtomFault, isLast: boolean): Generator<undefined> {
        const product = new Product(this.#graph, EVERY_RUN, this.#truth, [0]);
        const context = this.#contextOf(product, new Components(product), EVERY_RUN);
        const isWanted = (node: number): boolean => node === state;
        const first = yield* this.#realOf(yield* runTo(isWanted, context));
        const real = first.isReal || !isLast ? first : ((yield* this.#otherRun(isWanted, context)) ?? first);
        if (!real.isReal && !isLast) {
            return;
        }
        const found: Outcome = real.isReal ? { kind: 'fault', fault, run: real.lasso } : { ...real, kind: 'notReal' };
        const member = marker - this.#model.fairness.length;
        this.#outcomes.forEach((outcome, index) => {
            // A fault in an assumption is one of every property.
            if (outcome === undefined && (member < 0 || this.#questions[index].images.includes(member))) {
                this.#outcomes[index] = found;
            }
        });
    }

    /** A real run to a node; undefined if none is found. */
    *#otherRun(
        isWanted: (node: number) => boolean,
        context: LassoContext,
    ): Generator<undefined, RealLasso | undefined> {
        const { order } = this.#options.numbers ?? {};
        const stem = order && (yield* realStem(isWanted, order, context, this.#work.limit));
        const real = stem && (yield* this.#realOf(yield* runAlong(stem, context)));
        return real?.isReal === true ? real : undefined;
    }

    #automatonOf({ formula, skeleton }: PropertyMember): Automaton | undefined {
        if (!this.#automata.has(skeleton)) {
            const automaton = automatonOf(negationOf(formula), MOST_AUTOMATON_STATES);
            const isTooLarge = automaton === undefined || automaton.promiseCount > MOST_PROMISES;
            this.#automata.set(skeleton, isTooLarge ? undefined : automaton);
        }
        return this.#automata.get(skeleton);
    }

    /**
     * The initial state behind a node that runs begin in, and the symmetry that takes it, and a member of the question, to
     * what the node has.
     */
    *#rootOf(node: number, product: Product, question: Question | undefined): Generator<undefined, Root> {
        const { canonicalizer, startMoved, tracksMarkers } = this.#options;
        if (canonicalizer === undefined || startMoved === undefined) {
            return { toRun: SPARSE_IDENTITY };
        }
        const stored = this.#graph.emptyState();
        this.#graph.stateInto(stored, Math.floor(node / product.width));
        const roots = new Roots(
            this.#model,
            {
                canonicalizeInto: (target, state) =>
                    canonicalizer.canonicalizeInto(target, this.#formOf(state) ?? state),
                transformation: state => canonicalizer.symmetryAlong(this.#formOf(state) ?? state, stored),
            },
            startMoved.elements,
        );
        const markers = question?.members.map(member => this.#model.fairness.length + member);
        const isWanted = (there: SparsePermutation): boolean => {
            const images = tracksMarkers === true ? canonicalizer.markerImages(there) : undefined;
            return images === undefined || (markers?.some(each => images[each] === product.memberAt(node)) ?? true);
        };
        for (;;) {
            const root = roots.wanted(stored, isWanted, this.#work.limit);
            if (root !== undefined) {
                return root;
            }
            yield;
        }
    }

    #contextOf(product: Product, components: Components, automaton: Automaton, question?: Question): LassoContext {
        return {
            model: this.#model,
            markers: [...this.#model.fairness, ...this.#members],
            automaton,
            mostWork: this.#options.mostLassoWork ?? MOST_LASSO_WORK,
            // Another state of an orbit may not be stored, or may be taken to it with other members.
            knowsPossible:
                !this.#truth.hasPossible ||
                (this.#graph.isUnique && this.#options.tracksMarkers !== true && !this.#movesPossible),
            isPossible: (state, column) => this.#truth.bit(this.#graph.storedFormOf(state), column),
            product,
            components,
            constraints: this.#constraints,
            symmetry: this.#symmetry,
            firings: this.#firings,
            canonicalizer: this.#options.canonicalizer,
            rootOf: node => this.#rootOf(node, product, question),
            classes: this.#classes,
            successors: this.#options.interpreted,
        };
    }

    #leaveUndecided(limit: ExplorationLimit): void {
        this.#outcomes.forEach((outcome, index) => {
            this.#outcomes[index] = outcome ?? { kind: 'undecided', limit };
        });
    }
}
