/** The times at which checkpoints (checkpoint.ts) are written: `--checkpoint` and `--checkpoint-interval`. */
import type { RunningExploration } from '../engine/explore/search.js';
import type { ExploreInvocation } from './options/invocation.js';
import { CallError } from './call-error.js';
import { type CheckpointSubject, writeCheckpoint } from './checkpoint.js';
import type { CommandIo } from './io.js';

/** A round of a search takes less, and so do the representatives of a batch unless they are hard to find. */
const MOST_MILLISECONDS_TO_SNAPSHOT = 2000;

/** The file that was written, or the reason that there is none. */
export interface SavedCheckpoint {
    readonly file: string;
    readonly bytes: number;
    readonly problem?: string;
}

/** Writes checkpoints of an exploration, again and again to the same file. */
export class CheckpointSaver {
    readonly #file: string;
    readonly #subject: () => CheckpointSubject;
    readonly #intervalMilliseconds: number;
    readonly #io: CommandIo;
    #last: number;

    /** `subject` is asked for when something is written. */
    constructor(
        file: string,
        subject: () => CheckpointSubject,
        { checkpointInterval = Infinity }: ExploreInvocation,
        io: CommandIo,
    ) {
        this.#file = file;
        this.#subject = subject;
        this.#intervalMilliseconds = checkpointInterval * 1000;
        this.#io = io;
        this.#last = io.now();
    }

    /** Writes one if it is time for it. */
    async saveNowAndThen(exploration: RunningExploration): Promise<void> {
        if (this.#io.now() - this.#last >= this.#intervalMilliseconds) {
            this.reachSnapshot(exploration);
            await this.save(exploration);
        }
    }

    /** The file and its length; undefined if there is nothing to continue. A failed write is reported, not thrown. */
    async save(exploration: RunningExploration): Promise<SavedCheckpoint | undefined> {
        const snapshot = exploration.snapshot();
        if (snapshot === undefined) {
            return undefined;
        }
        try {
            const bytes = await writeCheckpoint(this.#file, this.#subject(), snapshot, this.#io);
            return { file: this.#file, bytes };
        } catch (error) {
            if (!(error instanceof CallError)) {
                throw error;
            }
            this.#io.stderr.write(`orbit: ${error.message}\n`);
            return { file: this.#file, bytes: 0, problem: error.message };
        } finally {
            this.#last = this.#io.now();
        }
    }

    /** Finishes the step in progress, so that there is something to save. */
    reachSnapshot(exploration: RunningExploration): void {
        const end = this.#io.now() + MOST_MILLISECONDS_TO_SNAPSHOT;
        const isEnough = (): boolean => exploration.snapshot() !== undefined || this.#io.now() >= end;
        while (!isEnough() && !exploration.advance({ isExhausted: isEnough }));
    }
}
