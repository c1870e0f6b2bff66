/**
 * All checks of one document, in stages: syntax, then names, then types and processes. A stage runs only where the one
 * before found no error, so that one mistake gives one message.
 *
 * In: a linked document and values for parameters. Out: the problems in the order of the text and, where there is no
 * error, what lowering needs. The same function answers the editor (with the parameters' defaults) and the command line.
 */
import {
    Cancellation,
    DefaultDocumentValidator,
    toDiagnosticSeverity,
    type LangiumDocument,
    type ValidationOptions,
} from 'langium';
import type { Diagnostic } from 'vscode-languageserver';
import type { Problem } from '../../engine/common/problem.js';
import type { Expression, Model } from '../generated/ast.js';
import { declarationsOf } from '../references/imports.js';
import { Constants } from '../typing/constants.js';
import { TypeInference } from '../typing/type-inference.js';
import { checkDeclarations } from './declarations.js';
import { checkNames } from './names.js';
import { ProblemCollector } from './problem-collector.js';
import { checkProcesses } from './processes.js';
import { syntaxProblems } from './syntax.js';

/** What lowering needs beside the syntax tree. Present only where there is no error. */
export interface CheckedModel {
    readonly model: Model;
    readonly constants: Constants;
}

export interface CheckResult {
    readonly problems: readonly Problem[];
    readonly checked?: CheckedModel;
}

const NO_OVERRIDES: ReadonlyMap<string, Expression> = new Map();

/** Checks a document whose names have been linked. `overrides` are the values of parameters given from outside. */
export function checkDocument(
    document: LangiumDocument,
    overrides: ReadonlyMap<string, Expression> = NO_OVERRIDES,
): CheckResult {
    const syntax = syntaxProblems(document);
    if (syntax.length > 0) {
        return { problems: syntax };
    }
    const model = document.parseResult.value as Model;
    const problems = new ProblemCollector();
    if (!checkNames(document, model, problems)) {
        return { problems: problems.sorted() };
    }
    const declarations = declarationsOf(model);
    const constants = new Constants(declarations, overrides, problems);
    const context = { constants, inference: new TypeInference(constants, problems), problems };
    checkDeclarations(model, declarations, overrides, context);
    checkProcesses(declarations, context);
    return {
        problems: problems.sorted(),
        ...(problems.hasErrors() ? {} : { checked: { model, constants } }),
    };
}

/** What the editor shows: the problems of a document with the parameters' defaults. */
export class OrbitDocumentValidator extends DefaultDocumentValidator {
    override async validateDocument(
        document: LangiumDocument,
        options: ValidationOptions = {},
        cancelToken = Cancellation.CancellationToken.None,
    ): Promise<Diagnostic[]> {
        const { problems } = checkDocument(document);
        const diagnostics = problems.map(problem => toDiagnostic(problem, this.getSource()));
        return [...diagnostics, ...(await this.validateAst(document.parseResult.value, options, cancelToken))];
    }
}

function toDiagnostic(problem: Problem, source: string | undefined): Diagnostic {
    return {
        severity: toDiagnosticSeverity(problem.severity === 'information' ? 'info' : problem.severity),
        code: problem.code,
        message: problem.message,
        range: { start: problem.range.start, end: problem.range.end },
        ...(source === undefined ? {} : { source }),
        ...(problem.related === undefined
            ? {}
            : {
                  relatedInformation: problem.related.map(({ message, range }) => ({
                      message,
                      location: { uri: range.uri, range: { start: range.start, end: range.end } },
                  })),
              }),
    };
}
