/** Labels and events of a process: where its instances stand, and what they take. */
import { descendantsOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';

/** The labels of a process in the order of the text. A label may occur several times. */
export function labelsOf(process: ast.Process): ast.Labeled[] {
    // In a text with syntax errors a process may have no body, whatever the type says.
    const body: ast.Process['body'] | undefined = process.body;
    return body === undefined ? [] : descendantsOf(body).filter(ast.isLabeled);
}

/** Whether a label stands before a step, not before a loop or a choice. */
export function isLabelOfStep({ item }: ast.Labeled): boolean {
    return ast.isLabeled(item) ? isLabelOfStep(item) : ast.isStep(item);
}

/** What instances of a process can take: its labeled steps, then the events of its steps. Names may occur twice. */
export function actionsOf(process: ast.Process): ast.Action[] {
    return [...labelsOf(process).filter(isLabelOfStep), ...eventsOf(process)];
}

function eventsOf(process: ast.Process): ast.EventDeclaration[] {
    return descendantsOf(process)
        .filter(ast.isStep)
        .map(({ place }) => (ast.isReference(place) ? place.target.ref : undefined))
        .filter(ast.isEventDeclaration);
}
