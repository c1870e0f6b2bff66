/** Words for what holds for all values of the parameters of a model. */
import { listed } from '../common/listed.js';

/** “for every N”, “for every R and W”. */
export function formatForEvery(parameters: readonly string[]): string {
    return `for every ${listed(parameters)}`;
}
