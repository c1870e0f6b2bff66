/** A typed model explored to the end, for tests. */
import { UNLIMITED } from '../../engine/common/work-limit.js';
import { Exploration } from '../../engine/explore/search.js';
import type { ExplorationOptions } from '../../engine/explore/search.js';
import type { ExplorationReport } from '../../engine/explore/verdict.js';
import type { Model } from '../../engine/model/model.js';
import { linearize } from '../../engine/sequential/linearize.js';
import type { SequentialModel } from '../../engine/sequential/sequential-model.js';

export function sequentialOf(model: Model): SequentialModel {
    const { sequential, problems } = linearize(model);
    if (sequential === undefined) {
        throw new Error(problems.map(problem => problem.message).join('\n'));
    }
    return sequential;
}

export function explore(model: Model, options: ExplorationOptions = {}): ExplorationReport {
    const exploration = new Exploration(sequentialOf(model), { continueAfterViolation: true, ...options });
    if (!exploration.advance(UNLIMITED)) {
        throw new Error('an exploration without limits ends');
    }
    const { report, problems } = exploration.result();
    if (report === undefined) {
        throw new Error(problems.map(problem => problem.message).join('\n'));
    }
    return report;
}
