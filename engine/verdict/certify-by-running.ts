/** The check of generators in every analysis: it runs the model on as many states as a little work allows. */
import { createRandom } from '../common/random.js';
import { withinQuestions, type WorkLimit } from '../common/work-limit.js';
import { FEW_QUESTIONS, InitialStates } from '../explore/initial/initial-states.js';
import { interpretedSuccessors } from '../explore/successors.js';
import { cellsWrittenBySummand } from '../sequential/cell-access.js';
import type { SequentialModel } from '../sequential/sequential-model.js';
import { checkGenerators, MOST_CHECKED, type CertificateResult, type RunnableModel } from '../symmetry/certify.js';
import type { ModelGroup } from '../symmetry/model-symmetry.js';

/** States on which each generator is tried, fewer if a state has many firings. */
const CERTIFICATE_STATES = 64;
const LEAST_CERTIFICATE_STATES = 3;

/** Questions to the limit for a first initial state: a second or two, which leaves time to describe the groups. */
const MOST_QUESTIONS = 8_192;

/** Cells times summands times states, for all generators together. */
const CERTIFICATE_WORK = 2_000_000;

/** Whether the generators are symmetries as far as running the model can tell; those of the steps need not keep the start. */
export function certify(
    sequential: SequentialModel,
    group: ModelGroup,
    steps: ModelGroup | undefined,
    workLimit: WorkLimit,
): CertificateResult['kind'] {
    const kept = certifyAlone(sequential, group, false, workLimit);
    return steps === undefined || kept !== 'agrees' ? kept : certifyAlone(sequential, steps, true, workLimit);
}

function certifyAlone(
    sequential: SequentialModel,
    group: ModelGroup,
    movesStart: boolean,
    workLimit: WorkLimit,
): CertificateResult['kind'] {
    const permutations = Math.min(MOST_CHECKED, group.generators.length);
    const firings = Math.max(1, sequential.cells.length * sequential.summands.length * permutations);
    const states = Math.min(
        CERTIFICATE_STATES,
        Math.max(LEAST_CERTIFICATE_STATES, Math.floor(CERTIFICATE_WORK / firings)),
    );
    return checkGenerators(runnableModel(sequential, workLimit), group, group.generators, {
        workLimit,
        states,
        movesStart,
        random: createRandom(1),
    }).kind;
}

/** The model as the check of generators runs it, by the interpreter. */
export function runnableModel(sequential: SequentialModel, workLimit: WorkLimit): RunnableModel {
    const successors = interpretedSuccessors(sequential);
    return {
        forEachOutcome(state, visitor) {
            successors.forEachFiring(state, {
                fired: (summand, successor) => {
                    visitor.stepped(successor, cellsWrittenBySummand(sequential.summands[summand]));
                    return true;
                },
                faulted: (_, fault) => {
                    visitor.faulted(fault.kind);
                    return true;
                },
            });
        },
        initialStates(count) {
            const cursor = new InitialStates(sequential);
            const states: Int32Array[] = [];
            const state = new Int32Array(sequential.cells.length);
            const first = withinQuestions(workLimit, MOST_QUESTIONS);
            const soon = withinQuestions(workLimit, FEW_QUESTIONS);
            while (cursor.nextInto(state, states.length === 0 ? first : soon)) {
                if (states.length === count) {
                    return { states, complete: false };
                }
                states.push(state.slice());
            }
            return { states, complete: !cursor.isPaused };
        },
    };
}
