/**
 * Two-phase commit as a program: managers of resources, the manager of the transaction, and the messages between them.
 * The model is models/two-phase-commit.orbit; adapter.ts puts this program to its tests, and it writes a log as it runs.
 */
export type State = 'working' | 'prepared' | 'committed' | 'aborted';
export type Decision = 'commit' | 'abort';

/** What arrives where. Messages are not lost, and may arrive late or never. */
export class Network {
    readonly prepared = new Set<number>();
    decision: Decision | undefined;
}

/** One thing that somebody has done, as a line of a log. */
export type Line = Readonly<Record<string, unknown>>;

/** A step that is not possible now. */
export class NotNow extends Error {}

export class ResourceManager {
    readonly number: number;
    state: State = 'working';
    readonly #network: Network;

    constructor(number: number, network: Network) {
        this.number = number;
        this.#network = network;
    }

    prepare(): void {
        this.#expectWorking();
        this.state = 'prepared';
        this.#network.prepared.add(this.number);
    }

    chooseToAbort(): void {
        this.#expectWorking();
        this.state = 'aborted';
    }

    receive(decision: Decision): void {
        if (this.#network.decision !== decision) {
            throw new NotNow(`there is no message to ${decision}`);
        }
        this.state = decision === 'commit' ? 'committed' : 'aborted';
    }

    #expectWorking(): void {
        if (this.state !== 'working') {
            throw new NotNow(`manager ${this.number} is ${this.state}`);
        }
    }
}

export class TransactionManager {
    readonly heard = new Set<number>();
    readonly #count: number;
    readonly #network: Network;

    constructor(count: number, network: Network) {
        this.#count = count;
        this.#network = network;
    }

    receivePrepared(number: number): void {
        if (this.#network.decision !== undefined || !this.#network.prepared.has(number)) {
            throw new NotNow(`there is no message of ${number} to hear`);
        }
        this.heard.add(number);
    }

    decide(decision: Decision): void {
        if (this.#network.decision !== undefined) {
            throw new NotNow('the decision is made');
        }
        if (decision === 'commit' && this.heard.size < this.#count) {
            throw new NotNow('not all are prepared');
        }
        this.#network.decision = decision;
    }
}

export class Transaction {
    readonly network = new Network();
    readonly resources: readonly ResourceManager[];
    readonly manager: TransactionManager;
    readonly log: Line[] = [];

    constructor(count: number) {
        this.resources = Array.from({ length: count }, (_, index) => new ResourceManager(index + 1, this.network));
        this.manager = new TransactionManager(count, this.network);
    }

    /** Does a step of a resource manager. Throws NotNow. */
    resource(number: number, step: 'prepare' | 'chooseToAbort' | 'receiveCommit' | 'receiveAbort'): void {
        const resource = this.resources[number - 1];
        if (resource === undefined) {
            throw new NotNow(`there is no manager ${number}`);
        }
        switch (step) {
            case 'prepare':
                resource.prepare();
                break;
            case 'chooseToAbort':
                resource.chooseToAbort();
                break;
            case 'receiveCommit':
            case 'receiveAbort':
                resource.receive(step === 'receiveCommit' ? 'commit' : 'abort');
        }
        const values = { [`state[${number}]`]: resource.state };
        this.log.push({ process: `ResourceManager[${number}]`, step, ...values });
    }

    /** Does a step of the transaction manager; `i` is who has sent the message that it receives. Throws NotNow. */
    transaction(step: 'receivePrepared' | 'decideCommit' | 'decideAbort', i?: number): void {
        if (step === 'receivePrepared') {
            this.manager.receivePrepared(i ?? 0);
            this.log.push({ process: 'TransactionManager', step, i, heard: [...this.manager.heard] });
        } else {
            this.manager.decide(step === 'decideCommit' ? 'commit' : 'abort');
            this.log.push({ process: 'TransactionManager', step, decision: this.network.decision });
        }
    }
}
