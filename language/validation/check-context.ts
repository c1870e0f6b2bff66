/** The services that all checks of declarations, processes and steps need. */
import type { Constants } from '../typing/constants.js';
import type { TypeInference } from '../typing/type-inference.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

export interface CheckContext {
    readonly constants: Constants;
    readonly inference: TypeInference;
    readonly problems: ProblemCollector;
}
