/**
 * Which declarations of locals a step of the text is behind: several alternatives may each have a local of one name, and a
 * name of a line is that which the step sees.
 */
import { remembered } from '../common/list-map.js';
import { keyOfRange, type SourceRange } from '../common/source-range.js';
import type { Control, Process } from '../model/model.js';

/** A local of the text, which may have several variables, by the place of its name. */
export type DeclaredLocal = string;

export function declaredLocal({ nameRange }: { readonly nameRange: SourceRange }): DeclaredLocal {
    return keyOfRange(nameRange);
}

const known = new WeakMap<Process, ReadonlyMap<string, ReadonlySet<DeclaredLocal>>>();

/** The locals that are there at a step of this place; undefined for what is no step of the text. */
export function localsAt(process: Process, step: SourceRange): ReadonlySet<DeclaredLocal> | undefined {
    return remembered(known, process, () => scopesOf(process)).get(keyOfRange(step));
}

function scopesOf({ body, locals }: Process): ReadonlyMap<string, ReadonlySet<DeclaredLocal>> {
    const scopes = new Map<string, Set<DeclaredLocal>>();
    const declared = new Set<number>();
    const walk = (controls: readonly Control[], outer: ReadonlySet<DeclaredLocal>): void => {
        const here = new Set(outer);
        for (const control of controls) {
            switch (control.kind) {
                case 'declare':
                    declared.add(control.local);
                    here.add(declaredLocal(locals[control.local]));
                    break;
                case 'step': {
                    const scope = remembered(scopes, keyOfRange(control.range), () => new Set<DeclaredLocal>());
                    here.forEach(local => scope.add(local));
                    break;
                }
                case 'labeled':
                    walk([control.control], here);
                    break;
                case 'if':
                    walk(control.then, here);
                    walk(control.otherwise, here);
                    break;
                case 'choose':
                    control.alternatives.forEach(alternative => {
                        walk(alternative, here);
                    });
                    break;
                case 'loop':
                case 'while':
                case 'for':
                    walk(control.body, here);
                    break;
                case 'assume':
                case 'break':
                case 'terminate':
            }
        }
    };
    walk(body, new Set());
    // Parameters of a template are everywhere.
    const everywhere = locals.flatMap((local, index) => (declared.has(index) ? [] : [declaredLocal(local)]));
    scopes.forEach(scope => {
        everywhere.forEach(local => scope.add(local));
    });
    return scopes;
}
