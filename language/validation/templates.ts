/** Templates: their parameters, their events, how they end, and what cannot be said of their instances yet. */
import { nodesOf } from '../tree/descendants.js';
import * as ast from '../generated/nodes.js';
import { labelsOf } from '../references/labels.js';
import { headLocalsOfTemplate } from '../references/locals.js';
import { isAboutRuns, isTemporal } from '../references/temporal.js';
import { isTemplate } from '../references/templates.js';
import { rangeOf, rangeOfProperty } from '../tree/source-text.js';
import { isOverTemplate } from '../representation/domains.js';
import { NO_FAIRNESS } from '../typing/type-inference.js';
import type { CheckContext } from './check-context.js';
import { FollowingSteps } from './following-steps.js';
import type { ProblemCollector } from '../problems/problem-collector.js';

/** `declarations` are those of the model and its imports. */
export function checkTemplates(declarations: readonly ast.Declaration[], context: CheckContext): void {
    const { constants, problems } = context;
    for (const declaration of declarations) {
        if (isTemplate(declaration)) {
            checkParameters(declaration, context);
            checkHead(declaration, problems);
            checkEvents(declaration, problems);
            checkNotFair(declaration, problems);
            checkEnd(declaration, problems);
        } else if (ast.isEventDeclaration(declaration)) {
            if (declaration.fair && isOverTemplate(constants.argumentsOf(declaration))) {
                problems.error('fair/template', NO_FAIRNESS, rangeOfProperty(declaration, 'fair'));
            }
        } else if (isAboutRuns(declaration)) {
            checkRuns(declaration, context);
        }
    }
}

function checkParameters(template: ast.Process, { constants, problems }: CheckContext): void {
    for (const { name, type } of template.parameters) {
        const shape = constants.shapeOf(type);
        if (shape !== undefined && shape.leaves().some(({ indices }) => indices.length > 0)) {
            const message = `\`${name}\` cannot be an array: a parameter of a template is one value, or a record of such`;
            problems.error('type/array-not-allowed', message, rangeOf(type));
        }
    }
}

/** The step that creates an instance does one thing. */
function checkHead(template: ast.Process, problems: ProblemCollector): void {
    for (const variable of headLocalsOfTemplate(template)) {
        if (variable.any || variable.choices !== undefined) {
            const message =
                `an instance is created with one value of \`${variable.name}\`; choose it in its first step: ` +
                '`choose x in T { … }`';
            problems.error('process/any-inside', message, rangeOfProperty(variable, variable.any ? 'any' : 'choices'));
        }
    }
}

/** With `self` among the arguments the participants of each event are known. */
function checkEvents(template: ast.Process, problems: ProblemCollector): void {
    for (const { place } of nodesOf(template).filter(ast.isStep)) {
        const event = ast.isReference(place) ? place.target.ref : undefined;
        if (!ast.isReference(place) || !ast.isEventDeclaration(event)) {
            continue;
        }
        const hasSelf = place.indices.some(index => ast.isReference(index) && ast.isSelf(index.target.ref));
        if (!hasSelf) {
            const message =
                `an event of a template has \`self\` among its arguments, so that its participants are known: ` +
                `\`event ${event.name}[${template.name}]\` and here \`${event.name}[self]\``;
            problems.error('event/without-self', message, rangeOf(place));
        }
    }
}

function checkNotFair(template: ast.Process, problems: ProblemCollector): void {
    for (const node of [template, ...labelsOf(template)]) {
        if (node.fair) {
            problems.error('fair/template', NO_FAIRNESS, rangeOfProperty(node, 'fair'));
        }
    }
}

/** Tells where a test stands before the end: then the end is a step, and the instance lives until it is taken. */
function checkEnd(template: ast.Process, problems: ProblemCollector): void {
    const following = new FollowingSteps();
    const test = nodesOf(template).find(
        (node): node is ast.While | ast.IfControl =>
            (ast.isWhile(node) || ast.isIfControl(node)) && following.mayEndAfterTest(node),
    );
    if (test !== undefined) {
        const message =
            `behind this test \`${template.name}\` may end without another step, so the end is a step of its own, ` +
            'called `end`; until then the instance lives';
        problems.information('process/ends-by-test', message, rangeOf(test.condition));
    }
}

/** An instance that a binder has chosen would have to be followed along the run. */
function checkRuns({ expression }: ast.Property | ast.Assumption, { constants, problems }: CheckContext): void {
    for (const node of nodesOf(expression).filter(ast.isQuantifier)) {
        const group = node.groups.find(each => isOverTemplate([constants.domainOfGroup(each)]));
        if (group !== undefined && isTemporal(node.body)) {
            const message =
                'properties that follow an instance along a run are not checked yet; ' +
                'behind this binder stands a condition on states, as in `always (forall w in W: …)`';
            problems.error('property/instances', message, rangeOf(group));
        }
    }
}
