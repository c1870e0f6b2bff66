/** The half of the check that depends on values: constants, types, declarations, processes and templates. */
import type { Problem } from '../engine/common/problem.js';
import type { LinearBounds } from '../engine/model/domain.js';
import type { Expression, Model, RangeType } from './generated/nodes.js';
import { withoutIgnored } from './problems/ignored.js';
import { ProblemCollector } from './problems/problem-collector.js';
import { declarationsOf } from './references/imports.js';
import { isTemplate, isTypeOfNames } from './references/templates.js';
import { sourceOf } from './tree/source-text.js';
import { Constants } from './typing/constants.js';
import { TypeInference } from './typing/type-inference.js';
import type { CheckContext } from './validation/check-context.js';
import { checkDeclarations } from './validation/declarations.js';
import { reportErrorsOfImports } from './validation/imports.js';
import { checkJointChoices } from './validation/joint-choices.js';
import { checkProcesses } from './validation/processes.js';
import { checkReferences } from './validation/references.js';
import { checkSpawns } from './validation/spawn.js';
import { checkTemplates } from './validation/templates.js';
import { checkUnset } from './validation/unset.js';

/** A model without errors, for lowering. */
export interface CheckedModel {
    readonly model: Model;
    readonly constants: Constants;
}

/** What a model is checked with besides its text. */
export interface GivenValues {
    /** The values of parameters given from outside, by name. */
    readonly overrides: ReadonlyMap<string, Expression>;
    /** Of the ranges that depend on parameters that stand for all their values (Constants). */
    readonly bounds: ReadonlyMap<RangeType, LinearBounds>;
}

export const NO_VALUES: GivenValues = { overrides: new Map(), bounds: new Map() };

/** What is found in a model with values; without a context there are errors. */
interface CheckWithValues {
    readonly problems: readonly Problem[];
    readonly context?: CheckContext;
}

/** Checks a model whose names are right, with the files that it imports. `named` are the problems of names. */
export function checkWithValues(model: Model, named: readonly Problem[], given: GivenValues): CheckWithValues {
    const problems = new ProblemCollector();
    problems.addAll(named);
    const context = checkValues(model, given, problems);
    const found = problemsAt(model, problems);
    return problems.hasErrors() ? { problems: found } : { problems: found, context };
}

/** The problems of a model and its imports in the order of the text, without warnings that the text ignores. */
export function problemsAt(model: Model, problems: ProblemCollector): readonly Problem[] {
    reportErrorsOfImports(model, problems);
    return notIgnoredIn(model, problems);
}

/** The same without a word about imports. */
export function notIgnoredIn(model: Model, problems: ProblemCollector): readonly Problem[] {
    const source = sourceOf(model);
    return withoutIgnored(problems.sorted(), uri => (uri === source?.uri ? source.text : undefined));
}

function checkValues(model: Model, { overrides, bounds }: GivenValues, problems: ProblemCollector): CheckContext {
    const declarations = declarationsOf(model);
    const constants = new Constants(declarations, overrides, problems, bounds);
    const context = { constants, inference: new TypeInference(constants, problems), problems };
    checkDeclarations(model, declarations, overrides, context);
    checkProcesses(declarations, context);
    if (declarations.some(declaration => isTemplate(declaration) || isTypeOfNames(declaration))) {
        checkTemplates(declarations, context);
        checkReferences(declarations, context);
        checkUnset(declarations, context);
    }
    checkSpawns(declarations, context);
    checkJointChoices(declarations, context);
    return context;
}
