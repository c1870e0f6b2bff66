/** All checks of a linked document: syntax and names, then what depends on values. A stage with errors is the last. */
import {
    AstUtils,
    Cancellation,
    DefaultDocumentValidator,
    toDiagnosticSeverity,
    type LangiumCoreServices,
    type LangiumDocument,
    type LangiumParser,
    type ValidationOptions,
} from 'langium';
import type { Diagnostic } from 'vscode-languageserver';
import type { Problem } from '../../engine/common/problem.js';
import {
    checkWithValues,
    NO_VALUES,
    notIgnoredIn,
    problemsAt,
    type CheckedModel,
    type GivenValues,
} from '../../language/check-values.js';
import type { Expression, Model } from '../generated/ast.js';
import { putInForce, readChosenValues } from '../parsing/chosen-parameters.js';
import { declarationsOf, modelsOf } from '../../language/references/imports.js';
import { checkImports } from './imports.js';
import { checkNames } from './names.js';
import { ProblemCollector } from '../../language/problems/problem-collector.js';
import { checkSeparators, syntaxProblems } from './syntax.js';
import { checkUsage } from '../../language/validation/usage.js';

export interface CheckResult {
    readonly problems: readonly Problem[];
    /** Warnings for a model without errors: unused names. */
    readonly advice: readonly Problem[];
    readonly checked?: CheckedModel;
}

/** Checks a document together with the files that it imports: names once, then with these values. */
export function checkDocument(document: LangiumDocument, given: GivenValues = NO_VALUES): CheckResult {
    return checkModel(checkTexts(document), given);
}

/** The findings that need no values. Without a model these are errors that make values meaningless. */
export interface CheckedTexts {
    readonly model?: Model;
    readonly problems: readonly Problem[];
}

/**
 * Checks syntax and names of a document and the files that it imports. Problems of an imported file are reported in that
 * file, and an error at the import refers to them.
 */
export function checkTexts(document: LangiumDocument): CheckedTexts {
    const syntax = syntaxProblems(document);
    if (syntax.length > 0) {
        return { problems: syntax };
    }
    const model = document.parseResult.value as Model;
    const problems = new ProblemCollector();
    const areRight = checkFiles(document, model, problems);
    return areRight ? { model, problems: problems.sorted() } : { problems: problemsAt(model, problems) };
}

/** The same document with values. */
function checkModel(texts: CheckedTexts, given: GivenValues): CheckResult {
    const { model } = texts;
    if (model === undefined) {
        return { problems: texts.problems, advice: [] };
    }
    return keepingReferences(model, () => {
        const { problems, context } = checkWithValues(model, texts.problems, given);
        if (context === undefined) {
            return { problems, advice: [] };
        }
        const advice = new ProblemCollector();
        checkUsage(model, declarationsOf(model), { ...context, problems: advice });
        const { constants } = context;
        return { problems, advice: notIgnoredIn(model, advice), checked: { model, constants } };
    });
}

/** A check links the names in given values, which are no part of the documents: their lists of references stay. */
export function keepingReferences<Result>(model: Model, check: () => Result): Result {
    const lists = modelsOf(model).map(file => AstUtils.getDocument(file).references);
    const linked = lists.map(({ length }) => length);
    const result = check();
    lists.forEach((references, index) => (references.length = linked[index] ?? 0));
    return result;
}

/** Whether the names are right, though there may be other errors. */
function checkFiles(document: LangiumDocument, model: Model, problems: ProblemCollector): boolean {
    const files = modelsOf(model);
    for (const file of files) {
        const imported = AstUtils.getDocument(file);
        if (imported !== document) {
            problems.addAll(syntaxProblems(imported));
        }
        checkImports(imported, problems);
    }
    // An undeclared name may be declared in a file that could not be read.
    if (problems.hasErrors()) {
        return false;
    }
    const canBeRead = files.map(file => checkNames(AstUtils.getDocument(file), file, problems));
    if (canBeRead.includes(false)) {
        return false;
    }
    files.forEach(file => {
        checkSeparators(file, problems);
    });
    return true;
}

/** The values of parameters that are chosen for a document, by name. */
export type ChosenParameters = (document: LangiumDocument) => ReadonlyMap<string, string>;

/** Checks a document for the editor, with the chosen values of parameters if the model has no errors with them. */
export class OrbitDocumentValidator extends DefaultDocumentValidator {
    private readonly results = new WeakMap<LangiumDocument, CheckResult>();
    private readonly parser: LangiumParser;
    private readonly chosen: ChosenParameters;

    constructor(services: LangiumCoreServices, chosen: ChosenParameters = () => new Map()) {
        super(services);
        this.parser = services.parser.LangiumParser;
        this.chosen = chosen;
    }

    /** The result of the last validation of a document, so that its model can be made without another check. */
    lastResult(document: LangiumDocument): CheckResult | undefined {
        return this.results.get(document);
    }

    override async validateDocument(
        document: LangiumDocument,
        options: ValidationOptions = {},
        cancelToken = Cancellation.CancellationToken.None,
    ): Promise<Diagnostic[]> {
        const uri = document.uri.toString();
        // The editor shows the problems of an imported file in that file.
        const result = this.check(document);
        this.results.set(document, result);
        const { problems, advice } = result;
        const own = [...problems, ...advice].filter(problem => problem.range.uri === uri);
        const diagnostics = own.map(problem => toDiagnostic(problem, this.getSource()));
        return [...diagnostics, ...(await this.validateAst(document.parseResult.value, options, cancelToken))];
    }

    /** What is wrong with a document if these values are chosen; nothing if it is wrong without them. */
    problemsWith(document: LangiumDocument, chosen: ReadonlyMap<string, string>): readonly Problem[] {
        const given = readChosenValues(document, chosen, this.parser);
        const problems = [...given.problems, ...checkWith(document, given.values).problems];
        return hasErrors({ problems }) && !hasErrors(checkDocument(document)) ? problems : [];
    }

    /** The result with these values besides those that are chosen. */
    resultWith(document: LangiumDocument, parameters: ReadonlyMap<string, string>): CheckResult {
        const given = readChosenValues(document, new Map([...this.chosen(document), ...parameters]), this.parser);
        const result = checkWith(document, given.values);
        return given.problems.length === 0
            ? result
            : { problems: [...given.problems, ...result.problems], advice: result.advice };
    }

    private check(document: LangiumDocument): CheckResult {
        const model = document.parseResult.value as Model;
        const chosen = this.chosen(document);
        putInForce(model, new Map());
        if (chosen.size === 0) {
            return checkDocument(document);
        }
        const [first] = this.problemsWith(document, chosen);
        if (first === undefined) {
            const { values } = readChosenValues(document, chosen, this.parser);
            putInForce(model, values);
            return checkWith(document, values);
        }
        const result = checkDocument(document);
        const names = [...chosen].map(([name, text]) => `\`${name} = ${text}\``).join(', ');
        const problem: Problem = {
            severity: 'warning',
            code: 'parameter/chosen',
            message: `with ${names}, as chosen in the editor, ${first.message}; the values in the text count`,
            range: first.range,
        };
        return { ...result, problems: [...result.problems, problem] };
    }
}

function checkWith(document: LangiumDocument, overrides: ReadonlyMap<string, Expression>): CheckResult {
    return checkDocument(document, { ...NO_VALUES, overrides });
}

function hasErrors({ problems }: Pick<CheckResult, 'problems'>): boolean {
    return problems.some(({ severity }) => severity === 'error');
}

function toDiagnostic(problem: Problem, source: string | undefined): Diagnostic {
    // Who writes begins with an empty text: that is no error yet.
    const severity = problem.code === 'model/empty' ? 'hint' : problem.severity;
    return {
        severity: toDiagnosticSeverity(severity === 'information' ? 'info' : severity),
        code: problem.code,
        message: problem.message,
        range: { start: problem.range.start, end: problem.range.end },
        ...(source === undefined ? {} : { source }),
        ...(problem.fix && { data: { fixes: [problem.fix] } }),
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
