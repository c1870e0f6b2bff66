/** `assert symmetric`: the name behind it has instances to exchange, or values. */
import { isModel, type Named, type SymmetryAssertion } from '../generated/nodes.js';
import { rangeOfProperty } from '../tree/source-text.js';
import { hasCases } from '../references/constructors.js';
import { describeNamed } from '../problems/describe.js';
import type { Shape } from '../representation/shape.js';
import type { CheckContext } from './check-context.js';

export function checkSymmetryAssertion(assertion: SymmetryAssertion, context: CheckContext): void {
    const target = assertion.target.ref;
    if (target === undefined) {
        return;
    }
    const { ofValues } = assertion;
    const reason = ofValues ? whyNoValues(target, context) : whyNoFamily(target, context);
    if (reason !== undefined) {
        const code = ofValues ? 'assertion/no-values' : 'assertion/not-a-family';
        context.problems.error(code, reason, rangeOfProperty(assertion, 'target'));
    }
}

function whyNoFamily(target: Named, context: CheckContext): string | undefined {
    const name = `\`${target.name}\``;
    if (target.$type === 'Process') {
        return target.indices.length > 0 || target.isTemplate
            ? undefined
            : `${name} is a single process: only a family, \`process ${target.name}[i: …]\`, has instances to exchange`;
    }
    const hint =
        whyNoValues(target, context) === undefined
            ? `; \`assert symmetric values of ${target.name}\` is about its values`
            : '';
    return `a family of processes is expected after \`assert symmetric\`, but ${name} is ${describeNamed(target)}${hint}`;
}

function whyNoValues(target: Named, { constants }: CheckContext): string | undefined {
    const name = `\`${target.name}\``;
    switch (target.$type) {
        case 'Enumeration':
            return hasCases(target) ? whyNotScalar(name, constants.shapeOfCases(target), 'a type') : undefined;
        case 'TypeDeclaration':
            return whyNotScalar(name, constants.shapeOf(target.type), 'a type');
        case 'RecordDeclaration':
            return whyNotScalar(name, constants.shapeOfRecord(target), 'a type');
        case 'Variable': {
            const shape = isModel(target.$container) ? constants.shapeOf(target.type) : undefined;
            return whyNotScalar(name, shape?.element, 'a variable');
        }
        case 'Process':
            return `${name} is a process; \`assert symmetric ${target.name}\` is about its instances`;
        default:
            return (
                'a type or a shared variable is expected after `assert symmetric values of`, ' +
                `but ${name} is ${describeNamed(target)}`
            );
    }
}

/** Values that are stored in several cells cannot be exchanged: arrays, and records without `where`. */
function whyNotScalar(name: string, shape: Shape | undefined, what: string): string | undefined {
    const parts = shape?.describeParts();
    return parts && `${name} is ${what} of ${parts}`;
}
