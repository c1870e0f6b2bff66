/**
 * Whether the model reads places of which a test has shown that they hold a value. A mutant may have lost the test; the
 * interpreter then finds the fault `undefined`, and generated code, which relies on the test, finds nothing for sure.
 */
import type { Model } from '../model/model.js';

export function readsTestedPlaces({ processes, functions, variables }: Model): boolean {
    const locals = processes.flatMap(process => process.locals);
    return [...variables, ...locals].some(({ within }) => within !== undefined) || isFound([processes, functions]);
}

function isFound(part: unknown): boolean {
    return (
        typeof part === 'object' &&
        part !== null &&
        (('isPresent' in part && part.isPresent === true) || Object.values(part).some(isFound))
    );
}
