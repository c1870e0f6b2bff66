/** A system that does what its model does: told in words of traces, it looks for a step of this name. */
import { invariant } from '../../engine/common/assert.js';
import { formatState } from '../../engine/describe/shown-state.js';
import type { Random } from '../../engine/common/random.js';
import { InitialStates } from '../../engine/explore/initial/initial-states.js';
import { namesAtFirst, type InstanceNames } from '../../engine/explore/instance-names.js';
import { interpretedSuccessors } from '../../engine/explore/successors.js';
import { describeStep } from '../../engine/explore/trace.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';
import type { TestAdapter } from '../../library/run-tests.js';

type Said = Readonly<Record<string, unknown>>;

interface Next {
    readonly after: Int32Array;
    readonly step: ReturnType<typeof describeStep>;
    readonly isShown: boolean;
    /** Of its participants. */
    readonly labels: readonly (string | undefined)[];
}

export class ModelAsSystem implements TestAdapter {
    readonly #model: SequentialModel;
    readonly #random: Random;
    /** Steps that it takes on its own and tells; others without a name it takes without a word. */
    readonly #own: ReadonlySet<string>;
    #state: Int32Array = new Int32Array();
    #names: InstanceNames | undefined;

    constructor(model: SequentialModel, random: Random, own: readonly string[] = []) {
        this.#model = model;
        this.#random = random;
        this.#own = new Set(own);
    }

    reset(_parameters: Said, initial: Said): void {
        const states = new InitialStates(this.#model);
        const state = new Int32Array(this.#model.cells.length);
        while (states.nextInto(state)) {
            if (
                JSON.stringify(formatState(this.#model, state, namesAtFirst(this.#model, state))) ===
                JSON.stringify(initial)
            ) {
                this.#state = state;
                this.#names = namesAtFirst(this.#model, state);
                return;
            }
        }
        invariant(false, 'a test begins in an initial state');
    }

    do({ process, step, with: others = [], ...choices }: Said): Said {
        const parts = (others as readonly (string | Said)[]).map(part =>
            typeof part === 'string' ? { process: part } : part,
        );
        const wanted = [process, ...parts.map(part => part['process'])].map(name =>
            String(name).replace(/\[(\w+#\d+)\]$/, '[$1]'),
        );
        const chosen = [choices, ...parts.map(({ process: _, step: _step, ...own }: Said) => own)]
            .flatMap(each => Object.entries(each))
            .filter(([, value]) => !String(value).includes('#'));
        return this.#take(
            ({ labels, step: { process: who, label, choice = '' } }) =>
                (labels.includes(String(step)) || label.startsWith(`${String(step)}[`)) &&
                wanted.every(name =>
                    who.split(' & ').some(part => part === name || `${part.replace(/#.*/, '')}[${part}]` === name),
                ) &&
                chosen.every(([name, value]) => choice.split(/, (?=\w+ = )/).includes(`${name} = ${String(value)}`)),
            () => ({ ok: true }),
        );
    }

    wait(): Said {
        const said = this.#take(
            ({ step }) => this.#own.has(step.label),
            ({ step: { process, label, choice } }) => {
                const choices = (choice ?? '').split(/, (?=\w+ = )/).filter(part => part !== '');
                return {
                    lines: [{ process, step: label, ...Object.fromEntries(choices.map(part => part.split(' = '))) }],
                };
            },
        );
        return 'refused' in said ? { quiet: true } : said;
    }

    /** After steps without a name, of which it takes as few as it needs. */
    #take(isMeant: (next: Next) => boolean, tell: (next: Next) => Said): Said {
        const queue: { state: Int32Array; names: InstanceNames | undefined }[] = [
            { state: this.#state, names: this.#names },
        ];
        const seen = new Set([this.#state.join()]);
        for (const { state, names } of queue) {
            const all = this.#nextOf(state, names);
            const meant = all.filter(next => next.isShown && isMeant(next));
            const next = meant[meant.length === 0 ? 0 : this.#random.below(meant.length)];
            if (next !== undefined) {
                this.#state = next.after;
                this.#names = names?.next(state, next.after);
                return tell(next);
            }
            for (const { after, isShown } of all) {
                if (!isShown && !seen.has(after.join())) {
                    seen.add(after.join());
                    queue.push({ state: after, names: names?.next(state, after) });
                }
            }
        }
        return { refused: 'not possible here' };
    }

    #nextOf(state: Int32Array, names: InstanceNames | undefined): readonly Next[] {
        const found: Next[] = [];
        interpretedSuccessors(this.#model).forEachFiring(state, {
            fired: (summand, after) => {
                const taken = this.#model.summands[summand];
                const labels = taken?.participants.map(({ label }) => label) ?? [];
                const isShown =
                    taken?.event !== undefined || labels.some(label => label !== undefined && label !== 'end');
                found.push({ after: after.slice(), step: describeStep(this.#model, summand, names), isShown, labels });
                return true;
            },
            faulted: () => true,
        });
        return found;
    }
}
