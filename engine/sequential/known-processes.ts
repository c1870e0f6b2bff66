/**
 * The unfolded, placed and specialized instances of processes, kept from one model for its edited version. A process is
 * known if its declaration is the same object (common/same-data.ts), all that its steps can name is the same, and its
 * instances and cells keep their numbers. One that reads locations (`P[i] at label`) is known only if all are.
 */
import type { Problem } from '../common/problem.js';
import { sameData } from '../common/same-data.js';
import type { Model } from '../model/model.js';
import type { InitialLocals } from './initial-cells.js';
import type { InstanceOutline, PlacedInstance } from './control/instances.js';
import type { InstanceOffer } from './control/offers.js';
import type { Cell, Instance, SequentialModel } from './sequential-model.js';

/** The results that are kept of one instance. */
export interface KnownInstance {
    readonly placed: PlacedInstance;
    /** Of its locals and its counter. */
    readonly cells: readonly Cell[];
    readonly firstCell: number;
    /** `live[location][local]`, see local-liveness.ts. */
    readonly live: readonly Uint8Array[];
    readonly offers: readonly InstanceOffer[];
    /** The temporary cells that its steps use before they meet others, and the number of the first one. */
    readonly temporaries: readonly Cell[];
    readonly firstTemporary: number;
    readonly instance: Instance;
    readonly initial: InitialLocals;
}

interface KnownProcess {
    readonly firstInstance: number;
    readonly instances: readonly KnownInstance[];
}

/** A linearization, for the next one. */
export interface KnownModel {
    readonly model: Model;
    /** The cells of the shared variables and the channels. */
    readonly shared: readonly Cell[];
    /** By the index in `Model.processes`, the locals that properties name. */
    readonly named: readonly ReadonlySet<number>[];
    readonly processes: readonly KnownProcess[];
    /** At least the sum of the shares of all limits that all of it has used. */
    readonly share: number;
}

export interface Linearization {
    /** Absent where a problem is an error. */
    readonly sequential?: SequentialModel;
    readonly problems: readonly Problem[];
}

/** The most of all limits that a model with kept processes may use; the use of the model before counts in full. */
export const MOST_SHARE = 0.25;

/** The last linearization. It belongs to whoever asks for one after the other. */
export class LinearizationMemory {
    private known: KnownModel | undefined;
    private latest: { readonly model: Model; readonly result: Linearization } | undefined;

    remember(model: Model, result: Linearization, known: KnownModel | undefined): void {
        this.latest = { model, result };
        this.known = known ?? this.known;
    }

    /** The result for the very model that was asked for last. */
    resultFor(model: Model): Linearization | undefined {
        return this.latest?.model === model ? this.latest.result : undefined;
    }

    /** What there is to be taken for `model`: nothing where what its steps can name has changed. */
    knownFor(model: Model): KnownModel | undefined {
        return this.known !== undefined && haveSameSurroundings(this.known.model, model) ? this.known : undefined;
    }
}

/** Whether the shared things that steps can name are the same, and have the same numbers. */
function haveSameSurroundings(first: Model, second: Model): boolean {
    return (
        sameElements(first.channels, second.channels) &&
        sameElements(first.channelTypes, second.channelTypes) &&
        sameElements(first.events, second.events) &&
        sameElements(first.functions, second.functions) &&
        first.variables.length === second.variables.length &&
        first.variables.every((variable, index) => {
            const other = second.variables[index];
            return (
                variable === other ||
                (sameData(variable.element, other.element) &&
                    sameData(variable.indices, other.indices) &&
                    sameData(variable.within, other.within))
            );
        })
    );
}

function sameElements(first: readonly object[], second: readonly object[]): boolean {
    return first.length === second.length && first.every((element, index) => element === second[index]);
}

/** What is known of the instances of a model, asked for one after the other in their order. */
export class KnownProcesses {
    private readonly model: Model;
    private readonly outlines: readonly InstanceOutline[];
    private readonly firstInstances: number[] = [];
    /** By process; undefined for one that has changed. */
    private readonly unchanged: (KnownProcess | undefined)[];
    /** By instance, whether it is where it was. */
    private readonly isPlaced: boolean[] = [];
    private allPlaced: boolean | undefined;
    /** By process, whether its steps may ask where others are; a hole where that is not known yet. */
    private readonly asks: boolean[] = [];

    constructor(
        model: Model,
        named: readonly ReadonlySet<number>[],
        outlines: readonly InstanceOutline[],
        known: KnownModel | undefined,
    ) {
        this.model = model;
        this.outlines = outlines;
        const counts = model.processes.map(() => 0);
        outlines.forEach(({ process }, instance) => {
            this.firstInstances[process] ??= instance;
            counts[process]++;
        });
        this.unchanged = model.processes.map((declaration, process) => {
            const found = known?.processes[process];
            return found !== undefined &&
                known?.model.processes[process] === declaration &&
                found.firstInstance === (this.firstInstances[process] ?? -1) &&
                found.instances.length === counts[process] &&
                areEqual(known.named[process], named[process])
                ? found
                : undefined;
        });
    }

    /** The instance with its control unfolded, if its first cell is what it was. */
    placed(instance: number, firstCell: number): KnownInstance | undefined {
        const known = this.knownAt(instance);
        const isPlaced = known?.firstCell === firstCell;
        this.isPlaced[instance] = isPlaced;
        return isPlaced ? known : undefined;
    }

    /** The instance with what its steps and initial values came to; `cellCount`: where its temporaries would follow. */
    specialized(instance: number, cellCount: number): KnownInstance | undefined {
        const known = this.isPlaced[instance] ? this.knownAt(instance) : undefined;
        return known !== undefined &&
            (known.temporaries.length === 0 || (known.firstTemporary === cellCount && !known.offers.some(receives))) &&
            (!this.asksForControl(instance) || this.areAllPlaced())
            ? known
            : undefined;
    }

    /** For the next model. */
    all(instances: readonly KnownInstance[]): KnownProcess[] {
        const ofProcess = this.model.processes.map((): KnownInstance[] => []);
        instances.forEach((instance, index) => ofProcess[this.outlines[index].process].push(instance));
        return ofProcess.map((own, process) => ({
            firstInstance: this.firstInstances[process] ?? -1,
            instances: own,
        }));
    }

    private knownAt(instance: number): KnownInstance | undefined {
        const { process } = this.outlines[instance];
        return this.unchanged[process]?.instances[instance - this.firstInstances[process]];
    }

    /** To be asked once all instances are placed. */
    private areAllPlaced(): boolean {
        return (this.allPlaced ??= this.isPlaced.every(Boolean));
    }

    /** Whether the steps of an instance may ask where others are. */
    private asksForControl(instance: number): boolean {
        const { processes, functions } = this.model;
        const { process } = this.outlines[instance];
        return (this.asks[process] ??= hasControl(processes[process]) || functions.some(hasControl));
    }
}

/** A message that is received may need temporaries later, of which nothing is known. */
function receives({ communication }: InstanceOffer): boolean {
    return communication?.kind === 'receive';
}

function areEqual(first: ReadonlySet<number>, second: ReadonlySet<number>): boolean {
    return first.size === second.size && [...first].every(element => second.has(element));
}

/** Whether `at` occurs in a declaration. */
function hasControl(part: unknown): boolean {
    return (
        typeof part === 'object' &&
        part !== null &&
        (('kind' in part && part.kind === 'at') || Object.values(part).some(hasControl))
    );
}
