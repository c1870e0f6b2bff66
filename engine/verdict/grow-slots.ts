/**
 * Explorations of models whose instances are created: with as many slots as there are names at once. Walks say how many to
 * begin with (slots-to-begin.ts); where one is missing, its template gets twice as many, and the search begins again. A
 * search that ends without missing a slot has seen all classes of states of the model with endlessly many names.
 */
import type { Analysis } from '../analysis.js';
import { exchangesInstances } from '../describe/describe-templates.js';
import { MOST_INSTANCES, slotsOf, type Slots } from './enough-slots.js';
import { invariant } from '../common/assert.js';
import type { WorkLimit } from '../common/work-limit.js';
import type { ExplorationProgress, ExplorationResult, RunningExploration } from '../explore/search.js';
import type { ExplorationLimit, TemplateOutcome } from '../explore/verdict.js';
import type { Model } from '../model/model.js';
import { withSlots } from '../model/with-slots.js';
import { withAllSlots } from '../sequential/templates/all-slots.js';
import { linearize } from '../sequential/linearize.js';
import type { SequentialModel, TemplateSlots } from '../sequential/sequential-model.js';
import { areSame, slotsToBegin } from './slots-to-begin.js';
import { startExploration, type ReducedExploration, type ReducedExplorationOptions } from './start-exploration.js';

type Analyzed = Omit<Analysis<unknown>, 'problems'>;

/** As `startExploration`; `analyze` finds the symmetries of the model with other slots. */
export function startGrowing(
    analysis: Analyzed,
    options: ReducedExplorationOptions,
    workLimit: WorkLimit,
    analyze: (model: Model) => Analyzed,
): ReducedExploration {
    if (analysis.sequential?.templates === undefined) {
        return startExploration(analysis, options, workLimit);
    }
    return asReduced(new GrowingExploration(analysis, options, workLimit, analyze));
}

/** What callers see is always of the last round. */
function asReduced(exploration: GrowingExploration): ReducedExploration {
    return {
        exploration,
        get group() {
            return exploration.round.group;
        },
        get startGroup() {
            return exploration.round.startGroup;
        },
        get strategy() {
            return exploration.round.strategy;
        },
        get choice() {
            return exploration.round.choice;
        },
        get passes() {
            return exploration.round.passes;
        },
        get interpretedBecause() {
            return exploration.round.interpretedBecause;
        },
        alike: () => exploration.round.alike?.() ?? [],
        reasonOf: (violation, textOf) => exploration.round.reasonOf(violation, textOf),
        unreached: () => exploration.round.unreached(),
        identity: () => exploration.round.identity(),
    };
}

class GrowingExploration implements RunningExploration {
    readonly #model: Model;
    readonly #options: ReducedExplorationOptions;
    readonly #workLimit: WorkLimit;
    readonly #analyze: (model: Model) => Analyzed;
    #analysis: Analyzed;
    #slots: Slots;
    #round: ReducedExploration;
    #rounds = 1;
    #stopped: ExplorationLimit | undefined;

    constructor(
        analysis: Analyzed,
        options: ReducedExplorationOptions,
        workLimit: WorkLimit,
        analyze: (model: Model) => Analyzed,
    ) {
        this.#model = analysis.model;
        this.#options = options;
        this.#workLimit = workLimit;
        this.#analyze = analyze;
        const { sequential } = analysis;
        invariant(sequential !== undefined, 'only a model without errors is explored');
        this.#slots = slotsOf(sequential);
        const first = slotsToBegin(analysis.model, sequential, this.#most, workLimit, more => this.#isListed(more));
        this.#analysis = areSame(first, this.#slots) ? analysis : this.#analyzedWith(first);
        this.#slots = first;
        this.#round = startExploration(this.#analysis, options, workLimit);
    }

    get round(): ReducedExploration {
        return this.#round;
    }

    advance(limit: WorkLimit): boolean {
        while (this.#round.exploration.advance(limit)) {
            if (!this.#beginsAgain()) {
                return true;
            }
            if (limit.isExhausted()) {
                break;
            }
        }
        return false;
    }

    /** Whether a slot was missing, and a search with more slots has begun. */
    #beginsAgain(): boolean {
        const { report } = this.#round.exploration.result();
        const missed = report?.limit;
        const isAnswered = report?.verdict === 'violated' && this.#options.continueAfterViolation !== true;
        const isMissing = missed?.kind === 'instances' && !isAnswered && this.#stopped === undefined;
        const more = isMissing ? this.#moreSlots(missed) : undefined;
        const analysis = more && this.#analyzedWith(more);
        if (more === undefined || analysis?.sequential === undefined) {
            return false;
        }
        this.#round.exploration.close();
        this.#rounds++;
        this.#slots = more;
        this.#analysis = analysis;
        this.#round = startExploration(this.#analysis, this.#options, this.#workLimit);
        return true;
    }

    stop(limit: ExplorationLimit): void {
        this.#stopped ??= limit;
        this.#round.exploration.stop(limit);
    }

    close(): void {
        this.#round.exploration.close();
    }

    snapshot(): ReturnType<RunningExploration['snapshot']> {
        return this.#round.exploration.snapshot();
    }

    progress(): ExplorationProgress {
        return this.#round.exploration.progress();
    }

    get threadCount(): number {
        return this.#round.exploration.threadCount;
    }

    statesPerOrbit(): number | undefined {
        return this.#round.exploration.statesPerOrbit();
    }

    result(): ExplorationResult {
        const { report, problems } = this.#round.exploration.result();
        const templates = this.#analysis.sequential?.templates ?? [];
        return {
            problems,
            ...(report !== undefined && {
                report: {
                    ...report,
                    ...(report.reduction !== undefined && {
                        reduction: { ...report.reduction, unique: report.reduction.unique && this.#isUpToNames() },
                    }),
                    templates: templates.map(outcomeOf),
                    growthRounds: this.#rounds,
                },
            }),
        };
    }

    /** Whether states that differ in names of instances are stored as one. */
    #isUpToNames(): boolean {
        const { group } = this.#round;
        const { templates = [], cells = [] } = this.#analysis.sequential ?? {};
        return group !== undefined && templates.every(each => exchangesInstances(each, cells, group, group.generators));
    }

    get #most(): number {
        return this.#options.maxInstances ?? MOST_INSTANCES;
    }

    /**
     * Twice as many, or fewer if there are too many ways to choose some of them, which symmetries are found among. If one
     * more is too many, the search has no symmetries. Undefined if the template has as many as it may have.
     */
    #moreSlots({ template }: ExplorationLimit): Slots | undefined {
        const process = this.#model.processes.findIndex(({ name }) => name === template);
        const now = this.#slots.get(process) ?? 0;
        const most = Math.min(2 * now, this.#most);
        const withCount = (count: number): Slots => new Map(this.#slots).set(process, count);
        for (let more = most - now; more > 0; more = Math.floor(more / 2)) {
            if (this.#isListed(linearize(withSlots(this.#model, withCount(now + more))).sequential)) {
                return withCount(now + more);
            }
        }
        return now >= most || this.#options.reduction === 'unique' ? undefined : withCount(most);
    }

    #isListed(sequential: SequentialModel | undefined): boolean {
        return (
            sequential !== undefined && (this.#options.reduction === 'none' || withAllSlots(sequential) !== undefined)
        );
    }

    #analyzedWith(slots: Slots): Analyzed {
        const model = withSlots(this.#model, slots);
        if (this.#options.reduction !== 'none') {
            return this.#analyze(model);
        }
        const { sequential } = linearize(model);
        return { model, ...(sequential !== undefined && { sequential }) };
    }
}

function outcomeOf({ name, slots, usage }: TemplateSlots): TemplateOutcome {
    return { name, mostLive: usage.mostLive, mostNamed: usage.mostNamed, slots: slots.length };
}
