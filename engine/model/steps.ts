/** The steps of a body. */
import type { Control, Step } from './model.js';

/** All steps inside, in the order of the text. */
export function stepsIn(body: readonly Control[]): Step[] {
    return body.flatMap(control => {
        switch (control.kind) {
            case 'step':
                return [control];
            case 'labeled':
                return stepsIn([control.control]);
            case 'loop':
            case 'while':
            case 'for':
                return stepsIn(control.body);
            case 'if':
                return stepsIn([...control.then, ...control.otherwise]);
            case 'choose':
                return control.alternatives.flatMap(stepsIn);
            default:
                return [];
        }
    });
}
