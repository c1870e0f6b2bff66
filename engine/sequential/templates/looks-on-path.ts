/** Where a path looks for a free slot: it creates an instance, or makes or chooses a value of a type without end. */
import type { PathElement, SequentialExpression } from '../sequential-model.js';

type Look = Extract<SequentialExpression, { readonly kind: 'fresh' | 'choosable' }>;

/** In the order of the path. */
export function looksOnPath(path: readonly PathElement[]): Look[] {
    return path.flatMap(element => {
        const looks = element.kind === 'assign' ? element.value : element.condition;
        return looks.kind === 'fresh' || looks.kind === 'choosable' ? [looks] : [];
    });
}
